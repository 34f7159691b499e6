import { createHash } from 'node:crypto';
import { ignoreOurs } from '../errors/errors.ts';
import { type FileFacts, fileFields, listFileFacts } from './list-file-facts.ts';
import type { MediaService } from './types.ts';

/**
 * Finds a file in a folder of the service with the same bytes. Downloads only files of the same listed
 * size, so it finds nothing if the service lists no sizes. `hash` is the SHA-256 in hexadecimal.
 */
export async function findSameFile(
  { folders, files }: Pick<MediaService, 'folders' | 'files'>,
  folder: number,
  content: { readonly hash: string; readonly size: number },
): Promise<FileFacts | undefined> {
  const ask = (fields: readonly string[] = fileFields) => folders.files(folder, { fields });
  for await (const file of listFileFacts(ask, folder)) {
    if (file.size !== content.size) continue;
    // A file that can't be downloaded can't be compared.
    const download = await files.original(file.id, { html: true }).catch(ignoreOurs);
    if (download?.status !== 'received') continue;
    if ((await hashOf(download.body).catch(ignoreOurs)) === content.hash) return file;
  }
  return undefined;
}

async function hashOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of bytes) hash.update(part);
  return hash.digest('hex');
}
