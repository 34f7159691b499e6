import { createCipheriv, createDecipheriv, createHash, randomBytes, scryptSync } from 'node:crypto';
import { z } from 'zod';
import { mediaAssetError } from '../errors.ts';
import { headerToken } from './token-request.ts';
import type { StoredTokens, TokenIdentity } from './token-store.ts';

/** Writes tokens as a JSON value, and reads them. */
export interface TokenCodec {
  readonly encrypts: boolean;
  encode(tokens: StoredTokens): unknown;
  /** Throws `token-store-broken` and `token-key-wrong`. */
  decode(value: unknown): StoredTokens;
}

const schema = z.object({
  accessToken: headerToken,
  refreshToken: z.string().min(1).optional(),
  obtainedAt: z.number(),
  expiresAt: z.number().optional(),
});

/** The name of an identity in a store. Of a seed it holds nothing that could be used. */
export function identityKey({ service, clientId, seed }: TokenIdentity): string {
  const origin = seed === undefined ? 'login' : createHash('sha256').update(seed).digest('hex');
  return JSON.stringify([service, clientId, origin.slice(0, 16)]);
}

/** Tokens as they are, for a file of the user's own. */
export function plainCodec(store: string): TokenCodec {
  return {
    encrypts: false,
    encode: (tokens) => tokens,
    decode: (value) => parse(value, store),
  };
}

const [saltLength, ivLength, tagLength] = [16, 12, 16];

/**
 * Tokens encrypted with AES-256-GCM, under a key that scrypt derives from `secret`; the identity is
 * authenticated with them, so that nobody can put one's tokens in the place of another's.
 */
export function sealedCodec(
  store: string,
  { secret, identity }: { secret: string; identity: TokenIdentity },
): TokenCodec {
  const owner = Buffer.from(`astro-media-asset 1 ${identityKey(identity)}`);
  const keyOf = (salt: Uint8Array) => scryptSync(secret, salt, 32);
  return {
    encrypts: true,
    encode(tokens) {
      const salt = randomBytes(saltLength);
      const iv = randomBytes(ivLength);
      const cipher = createCipheriv('aes-256-gcm', keyOf(salt), iv).setAAD(owner);
      const sealed = Buffer.concat([cipher.update(JSON.stringify(tokens)), cipher.final()]);
      return Buffer.concat([salt, iv, cipher.getAuthTag(), sealed]).toString('base64');
    },
    decode(value) {
      const bytes = Buffer.from(typeof value === 'string' ? value : '', 'base64');
      const start = saltLength + ivLength + tagLength;
      if (bytes.length <= start) {
        const problem = 'its tokens are not encrypted ones';
        throw mediaAssetError('token-store-broken', { store, problem });
      }
      const salt = bytes.subarray(0, saltLength);
      const iv = bytes.subarray(saltLength, saltLength + ivLength);
      const tag = bytes.subarray(saltLength + ivLength, start);
      let text: string;
      try {
        const options = { authTagLength: tagLength };
        const decipher = createDecipheriv('aes-256-gcm', keyOf(salt), iv, options);
        decipher.setAAD(owner).setAuthTag(tag);
        text = Buffer.concat([decipher.update(bytes.subarray(start)), decipher.final()]).toString();
      } catch (cause) {
        throw mediaAssetError('token-key-wrong', { store }, { cause });
      }
      return parse(JSON.parse(text), store);
    },
  };
}

function parse(value: unknown, store: string): StoredTokens {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  // Their messages hold the names of fields, and no value.
  const problem = parsed.error.issues
    .map(({ path, message }) => `${path.join('.') || 'its tokens'}: ${message}`)
    .join('; ');
  throw mediaAssetError('token-store-broken', { store, problem });
}
