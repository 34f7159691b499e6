import type { Folder } from '../library/folder-records.ts';
import type { EmulatorSettings } from '../settings.ts';
import { type Fields, selectFields } from './parse-fields.ts';

/** What the media folder itself is called. */
const rootName = 'Library';

/**
 * The folder tree in the form that a setting names. What makes it a tree (`depth`, `parent` or
 * `children`) is there whichever fields are wanted.
 *
 * @param folders Each after the one around it.
 */
export function folderTree({
  folders,
  fields,
  form,
}: {
  folders: readonly Folder[];
  fields: Fields;
  form: EmulatorSettings['folderTree'];
}): Record<string, unknown>[] {
  const ids = new Map(folders.map(({ id, path }) => [path, id]));
  const parentOf = ({ path }: Folder): number | null => ids.get(parentPath(path) ?? '/') ?? null;
  const record = (folder: Folder): Record<string, unknown> =>
    selectFields({ id: folder.id, name: folderName(folder), path: folder.path }, fields);

  switch (form) {
    case 'flat-depth':
      return folders.map((folder) => ({ ...record(folder), depth: depthOf(folder) }));
    case 'flat-parent':
      return [...folders]
        .sort((one, other) => one.id - other.id)
        .map((folder) => ({ ...record(folder), parent: parentOf(folder) }));
    case 'flat-both':
      return folders.map((folder) => ({
        ...record(folder),
        depth: depthOf(folder),
        parent: parentOf(folder),
      }));
    case 'nested': {
      const inside = Map.groupBy(folders, parentOf);
      const nest = (folder: Folder): Record<string, unknown> => ({
        ...record(folder),
        children: (inside.get(folder.id) ?? []).map(nest),
      });
      return (inside.get(null) ?? []).map(nest);
    }
  }
}

/** The last part of a folder's path. */
function folderName({ path }: Pick<Folder, 'path'>): string {
  return path === '' ? rootName : (path.split('/').at(-1) as string);
}

function depthOf({ path }: Folder): number {
  return path === '' ? 0 : path.split('/').length;
}

/** The path of the folder around one; undefined for the media folder itself. */
function parentPath(path: string): string | undefined {
  if (path === '') return undefined;
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}
