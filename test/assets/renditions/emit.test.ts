import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  findRenditions,
  type RenditionAddress,
} from '../../../src/assets/formats/rendition-url.ts';
import { failureOf } from '../../service/scripted-service.ts';
import {
  addressesOf,
  addressesOn,
  forgetAsset,
  issuedIn,
  newBuild,
  openSite,
  redraw,
  removeContents,
  startService,
  takeDownloads,
} from '../open-images.ts';

const emulator = await startService([
  { path: 'a.jpg', width: 320, height: 200 },
  { path: 'b.jpg', width: 320, height: 200, seed: 1 },
  { path: 'c.jpg', width: 320, height: 200, seed: 2 },
  { path: 'd.jpg', width: 320, height: 200, seed: 3 },
]);
const crop = { x: 20, y: 10, width: 100, height: 80 };
const request = { id: 4711, alt: 'A quay', page: '/page/', crop };

test('a page whose components did not run gets its files, with one check of its asset', async () => {
  const { open, next } = await openSite(emulator);
  const first = open();
  const asset = await first.getMediaAsset({ ...request, width: 50 });
  const files = await first.publish(asset);
  expect(asset.renditions).toHaveLength(2);
  takeDownloads(emulator);

  const second = await next();
  expect(await second.publish(asset, asset)).toEqual(files);
  expect(takeDownloads(emulator)).toEqual([expect.stringMatching(/^304 /)]);
  expect(second.counts()).toMatchObject({ assets: 1, made: 0, reused: 2 });
});

test('renditions are made while pages render', async () => {
  const images = await newBuild(emulator);
  const { renditions } = await images.getMediaAsset({ ...request, width: 50 });
  await expect.poll(() => images.counts().made).toBe(renditions.length);
});

test('only renditions that pages name are written', async () => {
  const images = await newBuild(emulator);
  const named = await images.getMediaAsset({ ...request, width: 50 });
  await images.getMediaAsset({ ...request, width: 60 });
  const written: string[] = [];
  const seen: number[][] = [];
  await images.emit({
    addresses: addressesOf(named).slice(0, 1),
    write: async (path) => void written.push(`/_astro/${path}`),
    onProgress: (...progress) => void seen.push(progress),
  });
  expect(written).toEqual([named.src]);
  expect(seen).toEqual([[1, 1]]);
});

test('a size that no page names any more is no longer in use, although its asset is', async () => {
  const { cacheDir, open } = await openSite(emulator);
  const now = Date.now();
  const before = now - 3_600_000;
  const first = open({ clock: () => before });
  const sized = (width: number) => first.show(4711, { width, densities: [1] });
  const [small, large] = [await sized(50), await sized(60)];
  await first.publish(small, large);
  await open({ clock: () => now }).publish(small);
  const used = issuedIn(cacheDir).map(({ as, lastUsed, ...one }) => {
    return [as === 'rendition' && Reflect.get(one, 'width'), lastUsed];
  });
  expect(Object.fromEntries(used)).toEqual({ 50: now, 60: before });
});

test('two names of one rendition are two files with the same bytes', async () => {
  const images = await newBuild(emulator);
  const quay = await images.getMediaAsset({ ...request, alt: 'The quay' });
  const port = await images.getMediaAsset({ ...request, alt: 'The port' });
  const files = await images.publish(quay, port);
  expect([...files.keys()].map((path) => path.replace(/.*-[0-9a-f]{16}-/, ''))).toEqual([
    'the-quay.webp',
    'the-port.webp',
  ]);
  expect(files.get(quay.src)).toEqual(files.get(port.src));
  expect(images.counts().made).toBe(1);
});

test('a rendition that no component issued is a finding and causes no request', async () => {
  const images = await newBuild(emulator);
  takeDownloads(emulator);
  const path = `media-asset/4711-${'0'.repeat(16)}-${'1'.repeat(16)}-a.webp`;
  const [address] = findRenditions(path) as [RenditionAddress];
  const addresses = ['/b/', '/a/', '/b/'].map((page) => ({ address, page }));
  const findings = await images.emit({ addresses, write: async () => {} });
  expect(findings).toMatchObject(
    ['/a/', '/b/'].map((page) => ({
      code: 'rendition-unknown',
      page,
      message: `${page} uses /_astro/${path}, an image that no component of this site has made.`,
    })),
  );
  expect(takeDownloads(emulator)).toEqual([]);
});

test("an original that is missing in the cache is fetched again if it's unchanged", async () => {
  const { cacheDir, open } = await openSite(emulator);
  const first = open();
  const asset = await first.getMediaAsset({ ...request, crop: undefined });
  const files = await first.publish(asset);
  await removeContents(cacheDir);
  expect(await open().publish(asset)).toEqual(files);
});

