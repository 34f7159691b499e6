import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv4 } from 'node:net';

/** Networks without public hosts, from IANA's special-purpose registries. */
const ipv4Networks = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12
  192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24
  203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`;
const ipv6Networks = `::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20
  5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8`;

// A BlockList also checks IPv4-mapped addresses (::ffff:0:0/96) against IPv4 rules.
const special = new BlockList();
for (const [network, prefix] of networksIn(ipv4Networks)) {
  special.addSubnet(network, prefix, 'ipv4');
  // NAT64 (64:ff9b::/96) holds an IPv4 address in its last four bytes.
  special.addSubnet(`64:ff9b::${network}`, 96 + prefix, 'ipv6');
}
for (const [network, prefix] of networksIn(ipv6Networks))
  special.addSubnet(network, prefix, 'ipv6');

function networksIn(list: string): [network: string, prefix: number][] {
  return list.split(/\s+/).map((one) => {
    const [network = '', prefix] = one.split('/');
    return [network, Number(prefix)];
  });
}

/** Whether an IP address is on the public internet. `false` for anything else. */
function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  return !special.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

/** Whether a URL's host name means this machine: localhost, 127.0.0.0/8 or ::1. Needs no DNS. */
export function isLoopbackHost(hostname: string): boolean {
  const host = bareHost(hostname);
  if (isIPv4(host)) return host.startsWith('127.');
  return host === '::1' || host === 'localhost' || host.endsWith('.localhost');
}

function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

export const maxRedirects = 5;

/** Returns all IP addresses of a host name. Rejects if there are none. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** Asks the system. */
export const resolveHost: Lookup = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * Checks whether a download may follow a redirect. The same origin is always allowed. Another
 * origin needs https and public addresses, unless both the service and the target are on this
 * machine. A refused redirect's `target` is safe to show in messages.
 */
export async function checkRedirect(redirect: {
  readonly location: string | null;
  readonly from: URL;
  readonly service: URL;
  readonly lookup: Lookup;
}) {
  const { location, from, service, lookup } = redirect;
  const url = resolve(location, from);
  const refused = (reason: string) =>
    ({ followed: false, target: redirectTarget(location, from), reason }) as const;
  /** `addresses`: the host's public ones, which were checked. The request may only go to these. */
  const allowed = (url: URL, addresses?: readonly string[]) =>
    ({ followed: true, url, sameOrigin: url.origin === from.origin, addresses }) as const;
  if (url === null) return refused("the URL isn't valid");
  if (url.username !== '' || url.password !== '') return refused('the URL contains credentials');
  if (url.origin === from.origin) return allowed(url);

  const withinThisMachine = isLoopbackHost(service.hostname) && isLoopbackHost(url.hostname);
  const secure = url.protocol === 'https:';
  if (!secure && !(withinThisMachine && url.protocol === 'http:')) {
    return refused("the URL isn't https");
  }
  if (withinThisMachine) return allowed(url);
  const host = bareHost(url.hostname);
  const addresses = isIP(host) === 0 ? await lookup(host) : [host];
  if (addresses.length === 0 || !addresses.every(isPublicAddress)) {
    return refused("the host isn't public");
  }
  return allowed(url, addresses);
}

/** A redirect's target without path and query, because signed URLs are secrets. */
export function redirectTarget(location: string | null, from: URL): string {
  const url = resolve(location, from);
  return url === null ? 'an invalid URL' : `${url.protocol}//${url.host}`;
}

function resolve(location: string | null, from: URL): URL | null {
  return location === null ? null : URL.parse(location, from.href);
}
