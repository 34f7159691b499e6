import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import cacache from 'cacache';
import { outliveClear } from './outlive-clear.ts';

/** Those that cacache names contents by. */
export const algorithms: [string] = ['sha256'];

interface Entry {
  readonly folder: string;
  readonly key: string;
  readonly file: string;
  readonly metadata: unknown;
}

/** Takes a copy of a file into a cacache folder, piece by piece. */
export async function putFile(entry: Entry): Promise<void> {
  await outliveClear(() => copyFile(entry));
}

async function copyFile({ folder, key, file, metadata }: Entry): Promise<void> {
  const output = cacache.put.stream(folder, key, { algorithms, metadata });
  const written = output.promise();
  // It is awaited below; a failure before that is not unhandled.
  written.catch(() => undefined);
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
    if (!output.write(chunk)) await once(output, 'drain');
  }
  output.end();
  await written;
}

/** SHA-256 in hexadecimal, of an integrity as cacache writes it. */
export function hashOf(integrity: string): string {
  return Buffer.from(integrity.slice('sha256-'.length), 'base64').toString('hex');
}

/** The other way round. */
export function integrityOf(hash: string): string {
  return `sha256-${Buffer.from(hash, 'hex').toString('base64')}`;
}