test('sources that are gone are one error with all URLs and pages', async () => {
  const { cacheDir, open } = await openSite(emulator);
  const first = open();
  const lost = await Promise.all(
    [4713, 4714].map((id) => first.getMediaAsset({ ...request, id, alt: '' })),
  );
  await first.publish(...lost);
  await removeContents(cacheDir);
  for (const path of ['c.jpg', 'd.jpg'])
    await redraw(emulator, { path, width: 320, height: 200, seed: 8 });

  const kept = await first.getMediaAsset(request);
  const written: string[] = [];
  const second = open();
  const error = await failureOf(
    second.emit({
      addresses: [
        ...addressesOf(...lost),
        ...addressesOn('/a/', ...lost),
        ...addressesOf(await second.getMediaAsset(request)),
      ],
      write: async (path) => void written.push(`/_astro/${path}`),
    }),
  );
  expect(error).toMatchObject({
    code: 'rendition-lost',
    hint: expect.stringContaining('astro build --force'),
  });
  for (const { src } of lost) expect(error.message).toContain(`${src} on /a/, /page/`);
  expect(written).toEqual([kept.src]);
  const [one = expect.fail()] = lost;
  const alone = open().emit({ addresses: addressesOf(one), write: async () => {} });
  expect(await failureOf(alone)).toMatchObject({ code: 'rendition-lost' });
});

test('a failed write is thrown when all others have ended', async () => {
  const images = await newBuild(emulator);
  const assets = [
    await images.getMediaAsset(request),
    await images.getMediaAsset({ ...request, width: 40 }),
  ];
  let ended = 0;
  const full = new Error('no space left');
  const write = async (path: string) => {
    await Promise.resolve();
    ended += 1;
    if (`/_astro/${path}` === assets[0]?.src) throw full;
  };
  expect(await failureOf(images.emit({ addresses: addressesOf(...assets), write }))).toBe(full);
  expect(ended).toBe(3);
});

test('versions() stays the same until an asset on a page changes', async () => {
  const { next } = await openSite(emulator);
  const versions: string[] = [];
  const build = async () => {
    const images = await next();
    versions.push(images.versions());
    await images.publish(await images.getMediaAsset({ ...request, id: 4712 }));
  };
  await build();
  await build();
  await redraw(emulator, { path: 'b.jpg', width: 320, height: 200, seed: 5 });
  await build();
  await build();
  await build();
  const [first, , third] = versions;
  expect(third).not.toBe(first);
  expect(versions).toEqual([first, first, third, third, third]);
});

test('versions() changes again if the same change happens again', async () => {
  const { next } = await openSite(emulator);
  const build = async (seed: number, id: number) => {
    await redraw(emulator, { path: 'b.jpg', width: 320, height: 200, seed });
    const images = await next();
    await images.publish(await images.show(id));
    return images.versions();
  };
  const [first, second] = [await build(7, 4712), await build(8, 4712)];
  // While no page shows it, it becomes what it was.
  for (const seed of [8, 7]) expect(await build(seed, 4711)).toBe(second);
  expect(await build(7, 4712)).toBe(second);
  expect([first, second]).not.toContain(await build(8, 4712));
});

test('versions() also changes if a dev server has fetched the new version first', async () => {
  const { open, next } = await openSite(emulator);
  const original = { id: 4712, alt: '', page: '/page/' };
  const first = open();
  await first.publish(await first.getMediaAsset(original));
  await redraw(emulator, { path: 'b.jpg', width: 320, height: 200, seed: 6 });
  const dev = open({ mode: 'dev', crops: 'local' });
  await dev.getMediaAsset(original);
  await dev.save();

  expect((await next()).versions()).not.toBe(first.versions());
});

test('a lost list of the last build changes versions()', async () => {
  const { cacheDir, open } = await openSite(emulator);
  const at = (clock: number) => open({ clock: () => clock });
  const first = at(1);
  await first.publish();
  expect(at(2).versions()).toBe(first.versions());
  await rm(join(cacheDir, 'v3'), { recursive: true });
  expect(at(3).versions()).not.toBe(first.versions());
});

test('an asset that the cache has lost changes versions(), because kept pages name its files', async () => {
  const { cacheDir, open, next } = await openSite(emulator);
  const first = open();
  await first.publish(
    await first.getMediaAsset({ ...request, id: 4712, crop: undefined }),
    await first.getMediaAsset(request),
  );
  const second = await next();
  expect(second.versions()).toBe(first.versions());
  await forgetAsset(cacheDir, 4711);
  const third = await next();
  expect(third.versions()).not.toBe(first.versions());
});
