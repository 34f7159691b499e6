import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, renameSync } from 'node:fs';
import { access, constants, open, readFile, realpath, stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { mediaAssetError } from '../../errors/errors.ts';
import { errorCode } from '../../storage/file-problems.ts';
import { removeFile, retryLockedFile } from '../../storage/retry-locked-file.ts';
import { isSource } from './is-source.ts';

/** In bytes. Larger files aren't written by hand. */
const largestFile = 2 * 1024 * 1024;

const extensions = ['.astro', '.mdx', '.md', '.yaml', '.yml', '.json'];

export interface SourceText {
  /** From the project's folder, with `/`. */
  readonly file: string;
  /** Absolute, without symbolic links. */
  readonly path: string;
  readonly bytes: Buffer;
  readonly hash: string;
  /** Without a byte order mark. */
  readonly text: string;
}

const mark = '\uFEFF';

/**
 * @throws `source-outside` for a file outside of the project, in `node_modules` or in a hidden folder,
 * also through a symbolic link; for files with another extension; and if there's no such file.
 * `source-unreadable` if the bytes aren't UTF-8
 */
export async function readSourceFile(
  root: string,
  file: string,
  allowed: readonly string[] = extensions,
): Promise<SourceText> {
  const outside = (cause?: unknown) => mediaAssetError('source-outside', { file }, { cause });
  const folder = await realpath(root);
  const path = await realpath(resolve(root, file)).catch((error: unknown) => {
    throw outside(error);
  });
  if (!isSource(folder, path) || !allowed.includes(extname(path))) throw outside();
  if ((await stat(path)).size > largestFile) throw outside();
  const bytes = await readFile(path);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { file, path, bytes, hash: hashOf(bytes), text };
  } catch (cause) {
    throw mediaAssetError('source-unreadable', { file, reason: "it isn't UTF-8" }, { cause });
  }
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** @param source.bytes the text before, whose byte order mark stays */
export function encodeSource(text: string, { bytes }: Pick<SourceText, 'bytes'>): Buffer {
  return Buffer.from(bytes.indexOf(mark) === 0 ? mark + text : text);
}

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
  // Random, so that two processes never write the same one.
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const { mode, uid, gid } = await assertWritable({ file, path });
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
    throw readOnly(file, thrown);
  }
}

/** Throws `source-read-only`. */
export async function assertWritable({ file, path }: Pick<SourceText, 'file' | 'path'>) {
  try {
    const found = await stat(path);
    await access(path, constants.W_OK);
    // Root may write to such a file too, and so may whoever may write to its folder.
    if ((found.mode & 0o222) !== 0) return found;
  } catch (thrown) {
    throw readOnly(file, thrown);
  }
  throw mediaAssetError('source-read-only', { file, problem: "it's read-only" });
}

function readOnly(file: string, thrown: unknown): unknown {
  if (!(thrown instanceof Error && 'syscall' in thrown)) return thrown;
  const problem = `the file system reports ${errorCode(thrown)}`;
  return mediaAssetError('source-read-only', { file, problem }, { cause: thrown });
}
