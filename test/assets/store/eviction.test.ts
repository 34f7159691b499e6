import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFacts } from '../../../src/assets/store/asset-facts.ts';
import { assetFolders } from '../../../src/assets/store/asset-folder.ts';
import { drawTestImage } from '../../support/images/test-images.ts';
import {
  contentsOf,
  issuedIn,
  openSite,
  redraw,
  replaceAsset,
  startService,
} from '../open-images.ts';

const day = 24 * 60 * 60 * 1000;
const crop = { x: 10, y: 10, width: 80, height: 60 };
const pictures = ['a', 'b', 'c', 'd'].map((name, seed) => ({
  path: `${name}.png`,
  width: 160,
  height: 120,
  seed,
}));
const emulator = await startService(pictures);
const start = Date.now();
type Site = Awaited<ReturnType<typeof openSite>>;

/** Runs a build some days after the first one. It shows each asset, whole and as a crop. */
async function build({ open }: Site, days: number, ids: readonly number[]) {
  const images = open({ clock: () => start + days * day });
  await images.checkUsed();
  const common = { densities: [1], width: 40 };
  const assets = [];
  for (const id of ids) {
    assets.push(await images.show(id, { ...common, placeholder: 'blur' }));
    assets.push(await images.show(id, { ...common, crop }));
  }
  await images.publish(...assets);
}

test('the cache has the same size after each of many builds that change two images', async () => {
  const site = await openSite(emulator);
  const { cacheDir } = site;
  const counts: number[] = [];
  for (let number = 0; number < 12; number += 1) {
    for (const picture of pictures.slice(0, 2)) {
      await redraw(emulator, { ...picture, seed: 10 + 2 * number + picture.seed });
    }
    await build(site, 10 * number, [4711, 4712, 4713, 4714]);
    counts.push((await contentsOf(cacheDir)).length);
  }
  const [fifth] = counts.slice(4);
  expect(counts.slice(4)).toEqual(counts.slice(4).map(() => fifth));
  expect(fifth).toBeLessThan(2 * (counts[0] ?? 0));
});

test('the next build deletes a version that a failed build has replaced', async () => {
  const site = await openSite(emulator);
  const { cacheDir } = site;
  const old = await drawTestImage({ path: 'a.png', width: 160, height: 120, seed: 90 });
  const newer = await drawTestImage({ path: 'a.png', width: 160, height: 120, seed: 91 });
  await replaceAsset(emulator, 'a.png', old);
  await build(site, 0, [4711]);
  await replaceAsset(emulator, 'a.png', newer);
  const failed = site.open();
  await failed.checkUsed();
  await failed.save();
  const has = async (bytes: Buffer) =>
    (await contentsOf(cacheDir)).some((content) => content.equals(bytes));
  expect([await has(old), await has(newer)]).toEqual([true, true]);
  await build(site, 1, [4711]);
  expect([await has(old), await has(newer)]).toEqual([false, true]);
});

test('files that builds use stay, and files that they no longer use are deleted after 30 days', async () => {
  const site = await openSite(emulator);
  const { cacheDir } = site;
  const idsOf = () => assetFolders(cacheDir).map(({ id }) => id);
  const another = join(cacheDir, 'v3/of-another-program/4711');
  await mkdir(another, { recursive: true });
  const sizes = async () => (await contentsOf(cacheDir)).map(({ length }) => length).sort();
  await build(site, 0, [4713]);
  const before = await sizes();
  await build(site, 0, [4713, 4714]);
  await build(site, 29, [4713]);
  expect(idsOf()).toEqual([4713, 4714]);
  await build(site, 31, [4713]);
  expect(idsOf()).toEqual([4713]);
  expect(existsSync(another)).toBe(true);
  expect(await sizes()).toEqual(before);
  expect(new Set(issuedIn(cacheDir).map(({ id }) => id))).toEqual(new Set([4713]));
});

test('the facts of an asset in use forget a crop that no build has used for 30 days', async () => {
  const { cacheDir, open } = await openSite(emulator);
  const showAt = async (days: number, ...crops: (typeof crop | undefined)[]) => {
    const images = open({ clock: () => start + days * day });
    const sized = { densities: [1], width: 40 };
    const assets = [];
    for (const part of crops) assets.push(await images.show(4713, { ...sized, crop: part }));
    await images.publish(...assets);
    const [folder] = assetFolders(cacheDir);
    const kinds = Object.values(readFacts(folder?.path ?? '')?.sources ?? {});
    return {
      issued: issuedIn(cacheDir).length,
      sources: kinds.map(({ kind, reference }) => `${reference.kind} ${kind}`).sort(),
    };
  };
  const both = { issued: 2, sources: ['custom-format png', 'original png'] };
  expect(await showAt(0, undefined, crop)).toEqual(both);
  expect(await showAt(29, undefined)).toEqual(both);
  expect(await showAt(31, undefined)).toEqual({ issued: 1, sources: ['original png'] });
});
