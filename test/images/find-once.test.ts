import { expect, test } from 'vitest';
import type { PictureCache } from '../../src/images/cacache-picture-cache.ts';
import { findOnce } from '../../src/images/find-once.ts';
import type { PictureReference, Source } from '../../src/images/source.ts';

const reference: PictureReference = { kind: 'original', service: 'https://media.example', id: 1 };
const other: PictureReference = { ...reference, id: 2 };
const source = { reference, hash: 'a' } as Source;

/** A cache that holds one source, and counts how often it is looked for. */
function countingCache() {
  let searches = 0;
  const state = { found: source as Source | undefined };
  const cache: Partial<PictureCache> = {
    async find() {
      searches += 1;
      return state.found;
    },
    add: async () => source,
    read: async () => undefined,
    pathOf: async () => undefined,
    dropContent: async () => {},
    purge: async () => {},
  };
  return { cache: findOnce(cache as PictureCache), state, searches: () => searches };
}

test('a source that is there is looked for once', async () => {
  const { cache, searches } = countingCache();
  expect(await Promise.all([cache.find(reference), cache.find(reference)])).toEqual([
    source,
    source,
  ]);
  expect(await cache.find(reference)).toBe(source);
  expect(searches()).toBe(1);
  await cache.find(other);
  expect(searches()).toBe(2);
});

test('a source that is not there is looked for again', async () => {
  const { cache, state } = countingCache();
  state.found = undefined;
  expect(await cache.find(reference)).toBeUndefined();
  state.found = source;
  expect(await cache.find(reference)).toBe(source);
});

test.each<[string, (cache: PictureCache) => Promise<unknown>]>([
  ['it is taken in anew', (cache) => cache.add(reference, {} as never, {} as never)],
  ['another asset is purged', (cache) => cache.purge(reference.service, 2)],
  ['bytes are deleted', (cache) => cache.dropContent('b')],
  ['bytes are gone when they are read', (cache) => cache.read('a')],
  ['a file is gone', (cache) => cache.pathOf('a')],
])('a source is looked for again once %s', async (_, happens) => {
  const { cache, state } = countingCache();
  await cache.find(reference);
  state.found = undefined;
  await happens(cache);
  expect(await cache.find(reference)).toBeUndefined();
});
