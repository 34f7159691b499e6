import { BlockList, isIP, isIPv4 } from 'node:net';

/** Networks without public hosts, from IANA's special-purpose registries. */
const ipv4Networks: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
const ipv6Networks: readonly (readonly [network: string, prefix: number])[] = [
  ['::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

// A BlockList also checks IPv4-mapped addresses (::ffff:0:0/96) against IPv4 rules.
const special = new BlockList();
for (const [network, prefix] of ipv4Networks) {
  special.addSubnet(network, prefix, 'ipv4');
  // NAT64 (64:ff9b::/96) holds an IPv4 address in its last four bytes.
  special.addSubnet(`64:ff9b::${network}`, 96 + prefix, 'ipv6');
}
for (const [network, prefix] of ipv6Networks) special.addSubnet(network, prefix, 'ipv6');

/** Whether an IP address is on the public internet. `false` for anything else. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  return !special.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

/** Whether a URL's host name means this machine: localhost, 127.0.0.0/8 or ::1. Needs no DNS. */
export function isLoopbackHost(hostname: string): boolean {
  const host = bareHost(hostname);
  if (isIPv4(host)) return host.startsWith('127.');
  return host === '::1' || host === 'localhost' || host.endsWith('.localhost');
}

/** A URL's host without IPv6 brackets. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
