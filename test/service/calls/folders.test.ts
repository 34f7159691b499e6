import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFolders } from '../../../src/service/calls/read-folders.ts';
import type { Folder } from '../../../src/service/types.ts';
import { failureOf, json, scriptedClient, startScriptedService } from '../scripted-service.ts';

/** A folder in the tests. */
interface Plain {
  readonly id: number;
  readonly name: string;
  readonly children: readonly Plain[];
}

/** A random tree. Each folder is a root or below an earlier one. IDs are in random order. */
const anyTree = fc
  .uniqueArray(
    fc.record({ id: fc.integer({ min: 1, max: 1e6 }), below: fc.nat(), name: fc.string() }),
    { selector: ({ id }) => id, maxLength: 30 },
  )
  .map((nodes): Plain[] => {
    const roots: Plain[] = [];
    const made: { plain: Plain; children: Plain[] }[] = [];
    for (const { id, below, name } of nodes) {
      const children: Plain[] = [];
      const plain = { id, name, children };
      const parent = made[below % (made.length + 1)];
      (parent === undefined ? roots : parent.children).push(plain);
      made.push({ plain, children });
    }
    return roots;
  });

type Row = { folder: Plain; parent: Plain | undefined; depth: number };

function rows(folders: readonly Plain[], parent?: Plain, depth = 0): Row[] {
  return folders.flatMap((folder) => [
    { folder, parent, depth },
    ...rows(folder.children, folder, depth + 1),
  ]);
}

const withDepth = (first: number) => (folders: readonly Plain[]) =>
  rows(folders).map(({ folder: { id, name }, depth }) => ({ id, name, depth: depth + first }));
const withParent =
  (parentName: string, none: unknown = null) =>
  (folders: readonly Plain[]) =>
    rows(folders).map(({ folder: { id, name }, parent }) => ({
      id,
      name,
      ...(none === undefined && parent === undefined ? {} : { [parentName]: parent?.id ?? none }),
    }));
const nested =
  (childrenName: string) =>
  (folders: readonly Plain[]): unknown[] =>
    folders.map(({ id, name, children }) => ({
      id,
      name,
      ...(children.length === 0 ? {} : { [childrenName]: nested(childrenName)(children) }),
    }));

const forms: Record<string, (folders: readonly Plain[]) => unknown[]> = {
  'a depth from 0': withDepth(0),
  'a depth from 1': withDepth(1),
  'a level as text': (folders) =>
    withDepth(0)(folders).map(({ depth, ...rest }) => ({ ...rest, level: String(depth) })),
  'parentId, null for a root': withParent('parentId'),
  'parent_id, 0 for a root': withParent('parent_id', 0),
  'parent, none for a root': withParent('parent', undefined),
  'parentFolder, an object': (folders) =>
    rows(folders).map(({ folder: { id, name }, parent }) => ({
      id,
      name,
      parentFolder: parent && { id: parent.id, name: parent.name },
    })),
  'ids as texts': (folders) =>
    rows(folders).map(({ folder, parent }) => ({
      id: String(folder.id),
      name: folder.name,
      parentID: parent ? String(parent.id) : '',
    })),
  'a parent and a depth': (folders) =>
    withParent('parent')(folders).map((folder, index) => ({
      ...folder,
      depth: rows(folders)[index]?.depth,
    })),
  'children in each folder': nested('children'),
  'subfolders in each folder': nested('subFolders'),
};

/** The number of folders in a list and below it. */
const countIn = (list: unknown[]): number =>
  list.reduce<number>((count, folder) => {
    const below = Object.values(folder as object).filter(Array.isArray);
    return count + 1 + countIn(below.flat());
  }, 0);

const wrappers: Record<string, (list: unknown[]) => unknown> = {
  bare: (list) => list,
  'in folders, with the total of the first level': (folders) => ({
    folders,
    total: folders.length,
  }),
  'in folders, with the total of the tree': (folders) => ({ folders, total: countIn(folders) }),
  'in data.items': (items) => ({ status: 'ok', data: { items } }),
};

async function treeFrom(answer: unknown) {
  const service = await startScriptedService({ respond: (response) => json(response, answer) });
  return scriptedClient(service.url, { attempts: 1 }).folders.tree();
}

