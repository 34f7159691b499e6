import { relative } from 'node:path';
import fastGlob from 'fast-glob';
import { mediaAssetError } from '../../errors/errors.ts';

/**
 * Lists the files and folders (the top is `''`) as sorted paths with `/`, except those in `except`.
 * Skips sidecars, dot files, and symbolic links, because they could lead outside.
 */
export function walkMediaFolder(
  folder: string,
  except: string,
): { files: string[]; folders: string[] } {
  try {
    const own = fastGlob.escapePath(relative(folder, except).replaceAll('\\', '/'));
    const options = { cwd: folder, followSymbolicLinks: false, ignore: [own, `${own}/**`] };
    const all = new Set(fastGlob.sync('**', options));
    const isSidecar = (file: string) =>
      file.endsWith(sidecarExtension) && all.has(file.slice(0, -sidecarExtension.length));
    const files = [...all].filter((file) => !isSidecar(file)).sort();
    const folders = ['', ...fastGlob.sync('**', { ...options, onlyDirectories: true })].sort();
    return { files, folders };
  } catch (cause) {
    const { path = folder } = cause as NodeJS.ErrnoException;
    const problem = "it couldn't be read";
    throw mediaAssetError('emulator-media-unusable', { folder: path, problem }, { cause });
  }
}

/** The end of a JSON file next to a media file, with its fields: `quay.jpg.json`. */
export const sidecarExtension = '.json';
