import { readFile, writeFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { failureOf } from '../service/scripted-service.ts';
import { drawTestImage } from '../support/images/test-images.ts';
import { startEmulatorProcess } from '../support/service/emulator-process.ts';
import {
  contentsOf,
  filesBelow,
  newBuild,
  openSite,
  redraw,
  startService,
  type TestImages,
  takeDownloads,
} from './open-images.ts';

const pictures = [
  { path: 'a.jpg', width: 320, height: 200 },
  { path: 'b.jpg', width: 320, height: 200 },
  { path: 'c.png', width: 320, height: 200, seed: 2 },
] as const;
const emulator = await startService(pictures);
const crop = { x: 20, y: 10, width: 100, height: 80 };

/** Runs a build that shows asset 4711, whole and as a crop, and 4713 as a crop. */
async function build(images: TestImages) {
  const before = images.versions();
  await images.checkUsed();
  const isOutdated = images.versions() !== before;
  const assets = [
    await images.show(4711, { crop }),
    await images.show(4711),
    await images.show(4713, { crop }),
  ];
  const files = await images.publish(...assets);
  return { images, assets, files, isOutdated, downloads: takeDownloads(emulator) };
}

test('a crop is fetched as a custom format, after its original', async () => {
  const images = await newBuild(emulator);
  takeDownloads(emulator);
  const { asset } = await images.publishOne(4711, { crop, width: 50 });
  expect(takeDownloads(emulator)).toEqual([
    expect.stringMatching(/^200 \/1\/file\/4711\/download\/0$/),
    expect.stringMatching(/^200 \/1\/file\/4711\/download\/-1\?x1=20&y1=10&w=100&h=80$/),
  ]);
  expect(asset).toMatchObject({
    customFormatUrl: `${emulator.url}/1/file/4711/download/-1?x1=20&y1=10&w=100&h=80`,
    originalUrl: `${emulator.url}/1/file/4711/download/0`,
    width: 50,
    height: 40,
  });
});

test('an unchanged build sends one conditional request per asset', async () => {
  const { open } = await openSite(emulator);
  const first = await build(open());
  const { images, files, downloads } = await build(open());
  expect(files).toEqual(first.files);
  expect(downloads.map((line) => line.replace(/ .*file\/(\d+).*/, ' $1')).sort()).toEqual([
    '304 4711',
    '304 4713',
  ]);
  expect(images.counts()).toEqual({
    ...{ assets: 2, made: 0, reused: 3, taken: 0, downloads: 0, checks: 2 },
    ...{ stale: 0, missing: 0 },
  });
  expect(images.findings).toEqual([]);
});

test('a build after one with other pixels says once that it makes all images again', async () => {
  const { open, cacheDir } = await openSite(emulator);
  await build(open());
  const [path = ''] = [...(await filesBelow(cacheDir)).keys()].filter((one) =>
    one.endsWith('last-build.json'),
  );
  const { pixels, ...others } = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify({ ...others, pixels: pixels - 1 }));
  const codes = async () => (await build(open())).images.findings.map(({ code }) => code);
  expect(await codes()).toEqual(['renditions-renewed']);
  expect(await codes()).toEqual([]);
});

test.each(['etag', 'last-modified', 'none'] as const)(
  'later builds with the validators "%s" publish the same',
  async (validators) => {
    const own = await startEmulatorProcess({ media: emulator.mediaDir, validators });
    const { open } = await openSite(own);
    const run = async () => {
      const images = open();
      const files = await images.publish(
        await images.show(4711, { crop }),
        await images.show(4711),
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
  const asked = Array.from({ length: 40 }, (_, index) => images.show(4711, { width: 10 + index }));
  await images.publish(...(await Promise.all(asked)));
  expect(takeDownloads(emulator)).toHaveLength(1);
  expect(images.counts().downloads).toBe(1);
});

test('a changed asset gets new URLs, whole and as a crop, and the old bytes are deleted', async () => {
  const { cacheDir, open } = await openSite(emulator);
  const first = await build(open());
  const original = await drawTestImage(pictures[0]);
  const answer = await emulator.fetch('/1/file/4711/download/-1?x1=20&y1=10&w=100&h=80');
  const oldCrop = Buffer.from(await answer.arrayBuffer());
  expect((await contentsOf(cacheDir)).some((bytes) => bytes.equals(oldCrop))).toBe(true);
  takeDownloads(emulator);
  onTestFinished(() => redraw(emulator, pictures[0]));
  await redraw(emulator, { ...pictures[0], seed: 9 });
  const { assets, isOutdated, downloads } = await build(open());
  expect(isOutdated).toBe(true);
  expect(downloads.filter((line) => line.includes('4711'))).toEqual([
    expect.stringMatching(/^200 /),
    expect.stringMatching(/^200 /),
  ]);
  for (const at of [0, 1]) expect(assets[at]?.src).not.toBe(first.assets[at]?.src);
  const contents = await contentsOf(cacheDir);
  for (const old of [original, oldCrop])
    expect(contents.some((bytes) => bytes.equals(old))).toBe(false);
});

test('a custom format with another size than its crop is refused', async () => {
  const images = await newBuild(emulator, {
    customFormat: ({ x, y, width, height }) => ({ x1: x, y1: y, w: width / 2, h: height / 2 }),
  });
  expect(await failureOf(images.show(4711, { crop }))).toMatchObject({
    code: 'custom-format-mismatch',
    message:
      '/page/: for a crop of asset 4711, the service sent 50 × 40 pixels instead of this part of the original (100 × 80 pixels).',
  });
});

test('kept HTML is current while its renditions and what it says of records are', async () => {
  const { open, next } = await openSite(emulator);
  const { assets } = await build(open());
  const urls = assets.map(({ src }) => src);
  const later = await next();
  const records = later.keep(urls);
  expect(later.isCurrent(urls, records)).toBe(true);
  expect(later.isCurrent(urls, `${records} of others`)).toBe(false);
  const another = urls[0]?.replace(/-[0-9a-f]{16}-/, `-${'0'.repeat(16)}-`) ?? '';
  expect(later.isCurrent([...urls, another], later.keep([...urls, another]))).toBe(false);
});

test('a source that is kept for later pages is checked by every build, and others are not', async () => {
  const { open, next } = await openSite(emulator);
  await build(open());
  const { assets } = await build(open());
  /** Runs a build whose pages show nothing. Returns the downloads that it checked. */
  const buildEmpty = async () => {
    const images = await next();
    images.keep([assets[0]?.src ?? '']);
    await images.publish();
    return takeDownloads(emulator).map((line) => line.split(' ')[1]);
  };
  expect(await buildEmpty()).toEqual(['/1/file/4711/download/0', '/1/file/4713/download/0']);
  expect(await buildEmpty()).toEqual(['/1/file/4711/download/0']);
});
