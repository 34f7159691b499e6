import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { PageAssets } from '../../src/assets/assets.ts';
import { failureOf } from '../service/scripted-service.ts';
import { drawTestImage } from '../support/images/test-images.ts';
import { startEmulatorProcess } from '../support/service/emulator-process.ts';
import {
  cacheFolder,
  contentsOf,
  emulatorClient,
  filesBelow,
  newBuild,
  openImages,
  redraw,
  replaceAsset,
  startService,
  takeDownloads,
} from './open-images.ts';

const pictures = [
  { path: 'a.jpg', width: 320, height: 200 },
  { path: 'b.jpg', width: 320, height: 200 },
  { path: 'c.png', width: 320, height: 200, seed: 2 },
];
const emulator = await startService(pictures);
const crop = { x: 20, y: 10, width: 100, height: 80 };

const page = '/page/';
const ask = (images: PageAssets, id: number, more = {}) =>
  images.getMediaAsset({ id, alt: 'A quay', page, ...more });

/** Fills a cache from the running service: assets 4711 and 4713, each whole and as a crop. */
async function fillCache(cacheDir: string) {
  const images = openImages({ service: emulatorClient(emulator), cacheDir });
  const assets = [
    await ask(images, 4711, { crop }),
    await ask(images, 4711),
    await ask(images, 4713, { crop }),
  ];
  const files = await images.publish(...assets);
  takeDownloads(emulator);
  return { assets, files };
}

test('a crop is fetched as a custom format, after its original', async () => {
  const images = await newBuild(emulator);
  takeDownloads(emulator);
  const asset = await ask(images, 4711, { crop, width: 50 });
  await images.publish(asset);
  expect(takeDownloads(emulator)).toEqual([
    expect.stringMatching(/^200 \/1\/file\/4711\/download\/0 /),
    expect.stringMatching(/^200 \/1\/file\/4711\/download\/-1\?x1=20&y1=10&w=100&h=80 /),
  ]);
  expect(asset).toMatchObject({
    customFormatUrl: `${emulator.url}/1/file/4711/download/-1?x1=20&y1=10&w=100&h=80`,
    originalUrl: `${emulator.url}/1/file/4711/download/0`,
    width: 50,
    height: 40,
  });
});

test('an unchanged build sends one conditional request per asset', async () => {
  const cacheDir = await cacheFolder();
  const first = await fillCache(cacheDir);
  await fillCache(cacheDir);

  const images = openImages({ service: emulatorClient(emulator), cacheDir });
  await images.checkUsed();
  const assets = [
    await ask(images, 4711, { crop }),
    await ask(images, 4711),
    await ask(images, 4713, { crop }),
  ];
  const files = await images.publish(...assets);

  expect(files).toEqual(first.files);
  expect(
    takeDownloads(emulator)
      .map((line) => line.replace(/ .*file\/(\d+).* /, ' $1 '))
      .sort(),
  ).toEqual(['304 4711 0', '304 4713 0']);
  expect(images.counts()).toEqual({
    assets: 2,
    made: 0,
    reused: 3,
    downloads: 0,
    checks: 2,
    stale: 0,
    missing: 0,
  });
  expect(images.findings).toEqual([]);
});

test.each(['etag', 'last-modified', 'none'] as const)(
  'later builds with the validators "%s" publish the same',
  async (validators) => {
    const own = await startEmulatorProcess({ media: emulator.mediaDir, validators });
    const cacheDir = await cacheFolder();
    const service = () => emulatorClient(own);
    const run = async () => {
      const images = openImages({ service: service(), cacheDir });
      const files = await images.publish(
        await ask(images, 4711, { crop }),
        await ask(images, 4711),
      );
      return { files, counts: images.counts(), versions: images.versions() };
    };
    const first = await run();
    const [second, third] = [await run(), await run()];
    await own.stop();
    const known = validators !== 'none';
    for (const later of [second, third]) {
      expect(later.files).toEqual(first.files);
      expect(later.versions).toBe(first.versions);
      const downloads = known ? 0 : 1;
      expect(later.counts).toMatchObject({ made: 0, reused: 2, checks: 1, downloads });
    }
  },
);

