import { z } from 'zod';
import { mediaAssetError } from '../../errors/errors.ts';
import { checkArgument } from '../../service/calls/check-argument.ts';
import { orMissing } from '../../service/service-error.ts';
import type { FileRecord, MediaService } from '../../service/types.ts';

const common = {
  fields: z.array(z.string()).optional(),
  maxRecords: z.int().min(1).optional(),
};

const folderFiles = z.strictObject({
  folder: z.int('expected a folder id: an integer from 0').min(0),
  recursive: z.boolean('expected true or false').default(false),
  type: z.string('expected a text').optional(),
  processed: z.boolean('expected true or false').optional(),
  ...common,
});

const searchFiles = z.strictObject({ query: z.string('expected a text'), ...common });

/** The files that become a collection. */
export interface FolderFiles {
  /** The folder's id in the service. */
  readonly folder: number;
  /** Also the files of the folders in it. @default false */
  readonly recursive?: boolean | undefined;
  /** Media type, as the service names it. @default 'any' */
  readonly type?: string | undefined;
  /** Only files that the service has processed. @default true */
  readonly processed?: boolean | undefined;
  /** Fields of a file to ask for; `id` in any case. @default ['id', 'name', 'filename'] */
  readonly fields?: readonly string[] | undefined;
  /** Above it loading ends with `list-unfinished`, for each folder. @default 100000 */
  readonly maxRecords?: number | undefined;
}

/** A search whose files become a collection. */
export interface SearchFiles extends Pick<FolderFiles, 'fields' | 'maxRecords'> {
  /** What is searched for, as on the service's own page. */
  readonly query: string;
}

export type CollectionSource =
  | ({ readonly kind: 'folder' } & FolderFiles)
  | ({ readonly kind: 'search' } & SearchFiles);

/** What a collection knows of a file. */
export type FileData = Record<string, unknown> & { readonly id: number };

/**
 * Lists what is wanted as a whole, each file once.
 *
 * @throws `argument-invalid`, `library-unknown`, and what the service's lists throw
 */
export async function listCollectionFiles(
  service: Pick<MediaService, 'folders' | 'search'>,
  wanted: CollectionSource,
): Promise<FileData[]> {
  const files = new Map<number, FileData>();
  const take = async (records: AsyncIterable<FileRecord>, folderId?: number) => {
    for await (const record of records) {
      if (!files.has(record.id)) files.set(record.id, toData(record, folderId));
    }
  };
  if (wanted.kind === 'search') {
    const { kind, ...given } = wanted;
    const check = { place: 'mediaSearchLoader()', name: 'options', schema: searchFiles };
    const { query, ...request } = checkArgument(check, given);
    await take(service.search(query, request));
  } else {
    const { kind, ...given } = wanted;
    const check = { place: 'mediaFolderLoader()', name: 'options', schema: folderFiles };
    const { folder, recursive, ...request } = checkArgument(check, given);
    const folders = recursive ? await withFoldersIn(service, folder) : [folder];
    for (const id of folders) {
      await take(service.folders.files(id, request), id).catch((thrown) => {
        throw orMissing(thrown, { what: 'folder', id });
      });
    }
  }
  return [...files.values()];
}

/** A folder and all below it, each after its parent. */
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

/** Only what the schema allows under a name of its own, whatever the service answers. */
function toData({ id, name, filename, fields }: FileRecord, folderId?: number): FileData {
  const { id: _id, name: _name, filename: _filename, folderId: _folder, ...others } = fields;
  return {
    ...others,
    id,
    ...(folderId !== undefined && { folderId }),
    ...(name !== undefined && { name }),
    ...(filename !== undefined && { filename }),
  };
}
