import { extname } from 'node:path';
import { countIn, integerIn, readField, textIn } from './http/known-answers.ts';
import { interfaceFields } from './requests.ts';
import { orMissing, ServiceError } from './service-error.ts';
import type { FileRecord, MediaService } from './types.ts';

export type ListedFacts = Readonly<ReturnType<typeof fileFacts>>;

/**
 * Lists files with their kind, size, pixels and folder, as far as they're known. Falls back to the
 * interface's fields if the service refuses unknown ones.
 *
 * @param ask lists files with these fields
 * @param folder the files' folder, if they are those of one
 * @param memory what earlier lists have shown
 */
export async function* listFileFacts(
  ask: (fields: readonly string[]) => AsyncIterable<FileRecord>,
  folder?: number,
  memory: { isPlain?: boolean } = {},
): AsyncGenerator<ListedFacts, void, undefined> {
  let any = false;
  try {
    if (!memory.isPlain)
      for await (const record of ask(factFields)) {
        any = true;
        yield fileFacts(record, folder);
      }
  } catch (thrown) {
    const isRefused =
      thrown instanceof ServiceError && (thrown.status === 400 || thrown.status === 422);
    if (any || !isRefused) throw thrown;
    memory.isPlain = true;
  }
  if (memory.isPlain)
    for await (const record of ask(interfaceFields)) yield fileFacts(record, folder);
}

/** Lists the files of a folder, processed or not. Throws `library-unknown` if there's no such folder. */
export async function* listFolder(
  { folders }: Pick<MediaService, 'folders'>,
  id: number,
): AsyncGenerator<ListedFacts, void, undefined> {
  try {
    yield* listFileFacts((fields) => folders.files(id, { fields, processed: false }), id);
  } catch (thrown) {
    orMissing({ what: 'folder', id })(thrown);
  }
}

const factFields = [...interfaceFields, 'type', 'size', 'width', 'height', 'folder'] as const;

/** Reads a record's further fields, which the interface doesn't define. */
function fileFacts({ id, name, filename, fields }: FileRecord, listed?: number) {
  const ending = extname(filename ?? name ?? '').slice(1);
  return {
    ...{ id, name, filename },
    /** As the service names it, such as `image/jpeg`. Otherwise the file extension. */
    kind: readField(fields, 'kind', textIn) ?? (ending.toLowerCase() || undefined),
    /** In bytes. */
    size: readField(fields, 'size', countIn),
    /** Width and height in pixels. */
    width: readField(fields, 'width', countIn),
    height: readField(fields, 'height', countIn),
    /** The ID, or the name or path if the service lists that. */
    folder:
      readField(fields, 'folderId', integerIn) ?? readField(fields, 'folderName', textIn) ?? listed,
  };
}
