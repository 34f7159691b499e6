import { appendFile, copyFile, readdir, truncate, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type {
  CropReference,
  ImageFacts,
  OriginalReference,
} from '../../src/assets/formats/source.ts';
import { openAssetStore } from '../../src/assets/store/asset-store.ts';
import { cacheFolder, contentsOf, filesBelow } from './open-images.ts';

const day = 24 * 60 * 60 * 1000;
const original: OriginalReference = { kind: 'original', service: 'https://a.example', id: 1 };
const elsewhere: OriginalReference = { ...original, service: 'https://b.example' };
const key = `1-${'0'.repeat(16)}-${'1'.repeat(16)}.webp`;
const facts: ImageFacts = {
  kind: 'jpeg',
  width: 10,
  height: 10,
  turned: false,
  animated: false,
  transparent: false,
  fetchedAt: 0,
};

type Store = ReturnType<typeof openAssetStore>;

function cropOf(hash: string): CropReference {
  const parameters = { x1: 0, y1: 0, w: 5, h: 5 };
  return { ...original, kind: 'custom-format', original: hash, parameters };
}

async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

async function add(store: Store, reference: OriginalReference | CropReference, text: string) {
  return store.receive(reference, pieces(text), async () => facts);
}

test('the next process finds a source and its bytes', async () => {
  const cacheDir = await cacheFolder();
  const added = await add(openAssetStore(cacheDir, 'build'), original, 'picture');
  const store = openAssetStore(cacheDir, 'build');
  expect(await store.find(original)).toEqual(added);
  expect(String(await store.read(added))).toBe('picture');
  expect(await store.find(elsewhere)).toBeUndefined();
});

test('two services with the same asset ID have separate renditions', async () => {
  const cacheDir = await cacheFolder();
  const store = openAssetStore(cacheDir, 'build');
  await store.addRendition(original, key, Buffer.from('one'));
  expect(await store.hasRendition(elsewhere, key)).toBe(false);
  await store.addRendition(elsewhere, key, Buffer.from('other'));
  expect(String(await store.readRendition(original, key))).toBe('one');
  await store.withdraw(original);
  expect((await contentsOf(cacheDir)).map(String)).toEqual(['other']);
});

test.each<[string, (path: string) => Promise<void>]>([
  ['too short', (path) => truncate(path, 2)],
  ['changed', (path) => writeFile(path, 'PICTURE')],
  ['too long', (path) => appendFile(path, '!')],
])('bytes that are %s are deleted and never returned', async (_, damage) => {
  const cacheDir = await cacheFolder();
  const store = openAssetStore(cacheDir, 'build');
  const source = await add(store, original, 'picture');
  await store.addRendition(original, key, Buffer.from('picture'));
  for (const path of (await filesBelow(cacheDir)).keys()) {
    if (!path.endsWith('.json')) await damage(path);
  }
  for (const again of [store, openAssetStore(cacheDir, 'build')]) {
    expect(await again.read(source)).toBeUndefined();
    expect(await again.find(original)).toBeUndefined();
    expect(await again.readRendition(original, key)).toBeUndefined();
  }
  expect(await contentsOf(cacheDir)).toEqual([]);
});

test('a dev session sees the version that a build has just fetched', async () => {
  const cacheDir = await cacheFolder();
  const [dev, build] = [openAssetStore(cacheDir, 'dev'), openAssetStore(cacheDir, 'build')];
  await add(dev, original, 'older');
  const newer = await add(build, original, 'newer');
  expect(await dev.find(original)).toEqual(newer);
});

test('after a successful build, the bytes and crops of the earlier version are deleted', async () => {
  const cacheDir = await cacheFolder();
  const store = openAssetStore(cacheDir, 'build');
  const older = await add(store, original, 'older');
  await add(store, cropOf(older.hash), 'crop of older');
  const newer = await add(store, original, 'newer');
  const crop = await add(store, cropOf(newer.hash), 'crop of newer');
  expect(String(await store.read(older))).toBe('older');
  await store.evict({ used: [], now: Date.now() });
  expect((await contentsOf(cacheDir)).map(String).sort()).toEqual(['crop of newer', 'newer']);
  expect(await store.find(crop.reference)).toEqual(crop);
});

test('files in use are never evicted, and others are after 30 days', async () => {
  const cacheDir = await cacheFolder();
  const store = openAssetStore(cacheDir, 'build');
  const source = await add(store, original, 'used');
  const side = `1-${source.hash.slice(0, 16)}-blur-0-0-5-5`;
  await add(store, { ...original, id: -2 }, 'unused');
  for (const name of [key, side, key.replace('webp', 'avif')]) {
    await store.addRendition(original, name, Buffer.from(name));
  }
  const used = [[key, { source }]] as const;
  await store.evict({ used, now: Date.now() + 29 * day });
  expect(await contentsOf(cacheDir)).toHaveLength(5);
  await store.evict({ used, now: Date.now() + 31 * day });
  const left = (await contentsOf(cacheDir)).map(String);
  expect(left.sort()).toEqual([side, key, 'used'].sort());
  const [file = ''] = (await filesBelow(cacheDir)).keys();
  expect(await readdir(dirname(dirname(file)))).toEqual(['1']);
});

test('a temporary file is kept for an hour', async () => {
  const cacheDir = await cacheFolder();
  const store = openAssetStore(cacheDir, 'build');
  const paths: string[] = [];
  const isKilled = new Error('killed');
  for (const name of ['old', 'fresh']) {
    const receiving = store.receive(original, pieces(name), async (path) => {
      // A killed process leaves such a file.
      const left = join(dirname(path), name);
      await copyFile(path, left);
      paths.push(left);
      throw isKilled;
    });
    await expect(receiving).rejects.toBe(isKilled);
  }
  const [old = '', fresh] = paths;
  const time = new Date(Date.now() - 2 * 60 * 60 * 1000);
  await utimes(old, time, time);
  await store.evict({ used: [], now: Date.now() });
  expect([...(await filesBelow(cacheDir)).keys()]).toEqual([fresh]);
});

test('an unusable folder is an error that names it', async () => {
  const cacheDir = await cacheFolder();
  await writeFile(join(cacheDir, 'v2'), 'a file in its place');
  const store = openAssetStore(cacheDir, 'build');
  for (const work of [
    () => store.find(original),
    () => add(store, original, 'a'),
    () => store.addRendition(original, key, Buffer.from('a')),
  ]) {
    await expect(work()).rejects.toMatchObject({
      code: 'cache-unusable',
      message: expect.stringContaining(cacheDir),
    });
  }
});
