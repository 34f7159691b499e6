import { isIP } from 'node:net';
import { bareHost, isLoopbackHost, isPublicAddress } from './public-address.ts';

export const mostRedirects = 5;

/** Where a redirect leads, or why it is not followed. `target` is fit for a message. */
export type Redirect =
  | {
      readonly followed: true;
      readonly url: URL;
      readonly sameOrigin: boolean;
      /** The addresses of the host that were looked up, and are public: it is fetched from these. */
      readonly addresses?: readonly string[];
    }
  | { readonly followed: false; readonly target: string; readonly reason: string };

/**
 * Whether a download may follow a redirect: within one origin always; to another one over https
 * and to public addresses only, except from a service on this machine to this machine. `lookup`
 * gives all addresses of a host name, and rejects where it has none.
 */
export async function judgeRedirect(redirect: {
  readonly location: string | null;
  readonly from: URL;
  readonly service: URL;
  readonly lookup: (hostname: string) => Promise<readonly string[]>;
}): Promise<Redirect> {
  const { location, from, service, lookup } = redirect;
  const url = resolve(location, from);
  const target = redirectTarget(location, from);
  if (url === null) return refused(target, 'it is no URL');
  if (url.username !== '' || url.password !== '') {
    return refused(target, 'the address carries credentials');
  }
  if (url.origin === from.origin) return { followed: true, url, sameOrigin: true };

  const withinThisMachine = isLoopbackHost(service.hostname) && isLoopbackHost(url.hostname);
  const secure = url.protocol === 'https:';
  if (!secure && !(withinThisMachine && url.protocol === 'http:')) {
    return refused(target, 'it is not https');
  }
  if (withinThisMachine) return { followed: true, url, sameOrigin: false };
  const host = bareHost(url.hostname);
  const addresses = isIP(host) === 0 ? await lookup(host) : [host];
  if (addresses.length === 0 || !addresses.every(isPublicAddress)) {
    return refused(target, 'the host is not a public one');
  }
  return { followed: true, url, sameOrigin: false, addresses };
}

/** Where a redirect leads, without path and query: signed addresses are secrets in themselves. */
export function redirectTarget(location: string | null, from: URL): string {
  const url = resolve(location, from);
  return url === null ? 'an unreadable address' : `${url.protocol}//${url.host}`;
}

function resolve(location: string | null, from: URL): URL | null {
  return location === null ? null : URL.parse(location, from.href);
}

function refused(target: string, reason: string): Redirect {
  return { followed: false, target, reason };
}
