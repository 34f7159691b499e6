import { isIP } from 'node:net';
import { bareHost, isLoopbackHost, isPublicAddress } from './public-address.ts';

export const maxRedirects = 5;

/** Where a redirect leads, or why it's refused. `target` is safe to show in messages. */
export type Redirect =
  | {
      readonly followed: true;
      readonly url: URL;
      readonly sameOrigin: boolean;
      /** The host's public IP addresses that were checked. The request may only go to these. */
      readonly addresses?: readonly string[];
    }
  | { readonly followed: false; readonly target: string; readonly reason: string };

/**
 * Checks whether a download may follow a redirect. The same origin is always allowed. Another
 * origin needs https and public addresses, unless both the service and the target are on this
 * machine. `lookup` returns all addresses of a host name, and rejects if there are none.
 */
export async function checkRedirect(redirect: {
  readonly location: string | null;
  readonly from: URL;
  readonly service: URL;
  readonly lookup: (hostname: string) => Promise<readonly string[]>;
}): Promise<Redirect> {
  const { location, from, service, lookup } = redirect;
  const url = resolve(location, from);
  const target = redirectTarget(location, from);
  if (url === null) return refused(target, "the URL isn't valid");
  if (url.username !== '' || url.password !== '') {
    return refused(target, 'the URL contains credentials');
  }
  if (url.origin === from.origin) return { followed: true, url, sameOrigin: true };

  const withinThisMachine = isLoopbackHost(service.hostname) && isLoopbackHost(url.hostname);
  const secure = url.protocol === 'https:';
  if (!secure && !(withinThisMachine && url.protocol === 'http:')) {
    return refused(target, "the URL isn't https");
  }
  if (withinThisMachine) return { followed: true, url, sameOrigin: false };
  const host = bareHost(url.hostname);
  const addresses = isIP(host) === 0 ? await lookup(host) : [host];
  if (addresses.length === 0 || !addresses.every(isPublicAddress)) {
    return refused(target, "the host isn't public");
  }
  return { followed: true, url, sameOrigin: false, addresses };
}

/** A redirect's target without path and query, because signed URLs are secrets. */
export function redirectTarget(location: string | null, from: URL): string {
  const url = resolve(location, from);
  return url === null ? 'an invalid URL' : `${url.protocol}//${url.host}`;
}

function resolve(location: string | null, from: URL): URL | null {
  return location === null ? null : URL.parse(location, from.href);
}

function refused(target: string, reason: string): Redirect {
  return { followed: false, target, reason };
}
