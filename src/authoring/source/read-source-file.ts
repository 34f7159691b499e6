import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import paths from 'node:path';
import { mediaAssetError } from '../../errors/errors.ts';

/** In bytes. Larger files aren't written by hand. */
const largestFile = 2 * 1024 * 1024;

const extensions = ['.astro', '.mdx', '.md', '.yaml', '.yml', '.json'];

export interface SourceText {
  /** From the project's folder, with `/`. */
  readonly file: string;
  /** Absolute, without symbolic links. */
  readonly path: string;
  readonly bytes: Buffer;
  /** A digest of the bytes. */
  readonly hash: string;
  /** Without a byte order mark. */
  readonly text: string;
  readonly hasMark: boolean;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const mark = '\uFEFF';

/**
 * The absolute path of a source file, without symbolic links.
 *
 * @param root the project's folder
 * @param file from there, with `/`
 * @throws `source-outside` for a file outside of the project, in `node_modules` or in a hidden folder,
 * also through a symbolic link; for other kinds of files; and if there's no such file
 */
async function sourcePath(root: string, file: string): Promise<string> {
  const outside = (cause?: unknown) => mediaAssetError('source-outside', { file }, { cause });
  const folder = await realpath(root);
  const path = await realpath(paths.resolve(root, file)).catch((error: unknown) => {
    throw outside(error);
  });
  if (!isSource(folder, path) || !extensions.includes(paths.extname(path))) throw outside();
  const { size } = await stat(path);
  if (size > largestFile) throw outside();
  return path;
}

/** @param system the rules for paths */
export function isSource(
  folder: string,
  path: string,
  system: Pick<typeof paths, 'relative' | 'isAbsolute' | 'sep'> = paths,
): boolean {
  const below = system.relative(folder, path);
  // On Windows, there's no relative path to another drive.
  if (below === '' || system.isAbsolute(below)) return false;
  return below
    .split(system.sep)
    .every((name) => name.toLowerCase() !== 'node_modules' && !name.startsWith('.'));
}

/** @throws as `sourcePath`; `source-unreadable` if the bytes aren't UTF-8 */
export async function readSourceFile(root: string, file: string): Promise<SourceText> {
  const path = await sourcePath(root, file);
  const bytes = await readFile(path);
  const hash = hashOf(bytes);
  try {
    const decoded = decoder.decode(bytes);
    const hasMark = decoded.startsWith(mark);
    return { file, path, bytes, hash, text: hasMark ? decoded.slice(1) : decoded, hasMark };
  } catch (cause) {
    throw mediaAssetError('source-unreadable', { file, reason: "it isn't UTF-8" }, { cause });
  }
}

export function encodeSource(text: string, { hasMark }: Pick<SourceText, 'hasMark'>): Buffer {
  return Buffer.from(hasMark ? mark + text : text);
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
