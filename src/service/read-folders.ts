import { type Fields, findList, idIn, isFields, plainName, textIn } from './find-list.ts';
import type { Folder } from './media-service.ts';
import type { Reader } from './receive-answer.ts';

/** A record with the children that stand in it. */
interface Entry {
  readonly id: number;
  readonly fields: Fields;
  /** Of the record that it stands in, in a nested list. */
  readonly inside: number | undefined;
}

type ParentOf = (entry: Entry) => number | undefined;

/** Names of the children in a record, in the form of `plainName`. */
const childrenNames = new Set([
  'children',
  'childs',
  'childfolders',
  'subfolders',
  'folders',
  'nodes',
]);
/** Names of an object around the tree that can be its root by itself. */
const rootNames = new Set(['root', 'tree', 'foldertree', 'folder', 'data', 'result', 'response']);
const depthNames = new Set(['depth', 'level', 'folderdepth']);

/** Reads the folder tree in any of its forms: bare, wrapped in an object, or the root by itself. */
export const readFolders: Reader<Folder[]> = (content, status) => {
  if (content === undefined && status !== 204) return { problem: 'folders were expected' };
  const json = content?.json ?? null;
  const root = rootIn(json);
  const found = root
    ? { list: [root] }
    : findList(json, {
        what: 'folders',
        names: ['folders', 'foldertree', 'tree', 'children', 'root', 'folder'],
        fits: isFolder,
      });
  return 'problem' in found ? found : normaliseFolders(found.list);
};

/**
 * Folders in the order of the tree, each after its parent, from records in any form: nested
 * children; a flat list with a parent's id, in any order; a flat list with a depth, whose order
 * gives the parents. A folder whose parent is not in the list is a root.
 */
export function normaliseFolders(
  records: readonly unknown[],
): { readonly value: Folder[] } | { readonly problem: string } {
  const entries: Entry[] = [];
  const problem = collect(records, entries);
  if (problem !== undefined) return { problem };
  const ids = new Set(entries.map(({ id }) => id));
  if (ids.size < entries.length) return { problem: 'a folder is listed twice in it' };

  const children = new Map<number | undefined, Entry[]>();
  const parentOf = chooseParents(entries, ids);
  for (const entry of entries) {
    const parent = parentOf(entry);
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [entry]);
    else siblings.push(entry);
  }

  const folders: Folder[] = [];
  const pending = (children.get(undefined) ?? [])
    .map((entry) => ({ entry, depth: 0, parentId: undefined as number | undefined }))
    .reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { entry, depth, parentId } = next;
    const { id, fields } = entry;
    const below = children.get(id) ?? [];
    folders.push({
      id,
      name: textIn(fields.name),
      depth,
      parentId,
      children: below.map((child) => child.id),
      fields,
    });
    for (const child of below.toReversed()) {
      pending.push({ entry: child, depth: depth + 1, parentId: id });
    }
  }
  return folders.length < entries.length
    ? { problem: 'a folder is among its own parents in it' }
    : { value: folders };
}

/** Adds records, and those that stand in them, without their children. Gives a problem. */
function collect(records: readonly unknown[], entries: Entry[]): string | undefined {
  const pending = records.map((record) => ({ record, inside: undefined as number | undefined }));
  pending.reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { record, inside } = next;
    const id = isFields(record) ? idIn(record.id) : undefined;
    if (!isFields(record) || id === undefined) return 'a folder in it has no id';
    const nested = Object.entries(record).filter(isNested);
    const filled = nested.filter(([, children]) => children.length > 0);
    if (filled.length > 1) return 'a folder in it has several lists of children';
    const names = new Set(nested.map(([name]) => name));
    const fields = Object.fromEntries(Object.entries(record).filter(([name]) => !names.has(name)));
    entries.push({ id, fields, inside });
    for (const child of filled[0]?.[1].toReversed() ?? []) {
      pending.push({ record: child, inside: id });
    }
  }
  return undefined;
}

function isNested(field: [string, unknown]): field is [string, Fields[]] {
  const [name, value] = field;
  return childrenNames.has(plainName(name)) && Array.isArray(value) && value.every(isFields);
}

/** The form that the records have: the first of the three that says anything. */
function chooseParents(entries: readonly Entry[], ids: ReadonlySet<number>): ParentOf {
  if (entries.some(({ inside }) => inside !== undefined)) return ({ inside }) => inside;
  const parents = parentNames(entries)
    .map((name) => new Map(entries.map((entry) => [entry, parentIn(entry, name, ids)])))
    .find((each) => [...each.values()].some((parent) => parent !== undefined));
  if (parents !== undefined) return (entry) => parents.get(entry);
  return parentsByDepth(entries);
}

/** The fields that can hold a parent's id, the likeliest first. */
function parentNames(entries: readonly Entry[]): string[] {
  const names = new Set(entries.flatMap(({ fields }) => Object.keys(fields)));
  const likeliness = (name: string) =>
    [/^parentid$/, /^parent$/, /^parentfolder(?:id)?$/, /^parent.*id$/, /parentid$/].findIndex(
      (form) => form.test(plainName(name)),
    );
  return [...names]
    .filter((name) => likeliness(name) >= 0)
    .sort((a, b) => likeliness(a) - likeliness(b));
}

/** 0, null, nothing, itself and a folder that is not in the list make a root. */
function parentIn({ id, fields }: Entry, name: string, ids: ReadonlySet<number>) {
  const value = fields[name];
  const parent = idIn(isFields(value) ? value.id : value);
  return parent === undefined || parent === id || !ids.has(parent) ? undefined : parent;
}

/** Each folder belongs to the last one before it that is less deep. Without depths all are roots. */
function parentsByDepth(entries: readonly Entry[]): ParentOf {
  const parents = new Map<Entry, number | undefined>();
  const above: { readonly id: number; readonly depth: number }[] = [];
  for (const entry of entries) {
    const depth = depthIn(entry.fields) ?? 0;
    while ((above.at(-1)?.depth ?? -1) >= depth) above.pop();
    parents.set(entry, above.at(-1)?.id);
    above.push({ id: entry.id, depth });
  }
  return (entry) => parents.get(entry);
}

function depthIn(fields: Fields): number | undefined {
  const [, value] = Object.entries(fields).find(([name]) => depthNames.has(plainName(name))) ?? [];
  return idIn(value);
}

/** The only root as an object: bare, known by the id that no wrapper has, or in a wrapper. */
function rootIn(json: unknown): unknown {
  if (!isFields(json) || isFolder(json)) return isFields(json) ? json : undefined;
  const wrapped = Object.entries(json).filter(
    ([name, value]) => rootNames.has(plainName(name)) && isFolder(value),
  );
  return wrapped.length === 1 ? wrapped[0]?.[1] : undefined;
}

function isFolder(value: unknown): boolean {
  return isFields(value) && idIn(value.id) !== undefined;
}
