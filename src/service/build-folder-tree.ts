import { mediaAssetError } from '../errors.ts';
import { isFields } from './find-list.ts';
import type { Folder } from './media-service.ts';
import { normaliseFolders } from './read-folders.ts';

/** A folder with its folders in it. */
export interface FolderTree extends Omit<Folder, 'children'> {
  readonly children: readonly FolderTree[];
}

/**
 * The roots of the folders in a flat list, each with its children in it, in the order of the list.
 * It takes what `folders.tree` gives, and records as services give them (section 2.4: parent-child
 * relationships and depth): with a parent's id, whatever its name, where 0, null or none is a root;
 * or with a depth, where the order gives the parents. Throws `argument-invalid` for anything else.
 */
export function buildFolderTree(
  records: readonly (Folder | Readonly<Record<string, unknown>>)[],
): FolderTree[] {
  const place = 'buildFolderTree()';
  const expected = 'a list of folders, each with an id of its own';
  const fail = (problem: string) =>
    mediaAssetError('argument-invalid', { place, name: 'records', value: problem, expected });
  if (!Array.isArray(records)) throw fail('no list');
  const reading = normaliseFolders(records.map(recordOf));
  if ('problem' in reading) throw fail(reading.problem);

  const built = new Map<number, FolderTree & { readonly children: FolderTree[] }>();
  const roots: FolderTree[] = [];
  // Each folder comes after its parent.
  for (const folder of reading.value) {
    const tree = { ...folder, children: [] };
    built.set(folder.id, tree);
    (built.get(folder.parentId ?? -1)?.children ?? roots).push(tree);
  }
  return roots;
}

/** A folder of `folders.tree` as a record that has its fields as the service gave them. */
function recordOf(record: unknown): unknown {
  if (!isFields(record) || !isFields(record.fields) || !Array.isArray(record.children)) {
    return record;
  }
  const { id, parentId } = record;
  return { ...record.fields, id, parentId };
}
