import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

/** Who can read a sealed text, and what it's for. */
export interface Seal {
  /** The passphrase that scrypt derives the AES key from. */
  readonly secret: string;
  /** Authenticated with the text, so that a text that was sealed for another purpose can't take its place. */
  readonly purpose: string;
}

const [saltLength, ivLength, tagLength] = [16, 12, 16];
const start = saltLength + ivLength + tagLength;

const derive = promisify<string, Uint8Array, number, Buffer>(scrypt);

/** Encrypts bytes as base64. */
export async function seal(content: Uint8Array, { secret, purpose }: Seal): Promise<string> {
  const salt = randomBytes(saltLength);
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv('aes-256-gcm', await derive(secret, salt, 32), iv);
  cipher.setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([cipher.update(content), cipher.final()]);
  return Buffer.concat([salt, iv, cipher.getAuthTag(), sealed]).toString('base64');
}

/** Decrypts a sealed text. Throws if the secret or the purpose is another one, or a byte has changed. */
export async function unseal(text: string, { secret, purpose }: Seal): Promise<Buffer> {
  const bytes = Buffer.from(text, 'base64');
  const salt = bytes.subarray(0, saltLength);
  const iv = bytes.subarray(saltLength, saltLength + ivLength);
  const key = await derive(secret, salt, 32);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagLength });
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(saltLength + ivLength, start));
  return Buffer.concat([decipher.update(bytes.subarray(start)), decipher.final()]);
}
