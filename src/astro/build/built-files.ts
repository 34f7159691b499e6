import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { mediaAssetError } from '../../errors/errors.ts';
import { moveFile, removeFile } from '../../storage/retry-locked-file.ts';

/** Writes a file of the built site, and its folder if needed. An incomplete file never appears. */
export async function writeBuiltFile(
  path: string,
  content: Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, `.${randomUUID()}.part`);
  try {
    mkdirSync(folder, { recursive: true });
    // Writing synchronously is faster than a turn in the thread pool.
    if (content instanceof Uint8Array) writeFileSync(temporary, content, { flag: 'wx' });
    else await writeFile(temporary, content, { flag: 'wx' });
    await moveFile(temporary, path);
  } catch (cause) {
    // The first error matters more than a leftover file.
    await removeFile(temporary).catch(() => {});
    if (!isOfOutput(cause, folder)) throw cause;
    const problem = `the file system reports ${cause.code}`;
    throw mediaAssetError('file-unwritable', { path, problem }, { cause });
  }
}

/** Whether writing failed. The content can come from files, and reading them can fail too. */
function isOfOutput(thrown: unknown, folder: string): thrown is NodeJS.ErrnoException {
  if (!(thrown instanceof Error && 'syscall' in thrown)) return false;
  if ('path' in thrown) return String(thrown.path).startsWith(folder);
  return thrown.syscall !== 'read';
}
