import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { mediaAssetError } from '../../errors/errors.ts';

/** The largest page or stylesheet, in bytes. */
const maxFileBytes = 64 * 1024 ** 2;

/** Bytes of a long file that are read at once. */
const pieceBytes = 4 * 1024 ** 2;

/** Characters of a piece that the next one repeats: more than an asset URL has. */
const overlap = 16 * 1024;

/** An asset URL at the end of a piece, which can continue in the next one. */
const begunName = /(?:media-asset|media:)[^\s"'<>]*$/;

/** There's no file: it's missing, a link leads nowhere, or it's a socket. */
const nothingThere = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO']);

/**
 * Reads a file of the site synchronously. Uses `scratch` if the bytes fit, so the next call overwrites
 * them. `undefined` if there's no file.
 */
export function readSiteFile(file: string, scratch?: Buffer): Buffer | undefined {
  return withFile(file, ({ descriptor, size }) => {
    if (size > maxFileBytes) {
      const problem = `it's larger than ${maxFileBytes} bytes`;
      throw mediaAssetError('scan-unreadable', { file, problem });
    }
    const into = scratch && size <= scratch.length ? scratch : Buffer.allocUnsafe(size);
    return attempt(file, () => {
      let length = 0;
      for (let read = -1; read !== 0 && length < size; length += read) {
        read = readSync(descriptor, into, length, size - length, null);
      }
      return into.subarray(0, length);
    });
  });
}

/**
 * Calls `work` with the text of a file of any size, in pieces. Each asset URL is whole in one piece.
 * The first `seen` characters of a piece were in the piece before. Stops once `work` returns `false`.
 * Doesn't call it if there's no file.
 */
export function readPieces(
  file: string,
  work: (piece: { text: string; seen: number }) => unknown,
): void {
  withFile(file, ({ descriptor, size }) => {
    const bytes = Buffer.allocUnsafe(Math.min(size, pieceBytes));
    const decoder = new StringDecoder('utf8');
    let kept = '';
    let seen = 0;
    for (let left = size; ; ) {
      const length = attempt(file, () =>
        readSync(descriptor, bytes, 0, Math.min(bytes.length, left), null),
      );
      left -= length;
      const text = kept + decoder.write(bytes.subarray(0, length));
      if (left === 0 || length === 0) return void work({ text, seen });
      kept = text.slice(-overlap);
      const begun = kept.search(begunName);
      const whole = begun < 0 ? text : text.slice(0, text.length - kept.length + begun);
      if (work({ text: whole, seen }) === false) return;
      seen = whole.length - (text.length - kept.length);
    }
  });
}

/** `undefined` if there's no file. */
function withFile<T>(
  file: string,
  work: (opened: NonNullable<ReturnType<typeof open>>) => T,
): T | undefined {
  const opened = attempt(file, () => open(file));
  if (!opened) return undefined;
  try {
    return work(opened);
  } finally {
    closeSync(opened.descriptor);
  }
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
    throw mediaAssetError('scan-unreadable', { file }, { cause });
  }
}
