import { z } from 'zod';
import { mediaAssetError } from '../../errors/errors.ts';
import { checkArgument } from '../../service/calls/check-argument.ts';
import { folderArgument } from '../../service/requests.ts';
import { orMissing } from '../../service/service-error.ts';
import type { FileRecord, MediaService } from '../../service/types.ts';

const folderFiles = z.strictObject({
  /** The folder's ID in the service. */
  folder: folderArgument,
  /** Whether to include the files in its subfolders. @default false */
  recursive: z.boolean('expected true or false').default(false),
  /** The media type in the service's words. @default 'any' */
  type: z.string('expected a string').optional(),
  /** Whether to list only files that the service has processed. @default true */
  processed: z.boolean('expected true or false').optional(),
  /** Fields of a file to request. `id` is always included. @default ['id', 'name', 'filename'] */
  fields: z.array(z.string()).readonly().optional(),
  /** The most records per folder. With more, loading throws `list-unfinished`. @default 100000 */
  maxRecords: z.int().min(1).optional(),
});

/** A folder whose files become a collection. */
export type FolderFiles = Readonly<z.input<typeof folderFiles>>;

export type FileData = Record<string, unknown> & { readonly id: number };

/** Lists all files of a collection, each once. */
export async function listCollectionFiles(
  service: Pick<MediaService, 'folders'>,
  wanted: FolderFiles,
): Promise<FileData[]> {
  const files = new Map<number, FileData>();
  const take = async (records: AsyncIterable<FileRecord>, folderId: number) => {
    for await (const record of records) {
      if (!files.has(record.id)) files.set(record.id, toData(record, folderId));
    }
  };
  const check = { place: 'mediaFolderLoader()', name: 'options', schema: folderFiles };
  const { folder, recursive, ...request } = checkArgument(check, wanted);
  const folders = recursive ? await withFoldersIn(service, folder) : [folder];
  for (const id of folders) {
    await take(service.folders.files(id, request), id).catch(orMissing({ what: 'folder', id }));
  }
  return [...files.values()];
}

/** A folder and its subfolders, each after its parent. */
async function withFoldersIn(
  { folders }: Pick<MediaService, 'folders'>,
  folder: number,
): Promise<number[]> {
  const tree = await folders.tree();
  if (!tree.some(({ id }) => id === folder)) {
    throw mediaAssetError('library-unknown', { what: 'folder', id: folder });
  }
  const inside = new Set([folder]);
  for (const { id, parentId } of tree) {
    if (parentId !== undefined && inside.has(parentId)) inside.add(id);
  }
  return [...inside];
}

/** The schema's fields come before fields of the same name in the service's record. */
function toData({ id, name, filename, fields }: FileRecord, folderId: number): FileData {
  const data = Object.entries({ ...fields, id, folderId, name, filename });
  return { ...Object.fromEntries(data.filter(([, value]) => value !== undefined)), id };
}
