import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync } from 'node:fs';
import { access, constants, open, stat } from 'node:fs/promises';
import { mediaAssetError } from '../../errors/errors.ts';
import { errorCode } from '../../storage/file-problems.ts';
import { removeFile, retryLockedFile } from '../../storage/retry-locked-file.ts';
import type { SourceText } from './read-source-file.ts';

/**
 * Replaces a source file with other bytes, if it still has those that were read. Its owner and mode
 * stay. The bytes are compared right before the rename, with nothing between the two calls: a change in
 * these microseconds is the only one that could get lost.
 *
 * @throws `source-changed`, `source-read-only`. The file is as it was then
 */
export async function writeSourceFile(
  { file, path, bytes: before }: Pick<SourceText, 'file' | 'path' | 'bytes'>,
  bytes: Uint8Array,
  { line }: { line: number },
): Promise<void> {
  const readOnly = (problem: string, cause?: unknown) =>
    mediaAssetError('source-read-only', { file, problem }, { cause });
  // Random, so that two processes never write the same one.
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const { mode, uid, gid } = await stat(path);
    await access(path, constants.W_OK);
    // Root may write to such a file too, and so may whoever may write to its folder.
    if ((mode & 0o222) === 0) throw readOnly("it's read-only");
    const copy = await open(temporary, 'wx', mode & 0o777);
    try {
      await copy.writeFile(bytes);
      await copy.chmod(mode & 0o7777);
      const own = await copy.stat();
      if (own.uid !== uid || own.gid !== gid) await copy.chown(uid, gid);
      await copy.sync();
    } finally {
      await copy.close();
    }
    await retryLockedFile(async () => {
      if (!readFileSync(path).equals(before))
        throw mediaAssetError('source-changed', { file, line });
      renameSync(temporary, path);
    });
  } catch (thrown) {
    await removeFile(temporary).catch(() => {});
    const code = errorCode(thrown);
    if (thrown instanceof Error && 'syscall' in thrown) {
      throw readOnly(`the file system reports ${code}`, thrown);
    }
    throw thrown;
  }
}
