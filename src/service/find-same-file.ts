import { sha256Of } from '../storage/digest.ts';
import { type ListedFacts, listFolder } from './list-file-facts.ts';
import { isMissing, unlessTemporary } from './service-error.ts';
import type { MediaService } from './types.ts';

/**
 * Returns what compares bytes with the files in a folder of the service, processed or not. Lists the
 * folder once, and throws `library-unknown` without it. `hash` is the SHA-256 in hexadecimal.
 */
export function sameFileFinder(service: Pick<MediaService, 'folders' | 'files'>, folder: number) {
  let listed: Promise<ListedFacts[]> | undefined;
  const list = () => (listed ??= Array.fromAsync(listFolder(service, folder)));

  /** Whether an original has these bytes. Without `html`, a page instead of it is a refusal. */
  async function hasBytes(id: number, hash: string, html: boolean): Promise<boolean> {
    const download = await service.files.original(id, { html });
    return download.status === 'received' && (await sha256Of(download.body)) === hash;
  }

  return {
    /** Downloads only files of the same listed size, so it finds nothing if the service lists no sizes. */
    async find({ hash, size }: { hash: string; size: number }): Promise<ListedFacts | undefined> {
      for (const file of await list())
        if (file.size === size && (await hasBytes(file.id, hash, true).catch(unlessTemporary)))
          return file;
      return undefined;
    },
    /**
     * Whether the service still has an image that was uploaded as an asset. A refused download doesn't
     * prove that it's lost, and neither does a missing one while the folder's list has the asset.
     */
    async stillHas(id: number, hash: string): Promise<boolean> {
      try {
        return await hasBytes(id, hash, false);
      } catch (thrown) {
        unlessTemporary(thrown);
        return !isMissing(thrown) || (await list()).some((file) => file.id === id);
      }
    },
  };
}