test('a source that many components request at once is downloaded once', async () => {
  const images = await newBuild(emulator);
  takeDownloads(emulator);
  const asked = Array.from({ length: 40 }, (_, index) => ask(images, 4711, { width: 10 + index }));
  await images.publish(...(await Promise.all(asked)));
  expect(takeDownloads(emulator)).toHaveLength(1);
  expect(images.counts().downloads).toBe(1);
});

test('a changed asset gets new URLs, whole and as a crop, and the old bytes are deleted', async () => {
  const cacheDir = await cacheFolder();
  const first = await fillCache(cacheDir);
  const original = await drawTestImage(pictures[0] as (typeof pictures)[0]);
  const query = 'x1=20&y1=10&w=100&h=80';
  const answer = await emulator.fetch(`/1/file/4711/download/-1?${query}`);
  const oldCrop = Buffer.from(await answer.arrayBuffer());
  expect((await contentsOf(cacheDir)).some((bytes) => bytes.equals(oldCrop))).toBe(true);
  takeDownloads(emulator);
  await redraw(emulator, { path: 'a.jpg', width: 320, height: 200, seed: 9 });
  try {
    const images = openImages({ service: emulatorClient(emulator), cacheDir });
    const before = images.versions();
    await images.checkUsed();
    expect(images.versions()).not.toBe(before);
    const assets = [await ask(images, 4711, { crop }), await ask(images, 4711)];
    const files = await images.publish(...assets);

    expect(takeDownloads(emulator).filter((line) => line.includes('4711'))).toEqual([
      expect.stringMatching(/^200 /),
      expect.stringMatching(/^200 /),
    ]);
    expect(assets.map(({ src }) => src)).not.toEqual(
      first.assets.slice(0, 2).map(({ src }) => src),
    );
    expect([...files.values()]).not.toEqual([...first.files.values()].slice(0, 2));
    const contents = await contentsOf(cacheDir);
    for (const old of [original, oldCrop]) {
      expect(contents.some((bytes) => bytes.equals(old))).toBe(false);
    }
  } finally {
    await replaceAsset(emulator, 'a.jpg', original);
  }
});

test('a custom format with another size than its crop is refused', async () => {
  const images = await newBuild(emulator, {
    customFormat: ({ x, y, width, height }) => ({ x1: x, y1: y, w: width / 2, h: height / 2 }),
  });
  expect(await failureOf(ask(images, 4711, { crop }))).toMatchObject({
    code: 'custom-format-mismatch',
    message:
      '/page/: for a crop of asset 4711, the service sent 50 × 40 pixels instead of 100 × 80 pixels.',
  });
});

test('bytes damaged on disk are fetched again', async () => {
  const cacheDir = await cacheFolder();
  const { files } = await fillCache(cacheDir);
  for (const [path, bytes] of await filesBelow(`${cacheDir}/v3`))
    if (!path.endsWith('.json')) await writeFile(path, Buffer.alloc(bytes.length));

  const images = openImages({ service: emulatorClient(emulator), cacheDir });
  const assets = [
    await ask(images, 4711, { crop }),
    await ask(images, 4711),
    await ask(images, 4713, { crop }),
  ];
  expect(await images.publish(...assets)).toEqual(files);
});

test('a source that is kept for later pages is checked by every build, and others are not', async () => {
  const cacheDir = await cacheFolder();
  await fillCache(cacheDir);
  const { assets } = await fillCache(cacheDir);
  /** Runs a build whose pages show nothing. Returns the downloads that it checked. */
  const build = async () => {
    const images = openImages({ service: emulatorClient(emulator), cacheDir });
    await images.checkUsed();
    images.keep([assets[0]?.src ?? '']);
    await images.publish();
    return takeDownloads(emulator).map((line) => line.split(' ')[1]);
  };
  expect(await build()).toEqual(['/1/file/4711/download/0', '/1/file/4713/download/0']);
  expect(await build()).toEqual(['/1/file/4711/download/0']);
});
