import { createHash } from 'node:crypto';
import { ignoreOurs } from '../errors/errors.ts';
import { type FileFacts, fileFields, listFileFacts } from './list-file-facts.ts';
import type { MediaService } from './types.ts';

/**
 * Finds a file in a folder of the service with the same bytes. Downloads only those whose listed size is the same: a
 * service without sizes in its lists has none.
 */
export async function findSameFile(
  { folders, files }: Pick<MediaService, 'folders' | 'files'>,
  { folder, size, hash }: { readonly folder: number; readonly size: number; readonly hash: string },
): Promise<FileFacts | undefined> {
  const ask = (fields: readonly string[] = fileFields) => folders.files(folder, { fields });
  for await (const file of listFileFacts(ask, { folder, pixels: () => undefined })) {
    if (file.size !== size) continue;
    // A file that can't be downloaded is none to offer.
    const download = await files.original(file.id, { html: true }).catch(ignoreOurs);
    if (download?.status !== 'received') continue;
    if ((await hashOf(download.body).catch(ignoreOurs)) === hash) return file;
  }
  return undefined;
}

/** The SHA-256 of bytes, in hex. `onPart` gets each part. */
export async function hashOf(
  bytes: AsyncIterable<Uint8Array>,
  onPart?: (part: Uint8Array) => Promise<void>,
): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of bytes) {
    hash.update(part);
    await onPart?.(part);
  }
  return hash.digest('hex');
}
