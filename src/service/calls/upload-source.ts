import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mediaAssetError } from '../../errors/errors.ts';
import { errorCode } from '../../storage/file-problems.ts';
import type { StreamedBody } from '../http/service-context.ts';
import type { UploadFile, UploadProgress } from '../requests.ts';

export interface UploadSource {
  readonly name: string;
  /** File name from the path; `undefined` for bytes. */
  readonly filename: string | undefined;
  /** In bytes. */
  readonly size: number;
  /** Yields exactly `size` bytes. Throws `upload-source-unusable`. */
  read(): AsyncGenerator<Uint8Array>;
}

/** Bytes per read, and per progress event. */
const partSize = 64 * 1024;

/** Opens the file to upload. Its content is read later. `filename` names bytes in messages. */
export async function openUploadSource(
  file: UploadFile,
  filename = 'the upload',
): Promise<UploadSource> {
  if (!(file instanceof Uint8Array)) return fileSource(file instanceof URL ? pathOf(file) : file);
  return {
    name: filename,
    filename: undefined,
    size: file.byteLength,
    async *read() {
      for (let start = 0; start < file.byteLength; start += partSize) {
        yield file.subarray(start, start + partSize);
      }
    },
  };
}

function pathOf(url: URL): string {
  try {
    return fileURLToPath(url);
  } catch (cause) {
    const problem = "its URL doesn't name a file on this machine";
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
    const problem = found.isDirectory() ? "it's a folder" : "it isn't a regular file";
    throw mediaAssetError('upload-source-unusable', { file: path, problem });
  }
  // Fail for an unreadable file before the service creates a record.
  await (await onDisk(path, () => open(path))).close();
  return {
    name: path,
    filename: basename(path),
    size: found.size,
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

/** Holds back the last part if the file has changed, so that the service never gets a mix. */
async function* readFile(
  handle: FileHandle,
  { path, found }: { path: string; found: { size: number; mtimeMs: number } },
): AsyncGenerator<Uint8Array> {
  const { size, mtimeMs } = found;
  const changed = (problem: string) =>
    mediaAssetError('upload-source-unusable', {
      file: path,
      problem: `it changed during the upload: ${problem}`,
    });
  let position = 0;
  do {
    const part = Buffer.alloc(Math.min(partSize, size - position));
    const { bytesRead } = await onDisk(path, () => handle.read(part, 0, part.length, position));
    position += bytesRead;
    if (position === size || bytesRead === 0) {
      const now = await onDisk(path, () => handle.stat());
      if (now.size !== size) throw changed(`it had ${size} bytes and now has ${now.size}`);
      if (now.mtimeMs !== mtimeMs) throw changed('it was overwritten');
    }
    if (bytesRead > 0) yield part.subarray(0, bytesRead);
  } while (position < size);
}

async function onDisk<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    const problem = problems[errorCode(cause) ?? ''] ?? "it couldn't be read";
    throw mediaAssetError('upload-source-unusable', { file: path, problem }, { cause });
  }
}

const problems: Readonly<Record<string, string>> = {
  ENOENT: "it doesn't exist",
  ENOTDIR: "it doesn't exist",
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: "it's a folder",
};

/**
 * The body of an upload, read no faster than the network takes it. If `onProgress` or the source
 * throws, the upload ends.
 */
export function uploadBody(
  source: UploadSource,
  onProgress: ((progress: UploadProgress) => void) | undefined,
): StreamedBody {
  let failure: unknown;
  return {
    get failure() {
      return failure;
    },
    open(onRead) {
      let parts: AsyncGenerator<Uint8Array> | undefined;
      let sent = 0;
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            try {
              parts ??= source.read();
              const { value } = await parts.next();
              onRead();
              if (value === undefined) return controller.close();
              sent += value.byteLength;
              controller.enqueue(value);
              onProgress?.({ sent, size: source.size });
            } catch (thrown) {
              failure = thrown;
              throw thrown;
            }
          },
          async cancel() {
            await parts?.return(undefined);
          },
        },
        { highWaterMark: 0 },
      );
    },
  };
}
