import { mkdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { mediaAssetError } from '../../errors/errors.ts';
import { moveFile, removeFile } from '../../storage/retry-locked-file.ts';

/**
 * Writes a file of the built site, which appears whole or not at all. Makes the folder.
 *
 * @throws `file-unwritable`, and what giving the content throws
 */
export async function writeOutput(
  path: string,
  content: Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> {
  const folder = dirname(path);
  const temporary = `${path}.${process.pid}.part`;
  try {
    mkdirSync(folder, { recursive: true });
    // What is in memory is on disk sooner than the thread pool is reached.
    if (content instanceof Uint8Array) writeFileSync(temporary, content);
    else await writeFile(temporary, content);
    await moveFile(temporary, path);
  } catch (cause) {
    // What it was that failed matters more than a file that stays.
    await removeFile(temporary).catch(() => {});
    if (!isOfOutput(cause, folder)) throw cause;
    const problem = `the file system answers ${cause.code}`;
    throw mediaAssetError('file-unwritable', { path, problem }, { cause });
  }
}

/** Whether the output was what failed: the content is read from files too. */
function isOfOutput(thrown: unknown, folder: string): thrown is NodeJS.ErrnoException {
  if (!(thrown instanceof Error && 'syscall' in thrown)) return false;
  if ('path' in thrown) return String(thrown.path).startsWith(folder);
  return thrown.syscall !== 'read';
}
