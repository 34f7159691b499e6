import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { mediaAssetError } from '../../errors/errors.ts';
import type { StoredTokens } from '../types.ts';
import { identityKey, parseTokens, type TokenIdentity } from './token-store.ts';

const [saltLength, ivLength, tagLength] = [16, 12, 16];

/** What tokens are encrypted with, and whose they are. */
export interface Seal {
  /** The key that scrypt derives the AES key from. */
  readonly secret: string;
  /** Authenticated with the tokens, so that no one can put one's tokens in the place of another's. */
  readonly identity: TokenIdentity;
}

/** Tokens encrypted with AES-256-GCM, in base64. */
export function sealTokens(tokens: StoredTokens, seal: Seal): string {
  const salt = randomBytes(saltLength);
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv('aes-256-gcm', keyOf(seal, salt), iv).setAAD(ownerOf(seal));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(tokens)), cipher.final()]);
  return Buffer.concat([salt, iv, cipher.getAuthTag(), sealed]).toString('base64');
}

/**
 * The tokens of a sealed text.
 *
 * @param store as messages name it
 * @throws `token-store-broken`, `token-key-wrong`
 */
export function unsealTokens(text: string, { store, ...seal }: Seal & { store: string }) {
  const bytes = Buffer.from(text, 'base64');
  const start = saltLength + ivLength + tagLength;
  if (bytes.length <= start) {
    const problem = 'its tokens are not encrypted ones';
    throw mediaAssetError('token-store-broken', { store, problem });
  }
  const salt = bytes.subarray(0, saltLength);
  const iv = bytes.subarray(saltLength, saltLength + ivLength);
  const tag = bytes.subarray(saltLength + ivLength, start);
  let json: string;
  try {
    const options = { authTagLength: tagLength };
    const decipher = createDecipheriv('aes-256-gcm', keyOf(seal, salt), iv, options);
    decipher.setAAD(ownerOf(seal)).setAuthTag(tag);
    json = Buffer.concat([decipher.update(bytes.subarray(start)), decipher.final()]).toString();
  } catch (cause) {
    throw mediaAssetError('token-key-wrong', { store }, { cause });
  }
  return parseTokens(JSON.parse(json), store);
}

function keyOf({ secret }: Seal, salt: Uint8Array): Buffer {
  return scryptSync(secret, salt, 32);
}

function ownerOf({ identity }: Seal): Buffer {
  return Buffer.from(`astro-media-asset 1 ${identityKey(identity)}`);
}