/** The folders that an answer lists. */
function foldersIn(json: unknown): Folder[] {
  const reading = readFolders(json);
  if ('problem' in reading) throw new Error(reading.problem);
  return reading.value;
}

describe('the folder tree', () => {
  test('is the same in every form, for any tree', () => {
    const form = fc.constantFrom(...Object.keys(forms));
    const wrapper = fc.constantFrom(...Object.keys(wrappers));
    fc.assert(
      fc.property(anyTree, form, wrapper, (tree, form, wrapper) => {
        const folders = foldersIn(wrappers[wrapper]?.(forms[form]?.(tree) ?? []));
        expect(folders.map(({ fields: _, ...folder }) => folder)).toEqual(
          rows(tree).map(({ folder: { id, name, children }, parent, depth }) => ({
            ...{ id, name: name || undefined, depth, parentId: parent?.id },
            children: children.map((child) => child.id),
          })),
        );
      }),
    );
  });

  test("with parent IDs doesn't need an order", () => {
    fc.assert(
      fc.property(anyTree, fc.infiniteStream(fc.nat()), (tree, order) => {
        const records = withParent('parent')(tree)
          .map((record) => ({ record, key: order.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ record }) => record);
        const parents = foldersIn(records).map(({ id, parentId }) => [id, parentId] as const);
        expect(new Map(parents)).toEqual(
          new Map(rows(tree).map(({ folder, parent }) => [folder.id, parent?.id])),
        );
      }),
    );
  });

  test('keeps other fields of a record', async () => {
    const fields = { id: 5, name: 'Nets', depth: 3, color: '#0a0', rights: [1] };
    expect(await treeFrom([fields])).toMatchObject([{ id: 5, depth: 0, fields }]);
  });

  test('can be a single root, bare or in an object', async () => {
    const root = { id: 1, name: 'Library', children: [{ id: 2, name: 'Boats' }] };
    for (const answer of [root, { root }, { data: root }]) {
      const folders = await treeFrom(answer);
      expect(folders.map(({ id, depth }) => [id, depth])).toEqual([
        [1, 0],
        [2, 1],
      ]);
    }
  });

  test("has a root if its parent isn't visible", async () => {
    const folders = await treeFrom([
      { id: 5, parent: 4 },
      { id: 6, parent: 5 },
      { id: 8, parent: 8 },
    ]);
    expect(folders.map(({ id, parentId }) => [id, parentId])).toEqual([
      [5, undefined],
      [6, 5],
      [8, undefined],
    ]);
  });

  test('can be empty', async () => {
    expect(await treeFrom([])).toEqual([]);
    expect(await treeFrom({ folders: null })).toEqual([]);
  });

  test.for([
    ['it has no list of folders', { message: 'Welcome' }, 'received: Welcome'],
    ['it has no list of folders', { verzeichnisse: [{ id: 1 }] }, '{verzeichnisse}'],
    ['more than one of its fields', { folder: { id: 1 }, folders: [{ id: 2 }] }, ''],
    ['a folder has no ID', [{ name: 'Boats' }], 'received: 1 × {name}'],
    ['a folder has no ID', [4711], 'received: 1 × number'],
    ['a folder has no ID', [[{ id: 1 }]], 'received: object'],
    ['a folder has no ID', [{ id: 1.5 }], ''],
    ['a folder is listed twice', [{ id: 1 }, { id: 1 }], 'received: 2 × {id}'],
    [
      'a folder is its own parent',
      [
        { id: 1, parent: 2 },
        { id: 2, parent: 1 },
      ],
      '',
    ],
    [
      'more than one of its fields',
      { folders: [{ id: 1 }], items: [{ id: 2 }] },
      '{folders, items}',
    ],
    ['several lists of children', [{ id: 1, children: [{ id: 2 }], nodes: [{ id: 3 }] }], ''],
  ] as const)('is refused: %s in %j', async ([problem, answer, came]) => {
    const error = await failureOf(treeFrom(answer));
    expect(error).toMatchObject({ code: 'answer-unexpected' });
    expect(String(error)).toContain(problem);
    expect(String(error)).toContain(came);
  });
});
