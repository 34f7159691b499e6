import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long a signed address works, in milliseconds. */
const lifetime = 300_000;

export interface AddressSigner {
  /** A path and query with the time that they work until, and a signature of all that. */
  sign(path: string, query: URLSearchParams): string;
  /** Whether a path and query were signed here, unchanged, and still work. */
  isSigned(path: string, query: URLSearchParams): boolean;
}

/**
 * Signs addresses that stand for a right by themselves. They end with the process.
 *
 * @param clock Milliseconds since 1970.
 */
export function createAddressSigner(clock: () => number): AddressSigner {
  const key = randomBytes(32);
  const signatureOf = (path: string, query: URLSearchParams): string =>
    createHmac('sha256', key).update(`${path}?${query}`).digest('base64url');
  return {
    sign(path, query) {
      const signed = new URLSearchParams(query);
      signed.set('expires', String(clock() + lifetime));
      signed.set('signature', signatureOf(path, signed));
      return `${path}?${signed}`;
    },
    isSigned(path, query) {
      const unsigned = new URLSearchParams(query);
      unsigned.delete('signature');
      const given = Buffer.from(query.get('signature') ?? '');
      const right = Buffer.from(signatureOf(path, unsigned));
      if (given.length !== right.length || !timingSafeEqual(given, right)) return false;
      return Number(unsigned.get('expires')) > clock();
    },
  };
}
