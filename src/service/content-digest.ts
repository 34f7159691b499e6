import { createHash } from 'node:crypto';

/** Checks a body against the checksum that its headers announce. */
export interface ContentDigest {
  /** As a message names it: `sha-256`. */
  readonly algorithm: string;
  update(chunk: Uint8Array): void;
  /** Whether all that was given is what was announced. Once only. */
  matches(): boolean;
}

const algorithms = new Map([
  ['sha-512', 'sha512'],
  ['sha-256', 'sha256'],
  ['md5', 'md5'],
]);

/**
 * The checksum of a body in `Repr-Digest`, `Content-Digest` (RFC 9530), `Digest` or `Content-MD5`;
 * the strongest that is known. Undefined where there is none, or where the body is encoded: then
 * the bytes that are read are not those that were counted.
 */
export function contentDigest(headers: Headers): ContentDigest | undefined {
  if ((headers.get('content-encoding') ?? 'identity').trim().toLowerCase() !== 'identity') return;
  const md5 = headers.get('content-md5');
  const announced = new Map(
    [
      headers.get('repr-digest'),
      headers.get('content-digest'),
      headers.get('digest'),
      md5 && `md5=${md5}`,
    ].flatMap((header) => [...(header ?? '').matchAll(/([\w-]+)=:?([\w+/]+={0,2})/g)].map(pairOf)),
  );
  for (const [algorithm, name] of algorithms) {
    const expected = announced.get(algorithm);
    if (expected === undefined) continue;
    const hash = createHash(name);
    return {
      algorithm,
      update: (chunk) => void hash.update(chunk),
      matches: () => hash.digest('base64') === expected,
    };
  }
  return undefined;
}

function pairOf([, algorithm = '', value = '']: RegExpExecArray): [string, string] {
  return [algorithm.toLowerCase(), value];
}
