import { appendFile, copyFile, truncate, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { ImageFacts, OriginalReference } from '../../../src/assets/formats/source.ts';
import { openAssetStore } from '../../../src/assets/store/asset-store.ts';
import { cacheFolder, contentsOf, filesBelow } from '../open-images.ts';

const original: OriginalReference = { kind: 'original', id: 1 };
const elsewhere = { service: 'https://b.example' };
const key = `1-${'0'.repeat(16)}-${'1'.repeat(16)}.webp`;
const facts: ImageFacts = {
  ...{ kind: 'jpeg', width: 10, height: 10, animated: false, transparent: false },
  ...{ fetchedAt: Date.now(), isStill: false },
};

type Store = ReturnType<typeof openAssetStore>;

const open = (cacheDir: string, given: Partial<Parameters<typeof openAssetStore>[0]> = {}): Store =>
  openAssetStore({
    ...{ cacheDir, service: 'https://a.example', mode: 'build', clock: Date.now, ...given },
  });

async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

async function add(store: Store, reference: OriginalReference, text: string) {
  return store.receive(reference, pieces(text), async () => facts);
}

test('the next process finds a source and its bytes', async () => {
  const cacheDir = await cacheFolder();
  const added = await add(open(cacheDir), original, 'picture');
  const store = open(cacheDir);
  expect(await store.find(original)).toEqual(added);
  expect(String(await store.read(added))).toBe('picture');
  expect(await open(cacheDir, elsewhere).find(original)).toBeUndefined();
});

test('a source with a field that this version no longer has is still found', async () => {
  const cacheDir = await cacheFolder();
  const added = await add(open(cacheDir), original, 'picture');
  const found = [...(await filesBelow(cacheDir))].filter(([path]) => path.endsWith('facts.json'));
  expect(found).toHaveLength(1);
  for (const [path, content] of found) {
    const text = String(content).replace('"isStill"', '"hasManifest":true,"isStill"');
    expect(text).toContain('hasManifest');
    await writeFile(path, text);
  }
  expect(await open(cacheDir).find(original)).toEqual(added);
});

test.each([
  ['no piece', []],
  ['pieces that fill a block', [2 ** 20 - 1, 1, 2 ** 20]],
  ['pieces of all sizes', [3, 2 ** 20, 0, 2 ** 20 + 1, 5, 2 ** 21, 7]],
])(
  'bytes arrive whole in %s, also if each piece is gone when the next one comes',
  async (_, sizes) => {
    const store = open(await cacheFolder());
    const sent = sizes.map((size, index) => Buffer.alloc(size, index + 1));
    async function* body() {
      for (const bytes of sent) {
        const piece = Uint8Array.from(bytes);
        yield piece;
        piece.fill(0);
      }
    }
    const source = await store.receive(original, body(), async () => facts);
    expect(source.size).toBe(Buffer.concat(sent).length);
    expect((await store.read(source))?.equals(Buffer.concat(sent))).toBe(true);
  },
);

test('nothing is left between the folders of a new cache', async () => {
  const cacheDir = await cacheFolder();
  const store = open(cacheDir);
  const { hash } = await add(store, original, 'picture');
  store.note(2, { checkedAt: 1 });
  await store.save();
  const files = [...(await filesBelow(cacheDir)).keys()];
  const names = files.map((path) => path.split(/[\\/]/).slice(-2).join('/'));
  expect(names.sort()).toEqual([`1/${hash}`, '1/facts.json', '2/facts.json'].sort());
});

test('two services with the same asset ID have separate renditions', async () => {
  const cacheDir = await cacheFolder();
  const [one, other] = [open(cacheDir), open(cacheDir, elsewhere)];
  await one.addRendition(1, key, Buffer.from('one'));
  expect(other.hasRendition(1, key)).toBe(false);
  await other.addRendition(1, key, Buffer.from('other'));
  expect(String(await one.readRendition(1, key))).toBe('one');
  await one.withdraw(1);
  expect((await contentsOf(cacheDir)).map(String)).toEqual(['other']);
});

test.each<[string, (path: string) => Promise<void>]>([
  ['too short', (path) => truncate(path, 2)],
  ['changed', (path) => writeFile(path, 'PICTURE')],
  ['too long', (path) => appendFile(path, '!')],
])('bytes that are %s are deleted and never returned', async (_, damage) => {
  const cacheDir = await cacheFolder();
  const store = open(cacheDir);
  const source = await add(store, original, 'picture');
  await store.addRendition(1, key, Buffer.from('picture'));
  for (const path of (await filesBelow(cacheDir)).keys()) {
    if (!path.endsWith('.json')) await damage(path);
  }
  for (const again of [store, open(cacheDir)]) {
    expect(await again.read(source)).toBeUndefined();
    expect(await again.find(original)).toBeUndefined();
    expect(await again.readRendition(1, key)).toBeUndefined();
  }
  expect(await contentsOf(cacheDir)).toEqual([]);
});

test('a dev session sees the version that a build has just fetched', async () => {
  const cacheDir = await cacheFolder();
  const [dev, build] = [open(cacheDir, { mode: 'dev' }), open(cacheDir)];
  await add(dev, original, 'older');
  const newer = await add(build, original, 'newer');
  expect(await dev.find(original)).toEqual(newer);
});

test('facts that another process deletes during a build are written again', async () => {
  const cacheDir = await cacheFolder();
  const { reference, hash } = await add(open(cacheDir), original, 'picture');
  const link = { as: 'link', source: { reference, hash } } as const;
  const before = open(cacheDir);
  before.issue('a', link);
  await before.save();
  const store = open(cacheDir);
  store.issue('a', link);
  await open(cacheDir).withdraw(1);
  await store.save();
  expect(Object.keys(open(cacheDir).facts(1).issued)).toEqual(['a']);
});

test('a record that another process has read later stays, although this one saves again', async () => {
  const cacheDir = await cacheFolder();
  const recordAt = (checkedAt: number, rights: string) => ({
    record: {
      ...{ fields: { rights }, lacking: [], answers: [], asked: 'rights' },
      ...{ folder: null, checkedAt, outcomes: {} },
    },
  });
  const now = Date.now();
  const first = open(cacheDir);
  first.note(1, recordAt(now, 'allowed'));
  await first.save();
  const dev = open(cacheDir, { mode: 'dev' });
  dev.note(1, recordAt(now + 1, 'allowed'));
  await dev.save();
  const build = open(cacheDir);
  build.note(1, recordAt(now + 2, 'forbidden'));
  await build.save();
  expect(dev.facts(1).record?.fields).toEqual({ rights: 'forbidden' });
  dev.note(1, { checkedAt: now + 3 });
  await dev.save();
  expect(open(cacheDir).facts(1).record?.fields).toEqual({ rights: 'forbidden' });
});

test.each([
  ['within the same hour', 59, false],
  ['an hour later', 61, true],
])('facts that only say a check %s are written: %s minutes, %s', async (_, minutes, isWritten) => {
  const cacheDir = await cacheFolder();
  const start = Date.UTC(2027, 0, 31, 12);
  const build = async (now: number) => {
    const store = open(cacheDir, { clock: () => now });
    const source = (await store.find(original)) ?? (await add(store, original, 'picture'));
    store.note(1, { checkedAt: now });
    store.issue(source.hash, { as: 'link', source: { reference: original, hash: source.hash } });
    await store.save();
    expect(store.usedSince(now)).toHaveProperty('size', 1);
  };
  await build(start);
  const before = await filesBelow(cacheDir);
  await build(start + minutes * 60_000);
  const after = await filesBelow(cacheDir);
  expect([...after.values()].join() !== [...before.values()].join()).toBe(isWritten);
});

test('a field of a record is written at once, whatever its name', async () => {
  const cacheDir = await cacheFolder();
  const record = { ...{ lacking: [], answers: [], asked: '', folder: 3 }, ...{ outcomes: {} } };
  for (const lastUsed of [7, 8]) {
    const store = open(cacheDir, { clock: () => 1 });
    store.note(1, { record: { ...record, checkedAt: 1, fields: { lastUsed } } });
    await store.save();
  }
  expect(open(cacheDir).facts(1).record?.fields).toEqual({ lastUsed: 8 });
});

test('of two builds that write an asset, the later one keeps what the other has issued', async () => {
  const cacheDir = await cacheFolder();
  const { reference, hash } = await add(open(cacheDir), original, 'picture');
  const source = { reference, hash };
  const [one, other] = [open(cacheDir), open(cacheDir)];
  for (const store of [one, other]) await store.find(original);
  one.issue('a', { as: 'link', source });
  other.issue('b', { as: 'link', source });
  await one.save();
  await other.save();
  expect(Object.keys(open(cacheDir).facts(1).issued).sort()).toEqual(['a', 'b']);
});

test('a dev session that has been open for long takes nothing away from a newer build', async () => {
  const cacheDir = await cacheFolder();
  const dev = open(cacheDir, { mode: 'dev' });
  await add(dev, original, 'older');
  dev.note(1, { checkedAt: 1 });
  const newer = await add(open(cacheDir), original, 'newer');
  await dev.save();
  expect(await open(cacheDir).find(original)).toEqual(newer);
  expect(open(cacheDir).facts(1).checkedAt).toBe(1);
});

test('a temporary file is kept for an hour', async () => {
  const cacheDir = await cacheFolder();
  const store = open(cacheDir);
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
  await store.evict(Date.now());
  expect([...(await filesBelow(cacheDir)).keys()]).toEqual([fresh]);
});

test('an unusable folder is an error that names it', async () => {
  const cacheDir = await cacheFolder();
  await writeFile(join(cacheDir, 'v3'), 'a file in its place');
  const store = open(cacheDir);
  for (const work of [
    () => add(store, original, 'a'),
    () => store.addRendition(1, key, Buffer.from('a')),
  ]) {
    await expect(work()).rejects.toMatchObject({
      code: 'cache-unusable',
      message: expect.stringContaining(cacheDir),
    });
  }
});

test('a withdrawn asset leaves nothing, also if it was never cached or another process removed it', async () => {
  const cacheDir = await cacheFolder();
  const [one, other] = [open(cacheDir), open(cacheDir)];
  await add(one, original, 'picture');
  for (const store of [one, other]) for (const id of [1, 2]) await store.withdraw(id);
  expect(await contentsOf(cacheDir)).toEqual([]);
});
