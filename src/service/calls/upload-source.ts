import { createReadStream, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
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

/** Opens the file to upload. Its content is read later. */
export async function openUploadSource(file: UploadFile): Promise<UploadSource> {
  if (!(file instanceof Uint8Array)) return fileSource(file);
  return {
    name: 'the upload',
    filename: undefined,
    size: file.byteLength,
    async *read() {
      for (let start = 0; start < file.byteLength; start += partSize) {
        yield file.subarray(start, start + partSize);
      }
    },
  };
}

async function fileSource(path: string): Promise<UploadSource> {
  const found = await stat(path).catch(failFor(path));
  if (!found.isFile()) {
    const problem = found.isDirectory() ? "it's a folder" : "it isn't a regular file";
    throw mediaAssetError('upload-source-unusable', { file: path, problem });
  }
  // Fail for an unreadable file before the service creates a record.
  await (await open(path).catch(failFor(path))).close();
  return {
    name: path,
    filename: basename(path),
    size: found.size,
    async *read() {
      let sent = 0;
      try {
        for await (const part of createReadStream(path, { highWaterMark: partSize })) {
          sent += part.length;
          const isLast = sent >= found.size;
          // Before the last part, so that the service never gets a mix.
          if (isLast) await assertUnchanged(path, found);
          yield part;
          if (isLast) return;
        }
        await assertUnchanged(path, found);
      } catch (cause) {
        failFor(path)(cause);
      }
    },
  };
}

async function assertUnchanged(path: string, { size, mtimeMs }: Stats): Promise<void> {
  const now = await stat(path).catch(failFor(path));
  if (now.size === size && now.mtimeMs === mtimeMs) return;
  const change =
    now.size === size ? 'it was overwritten' : `it had ${size} bytes and now has ${now.size}`;
  const problem = `it changed during the upload: ${change}`;
  throw mediaAssetError('upload-source-unusable', { file: path, problem });
}

function failFor(file: string) {
  return (cause: unknown): never => {
    if (isMediaAssetError(cause)) throw cause;
    const problem = problems[errorCode(cause) ?? ''] ?? "it couldn't be read";
    throw mediaAssetError('upload-source-unusable', { file, problem }, { cause });
  };
}

const problems: Readonly<Record<string, string>> = {
  ENOENT: "it doesn't exist",
  EACCES: 'permission denied',
};

/** The body of an upload, read no faster than the network takes it. */
export function uploadBody(
  source: UploadSource,
  onProgress: ((progress: UploadProgress) => void) | undefined,
): StreamedBody {
  return (onRead) => {
    async function* parts() {
      let sent = 0;
      for await (const part of source.read()) {
        onRead();
        sent += part.byteLength;
        onProgress?.({ sent, size: source.size });
        yield part;
      }
      onRead();
    }
    return ReadableStream.from(parts());
  };
}
