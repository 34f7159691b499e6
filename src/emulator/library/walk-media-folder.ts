import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { mediaAssetError } from '../../errors/errors.ts';

/**
 * Lists the files and folders in a folder, as relative paths with `/`, sorted by code unit. The
 * folder itself is the empty path. Skips sidecars, dot files, and symbolic links, because they could
 * lead outside.
 *
 * @param except absolute path of a folder to leave out
 */
export function walkMediaFolder(
  folder: string,
  except: string,
): { files: string[]; folders: string[] } {
  const files: string[] = [];
  const folders: string[] = [];
  const walk = (parent: string): void => {
    const absolute = join(folder, parent);
    if (absolute === except) return;
    folders.push(parent);
    for (const entry of list(absolute)) {
      if (entry.name.startsWith('.')) continue;
      const path = parent === '' ? entry.name : `${parent}/${entry.name}`;
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile()) files.push(path);
    }
  };
  walk('');
  const all = new Set(files);
  const isSidecar = (file: string) =>
    file.endsWith(sidecarExtension) && all.has(file.slice(0, -sidecarExtension.length));
  return { files: files.filter((file) => !isSidecar(file)).sort(), folders: folders.sort() };
}

/** The end of a JSON file next to a media file, with its fields: `quay.jpg.json`. */
export const sidecarExtension = '.json';

export function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP';
}

function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // A folder can be deleted while its parent is read.
    if (isMissing(error)) return [];
    const problem = "it couldn't be read";
    throw mediaAssetError('emulator-media-unusable', { folder, problem }, { cause: error });
  }
}
