import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mediaAssetError } from '../errors.ts';
import { errorCode } from '../storage/error-code.ts';

/** What is uploaded: the path of a file (or its `file:` URL), its bytes, or a stream of known size. */
export type UploadFile =
  | string
  | URL
  | Uint8Array
  | {
      /** Read once: an upload from a stream is not tried again once its first bytes have gone out. */
      readonly stream: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;
      /** In bytes. */
      readonly size: number;
    };

/** A file that can be read for an upload. */
export interface UploadSource {
  /** As messages name it. */
  readonly name: string;
  /** The file name of a path. */
  readonly filename: string | undefined;
  /** In bytes. */
  readonly size: number;
  /** Whether it can be read from its start (again). */
  readonly repeatable: boolean;
  /** Its bytes, exactly `size` of them. Fails with `upload-source-unusable` or `…-unusable`. */
  read(): AsyncGenerator<Uint8Array>;
}

/** In bytes: what is read, and counted as progress, at once. */
const partSize = 64 * 1024;

/**
 * Opens what is to be uploaded; a file is read only when its bytes are taken.
 *
 * @param filename the name that the service gets, for messages on bytes and streams
 * @throws `upload-source-unusable`
 */
export async function openUploadSource(
  file: UploadFile,
  filename: string | undefined,
): Promise<UploadSource> {
  const name = filename ?? 'the upload';
  if (typeof file === 'string') return fileSource(file);
  if (file instanceof URL) return fileSource(pathOf(file));
  if (file instanceof Uint8Array) {
    const size = file.byteLength;
    return { name, filename: undefined, size, repeatable: true, read: () => partsOf(file) };
  }
  const { stream, size } = file;
  let begun = false;
  return {
    name,
    filename: undefined,
    size,
    get repeatable() {
      return !begun;
    },
    async *read() {
      begun = true;
      let rest = size;
      for await (const part of stream) {
        if (!(part instanceof Uint8Array)) {
          throw mediaAssetError('upload-source-unusable', {
            file: name,
            problem: 'its stream gives something else than bytes (Uint8Array)',
          });
        }
        rest -= part.byteLength;
        if (rest < 0) throw changed(name, `it has more than the ${size} bytes that were announced`);
        yield* partsOf(part);
      }
      if (rest > 0) throw changed(name, `it ended ${rest} bytes before the announced ${size}`);
    },
  };
}

function pathOf(url: URL): string {
  try {
    return fileURLToPath(url);
  } catch (cause) {
    const problem = 'its address is not one of a file on this machine';
    throw mediaAssetError(
      'upload-source-unusable',
      { file: `${url.protocol}…`, problem },
      { cause },
    );
  }
}

async function fileSource(path: string): Promise<UploadSource> {
  const found = await onDisk(path, () => stat(path));
  if (!found.isFile()) {
    const problem = found.isDirectory() ? 'it is a folder' : 'it is no regular file';
    throw mediaAssetError('upload-source-unusable', { file: path, problem });
  }
  // Before the service makes a record for a file that nobody may read.
  await (await onDisk(path, () => open(path))).close();
  const { size } = found;
  return {
    name: path,
    filename: basename(path),
    size,
    repeatable: true,
    async *read() {
      const handle = await onDisk(path, () => open(path));
      try {
        yield* readFile(handle, { path, found });
      } finally {
        await handle.close();
      }
    },
  };
}

/** Gives the last part only where the file is still what it was: the service then has not got it. */
async function* readFile(
  handle: FileHandle,
  { path, found }: { path: string; found: { size: number; mtimeMs: number } },
): AsyncGenerator<Uint8Array> {
  const { size, mtimeMs } = found;
  let position = 0;
  do {
    const part = Buffer.alloc(Math.min(partSize, size - position));
    const { bytesRead } = await onDisk(path, () => handle.read(part, 0, part.length, position));
    position += bytesRead;
    if (position === size || bytesRead === 0) {
      const now = await onDisk(path, () => handle.stat());
      if (now.size !== size) throw changed(path, `it had ${size} bytes, and now has ${now.size}`);
      if (now.mtimeMs !== mtimeMs) throw changed(path, 'it was written to');
    }
    if (bytesRead > 0) yield part.subarray(0, bytesRead);
  } while (position < size);
}

async function* partsOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += partSize) {
    yield bytes.subarray(start, start + partSize);
  }
}

function changed(file: string, problem: string) {
  return mediaAssetError('upload-source-unusable', { file, problem: `it has changed: ${problem}` });
}

async function onDisk<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    const problem = problems[errorCode(cause) ?? ''] ?? 'it could not be read';
    throw mediaAssetError('upload-source-unusable', { file: path, problem }, { cause });
  }
}

const problems: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'it may not be read',
  EPERM: 'it may not be read',
  EISDIR: 'it is a folder',
};
