import { sha256Of } from '../storage/digest.ts';
import { type ListedFacts, listFolder } from './list-file-facts.ts';
import { unlessTemporary } from './service-error.ts';
import type { MediaService } from './types.ts';

/**
 * Returns what finds a file in a folder of the service with the same bytes, processed or not. Downloads
 * only files of the same listed size, so it finds nothing if the service lists no sizes. Lists the folder
 * once, and throws `library-unknown` without it. `hash` is the SHA-256 in hexadecimal.
 */
export function sameFileFinder(service: Pick<MediaService, 'folders' | 'files'>, folder: number) {
  let listed: ListedFacts[] | undefined;
  return async (content: { readonly hash: string; readonly size: number }) => {
    listed ??= await Array.fromAsync(listFolder(service, folder));
    for (const file of listed) {
      if (file.size === content.size && (await hasBytes(service, file.id, content.hash)))
        return file;
    }
    return undefined;
  };
}

/** Whether an asset's original has these bytes. One that is gone or refused can't be compared. */
export async function hasBytes(
  { files }: Pick<MediaService, 'files'>,
  id: number,
  hash: string,
): Promise<boolean> {
  const download = await files.original(id, { html: true }).catch(unlessTemporary);
  if (download?.status !== 'received') return false;
  return (await sha256Of(download.body).catch(unlessTemporary)) === hash;
}
