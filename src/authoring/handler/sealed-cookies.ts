import { mediaAssetError } from '../../errors/errors.ts';

/** Browsers keep 4,096 bytes of a cookie's name and value. */
const pieceLength = 3800;
const pieces = [0, 1, 2];

/** `Lax` cookies come with a navigation from another site, such as the end of a sign-in. */
const sites = { session: 'Strict', state: 'Lax' } as const;
type Name = keyof typeof sites;

/**
 * Values that only this site can write and read, in cookies of the browser: encrypted with AES-GCM. Each is
 * bound to its name and to `url`, so that none can stand for another.
 *
 * @param secret at least 32 random characters
 */
export function sealedCookies(secret: string, url: string) {
  const bytes = (text: string) => new TextEncoder().encode(text);
  // Not kept: in workerd, a request can't wait for what another one has begun.
  async function cipher(name: string, iv: Uint8Array<ArrayBuffer>) {
    const raw = await crypto.subtle.importKey('raw', bytes(secret), 'HKDF', false, ['deriveKey']);
    const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: bytes(url), info: bytes('media-asset/1') };
    const aes = { name: 'AES-GCM', length: 256 };
    const key = await crypto.subtle.deriveKey(hkdf, raw, aes, false, ['encrypt', 'decrypt']);
    return [{ name: 'AES-GCM', iv, additionalData: bytes(`${name} ${url}`) }, key] as const;
  }
  const cookieName = (name: string, piece: number) => `__Host-media-asset-${name}-${piece}`;

  const setCookies = (name: Name, value: string, until: number) =>
    pieces.map((piece) => {
      const part = value.slice(piece * pieceLength, (piece + 1) * pieceLength);
      const age = part === '' ? 0 : Math.floor((until - Date.now()) / 1000);
      return `${cookieName(name, piece)}=${part}; Path=/; Max-Age=${age}; HttpOnly; Secure; SameSite=${sites[name]}`;
    });

  return {
    /** `Set-Cookie` headers. Throws `session-too-large`. @param until in ms since the epoch */
    async write(name: Name, value: object, until: number): Promise<string[]> {
      const [algorithm, key] = await cipher(name, crypto.getRandomValues(new Uint8Array(12)));
      const text = bytes(JSON.stringify({ value, until }));
      const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm, key, text));
      const written = Buffer.concat([algorithm.iv, sealed]).toString('base64url');
      if (written.length > pieces.length * pieceLength)
        throw mediaAssetError('session-too-large', { length: written.length });
      return setCookies(name, written, until);
    },
    clear: (name: Name) => setCookies(name, '', 0),
    /** The value of a request; `undefined` if there's none, or it has ended, or isn't ours. */
    async read<Value>(
      name: Name,
      request: Request,
    ): Promise<{ readonly value: Value; readonly until: number } | undefined> {
      const given = (request.headers.get('cookie') ?? '').split(/;\s*/);
      const parts = pieces.map((piece) => {
        const start = `${cookieName(name, piece)}=`;
        return given.find((one) => one.startsWith(start))?.slice(start.length) ?? '';
      });
      const sealed = Buffer.from(parts.join(''), 'base64url');
      try {
        const [algorithm, key] = await cipher(name, new Uint8Array(sealed.subarray(0, 12)));
        const data = new Uint8Array(sealed.subarray(12));
        const text = await crypto.subtle.decrypt(algorithm, key, data);
        const held = JSON.parse(new TextDecoder().decode(text));
        return held.until > Date.now() ? held : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
