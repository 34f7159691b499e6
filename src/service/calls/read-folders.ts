import * as answers from '../http/known-answers.ts';
import type { Reader } from '../http/receive-answer.ts';
import { type Call, getJson } from '../http/service-context.ts';
import { type SignalRequest, signalRequest } from '../requests.ts';
import type { Folder } from '../types.ts';
import { checkRequest } from './check-argument.ts';

interface Entry {
  readonly id: number;
  readonly fields: answers.Fields;
  /** ID of the enclosing record, in a nested list. */
  readonly inside: number | undefined;
}

/** GET `/1/foldertree?fields=all` (section 4). Throws `argument-invalid`. */
export function treeCall(baseUrl: string, request?: SignalRequest): Call {
  const { signal } = checkRequest('folders.tree()', signalRequest, request);
  const url = `${baseUrl}/1/foldertree?fields=all`;
  return { kind: 'list', name: `the folder tree (GET ${url})`, request: getJson(url), signal };
}

/**
 * Reads the folder tree: a list or a single root. Returns folders in tree order, each after its
 * parent. Reads nested children, a flat list with parent IDs in any order, and a flat list with
 * depths, whose order gives the parents. A folder whose parent isn't in the list becomes a root.
 */
export const readFolders: Reader<Folder[]> = (json, headers) => {
  const found = answers.findList(json, 'folders');
  if ('problem' in found) return found;
  const skipped: string[] = [];
  let problem: string | undefined;

  /** Each record before the records nested in it. The children of one without an ID move up one level. */
  function entriesIn(records: readonly unknown[], inside?: number): Entry[] {
    return records.flatMap((record) => {
      const id = answers.isFields(record) ? answers.integerIn(record.id) : undefined;
      if (id === undefined) skipped.push('a folder has no ID');
      if (!answers.isFields(record)) return [];
      const nested = answers.knownFields(record, 'children').filter(isNested);
      const [filled, another] = nested.filter(([, children]) => children.length > 0);
      if (another) problem = 'a folder has several lists of children';
      const names = new Set(nested.map(([name]) => name));
      const own = Object.entries(record).filter(([name]) => !names.has(name));
      const below = entriesIn(filled?.[1] ?? [], id ?? inside);
      return id === undefined ? below : [{ id, fields: Object.fromEntries(own), inside }, ...below];
    });
  }

  const entries = entriesIn(found.content);
  // A total counts the whole tree or its first level, and is never more than what arrives.
  const arrived = { entries: entries.length + skipped.length, pages: 1 };
  const { next, ...said } = answers.readPaging(found.around, headers);
  if (next || answers.hasMore(said, arrived)) problem ??= 'it announces more folders than it has';
  if (entries.length === 0) problem ??= skipped[0];
  if (problem !== undefined) return { problem };
  const ids = new Set(entries.map(({ id }) => id));
  if (ids.size < entries.length) return { problem: 'a folder is listed twice' };

  const parents = parentsOf(entries, ids);
  const children = Map.groupBy(entries, (entry) => parents.get(entry));
  const childrenOf = (parentId: number | undefined) => children.get(parentId) ?? [];
  const foldersIn = (parentId: number | undefined, depth: number): Folder[] =>
    childrenOf(parentId).flatMap(({ id, fields }) => {
      const below = childrenOf(id).map((child) => child.id);
      const own = {
        id,
        name: answers.textIn(fields.name),
        depth,
        parentId,
        children: below,
        fields,
      };
      return [own, ...foldersIn(id, depth + 1)];
    });
  const folders = foldersIn(undefined, 0);
  return folders.length < entries.length
    ? { problem: 'a folder is its own parent' }
    : { value: folders, skipped };
};

function isNested(field: [string, unknown]): field is [string, unknown[]] {
  const [, value] = field;
  return Array.isArray(value) && (value.length === 0 || value.some(answers.isFields));
}

/**
 * The parents' IDs: of the enclosing records or in a field, or else by depth: the last folder before it
 * with a smaller one. No depth: all are roots.
 */
function parentsOf(entries: readonly Entry[], ids: ReadonlySet<number>) {
  const parents = new Map(entries.map((entry) => [entry, entry.inside ?? parentIn(entry, ids)]));
  if (entries.some((entry) => parents.get(entry) !== undefined)) return parents;
  const above: { readonly id: number; readonly depth: number }[] = [];
  for (const entry of entries) {
    const depth = answers.readField(entry.fields, 'depth', answers.countIn) ?? 0;
    while ((above.at(-1)?.depth ?? -1) >= depth) above.pop();
    parents.set(entry, above.at(-1)?.id);
    above.push({ id: entry.id, depth });
  }
  return parents;
}

/** A folder is a root if its parent is 0, `null`, missing, itself, or not in the list. */
function parentIn({ id, fields }: Entry, ids: ReadonlySet<number>): number | undefined {
  return answers.readField(fields, 'parent', (value) => {
    const parent = answers.integerIn(answers.isFields(value) ? value.id : value);
    return parent === undefined || parent === id || !ids.has(parent) ? undefined : parent;
  });
}
