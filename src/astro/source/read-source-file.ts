import { open, realpath, stat } from 'node:fs/promises';
import { extname, relative, resolve, sep } from 'node:path';
import { mediaAssetError } from '../../errors/errors.ts';

/** In bytes. Larger files aren't written by hand. */
const largestFile = 2 * 1024 * 1024;

const extensions = ['.astro', '.mdx', '.md', '.yaml', '.yml', '.json'];

export interface SourceFile {
  /** From the project's folder, with `/`. */
  readonly file: string;
  /** Absolute, without symbolic links. */
  readonly path: string;
  readonly text: string;
}

/**
 * Reads a source file of the project.
 *
 * @param root the project's folder
 * @param file from there, with `/`
 * @throws `source-outside` for a file outside of the project, in `node_modules` or in a hidden folder,
 * also through a symbolic link; for other kinds of files; and if there's no such file
 */
export async function readSourceFile(root: string, file: string): Promise<SourceFile> {
  const outside = (cause?: unknown) => mediaAssetError('source-outside', { file }, { cause });
  const folder = await realpath(root);
  const path = await realpath(resolve(root, file)).catch((error: unknown) => {
    throw outside(error);
  });
  const names = relative(folder, path).split(sep);
  const isInside = names.every((name) => name !== 'node_modules' && !name.startsWith('.'));
  if (!isInside || resolve(folder, ...names) !== path || !extensions.includes(extname(path))) {
    throw outside();
  }
  const { size } = await stat(path);
  if (size > largestFile) throw outside();
  const handle = await open(path);
  try {
    return { file, path, text: await handle.readFile('utf8') };
  } finally {
    await handle.close();
  }
}
