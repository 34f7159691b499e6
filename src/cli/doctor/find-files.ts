import type { FilesRequest } from '../../service/requests.ts';
import type { FileRecord, Folder, MediaService } from '../../service/types.ts';

/** Judged by the file name, because records of most services say nothing about the kind. */
export function isImage({ filename, name }: FileRecord): boolean {
  return /\.(jpe?g|png|webp|avif|tiff?)$/i.test(filename ?? name ?? '');
}

/** The first files of the first folder that has any. */
export async function findFiles(
  service: Pick<MediaService, 'folders'>,
  wanted: {
    /** The folder tree, if it's known. */
    folders?: readonly Folder[];
    most: number;
    maxFolders?: number;
    request?: FilesRequest;
    isWanted?: (file: FileRecord) => boolean;
  },
): Promise<FileRecord[]> {
  const { folders = await service.folders.tree(), most, maxFolders = 50, request } = wanted;
  const found: FileRecord[] = [];
  for (const { id } of folders.slice(0, maxFolders)) {
    for await (const file of service.folders.files(id, request)) {
      if (wanted.isWanted?.(file) ?? true) found.push(file);
      if (found.length === most) break;
    }
    if (found.length > 0) break;
  }
  return found;
}
