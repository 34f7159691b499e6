import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';

/** The largest page, stylesheet or other text, in bytes. */
const maxFileBytes = 64 * 1024 ** 2;

/** The first bytes of a binary file contain NUL. */
const startBytes = 64 * 1024;

/** There's no file: it's missing, a link leads nowhere, or it's a socket. */
const nothingThere = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO']);

/**
 * Reads a file synchronously, into `scratch` if it fits, so the next call overwrites it.
 * `undefined` without a file. `mayBeBinary`: only the start of a large binary file is read.
 */
export function readSiteFile(
  file: string,
  { scratch, mayBeBinary }: { scratch?: Buffer; mayBeBinary?: boolean } = {},
): Buffer | undefined {
  return attempt(file, () => {
    const opened = open(file);
    if (!opened) return undefined;
    const { descriptor } = opened;
    try {
      const isTooLarge = opened.size > maxFileBytes;
      const size = isTooLarge ? startBytes : opened.size;
      const into = scratch && size <= scratch.length ? scratch : Buffer.allocUnsafe(size);
      let length = 0;
      for (let read = -1; read !== 0 && length < size; length += read) {
        read = readSync(descriptor, into, length, size - length, null);
      }
      const bytes = into.subarray(0, length);
      if (!isTooLarge || (mayBeBinary && bytes.includes(0))) return bytes;
      const problem = `it's larger than ${maxFileBytes} bytes`;
      throw mediaAssetError('scan-unreadable', { file, problem });
    } finally {
      closeSync(descriptor);
    }
  });
}

function open(file: string): { descriptor: number; size: number } | undefined {
  try {
    // Don't wait: a pipe may never have anything to read.
    const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const found = fstatSync(descriptor);
    if (found.isFile()) return { descriptor, size: found.size };
    closeSync(descriptor);
    return undefined;
  } catch (error) {
    if (nothingThere.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

export function attempt<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (isMediaAssetError(cause)) throw cause;
    throw mediaAssetError('scan-unreadable', { file }, { cause });
  }
}
