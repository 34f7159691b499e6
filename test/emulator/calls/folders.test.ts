import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { startService } from '../../support/service/start-service.ts';

const paths = ['boats/ferry.png', 'boats/old/raft.gif', 'boats of others/tug.png', 'quay.jpg'];

const tree = [
  { id: 1, name: 'Library', path: '' },
  { id: 2, name: 'boats', path: 'boats' },
  { id: 4, name: 'old', path: 'boats/old' },
  { id: 3, name: 'boats of others', path: 'boats of others' },
  { id: 5, name: 'empty', path: 'empty' },
];

const emulator = await startService([]);
const media = emulator.mediaDir;
for (const path of ['boats/old', 'boats of others', 'empty'])
  await mkdir(join(media, path), { recursive: true });
for (const path of paths) await writeFile(join(media, path), path);

async function get(path: string): Promise<unknown> {
  const response = await emulator.fetch(path);
  expect(response.status).toBe(200);
  return response.json();
}

const names = (files: unknown): unknown[] =>
  (files as { filename: string }[]).map(({ filename }) => filename);

describe('the folder tree', () => {
  test('is a list in tree order, with depths and parents', async () => {
    const depths = [0, 1, 2, 1, 1];
    const parents = [null, 1, 2, 1, 1];
    const expected = tree.map((folder, at) => ({
      ...folder,
      depth: depths[at],
      parent: parents[at],
    }));
    expect(await get('/1/foldertree?fields=all')).toEqual(expected);
    expect(await get('/1/foldertree')).toEqual(expected);
  });

  test('keeps its IDs after a restart, and adds new ones for new and moved folders', async () => {
    await mkdir(join(media, 'new'));
    const ids = async () =>
      Object.fromEntries(
        ((await get('/1/foldertree')) as { path: string; id: number }[]).map((f) => [f.path, f.id]),
      );
    const before = await ids();
    expect(before).toMatchObject({ '': 1, boats: 2, new: 6 });
    await rename(join(media, 'new'), join(media, 'anew'));
    await emulator.restart();
    const { new: _, ...rest } = before;
    expect(await ids()).toEqual({ ...rest, anew: 7 });
    expect((await emulator.fetch('/1/folder/6/files')).status).toBe(404);
    await rename(join(media, 'anew'), join(media, 'new'));
    expect(await ids()).toEqual(before);
    await rm(join(media, 'new'), { recursive: true });
  });
});

describe('the files of a folder', () => {
  test('are those directly in the folder, with their fields', async () => {
    expect(await get('/1/folder/2/files')).toEqual([
      {
        id: 4712,
        name: 'ferry',
        filename: 'ferry.png',
        folder: 2,
        size: 15,
        type: 'image/png',
        modified: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        processed: true,
      },
    ]);
    expect(await get('/1/folder/5/files?type=any&processed=true')).toEqual([]);
  });

  test('have the requested fields', async () => {
    expect(await get('/1/folder/1/files?fields=id,filename&type=any&processed=true')).toEqual([
      { id: 4714, filename: 'quay.jpg' },
    ]);
  });
});

describe('a search', () => {
  beforeAll(async () => {
    for (const name of ['Ångström Straße.png', 'ΟΔΟΣ (ferry).png', 'ﬁne_raft 100%.png'])
      await writeFile(join(media, name), '');
  });

  test.each([
    ['ferry', ['boats/ferry.png', 'ΟΔΟΣ (ferry).png']],
    ['FERR', ['boats/ferry.png', 'ΟΔΟΣ (ferry).png']],
    ['ÅNGSTRÖM straße', ['Ångström Straße.png']],
    ['straße a\u030angstro\u0308m', ['Ångström Straße.png']],
    ['οδος', ['ΟΔΟΣ (ferry).png']],
    ['ferry οδος', ['ΟΔΟΣ (ferry).png']],
    ['ferry raft', []],
    ['fine 100%', ['ﬁne_raft 100%.png']],
    ['_raft', ['ﬁne_raft 100%.png']],
    ['"', []],
    ["' OR 1=1 --", []],
  ])('for %j finds %j', async (query, expected) => {
    const files = await get(`/1/search/file?query=${encodeURIComponent(query)}&fields=filename`);
    const found = expected.map((path) => path.split('/').at(-1) as string);
    expect(names(files).sort()).toEqual(found.sort());
  });
});

describe('invalid requests', () => {
  test.each([
    ['/1/folder/99/files', 404, 'folder-unknown'],
    ['/1/folder/0/files', 404, 'folder-unknown'],
    ['/1/folder/01/files', 404, 'folder-unknown'],
    ['/1/folder/..%2F..%2Fetc/files', 404, 'folder-unknown'],
    ['/1/folder/%00/files', 404, 'folder-unknown'],
    [`/1/folder/${'9'.repeat(4000)}/files`, 404, 'folder-unknown'],
    ['/1/folder/1/files?type=image', 400, 'type-invalid'],
    ['/1/folder/1/files?type=', 400, 'type-invalid'],
    ['/1/folder/1/files?fields=', 400, 'fields-invalid'],
    ['/1/folder/1/files?fields=id,,name', 400, 'fields-invalid'],
    [`/1/folder/1/files?fields=${'a,'.repeat(200)}a`, 400, 'fields-invalid'],
    ['/1/foldertree?fields=id&fields=name', 400, 'parameter-repeated'],
    ['/1/search/file', 400, 'query-invalid'],
    ['/1/search/file?query=', 400, 'query-invalid'],
    ['/1/search/file?query=%20%09', 400, 'query-invalid'],
    ['/1/search/file?query=a&query=b', 400, 'parameter-repeated'],
  ])('%s answers %i', async (path, status, code) => {
    const response = await emulator.fetch(path);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error: { code, message: expect.any(String) } });
  });
});
