import sharp, { type Sharp } from 'sharp';
import { beforeEach, expect, test } from 'vitest';
import { startScriptedService } from '../../service/scripted-service.ts';
import {
  issuedIn,
  newBuild,
  openSite,
  replaceAsset,
  startService,
  type TestImages,
  takeDownloads,
} from '../open-images.ts';

const size = { width: 120, height: 80 };
const emulator = await startService([
  { path: 'a.gif', ...size },
  { path: 'b.webp', ...size },
  { path: 'c.gif', ...size },
  { path: 'd.jpg', ...size },
]);
const [gif, webp, still, photograph] = [4711, 4712, 4713, 4714];

const colours = ['#e00000', '#00c000', '#0000e0'];

/** Three frames, each with a mark in the cropped part. */
async function animation(): Promise<Sharp> {
  const mark = { create: { width: 30, height: 20, channels: 3, background: '#fff' } } as const;
  const frames = colours.map((background, at) =>
    sharp({ create: { ...size, channels: 3, background } })
      .composite([{ input: mark, left: 20 + 30 * at, top: 30 }])
      .png()
      .toBuffer(),
  );
  return sharp(await Promise.all(frames), { join: { animated: true } });
}

const times = { delay: [100, 200, 300], loop: 2 };
await replaceAsset(emulator, 'a.gif', await (await animation()).gif(times).toBuffer());
await replaceAsset(emulator, 'b.webp', await (await animation()).webp(times).toBuffer());

beforeEach(() => emulator.clearLog());

const crop = { x: 20, y: 30, width: 90, height: 40 };

const publish = (images: TestImages, id: number) => images.publishOne(id, { crop, format: 'webp' });

/** The requested crops (-1) and originals (0). */
const asked = () =>
  takeDownloads(emulator).map((line) =>
    line.replace(/^(\d+) \/1\/file\/(\d+)\/download\/(0|-1).*$/, '$1 $2/$3'),
  );

test.each([
  ['GIF', gif],
  ['WebP', webp],
])('a crop of an animated %s keeps its frames, as in the dev server', async (_, id) => {
  const images = await newBuild(emulator);
  const { asset, bytes } = await publish(images, id);
  const shown = { width: 90, height: 40, pages: 3, ...times };
  expect(await sharp(bytes).metadata()).toMatchObject(shown);
  const local = await publish(await newBuild(emulator, { crops: 'local' }), id);
  expect(bytes).toEqual(local.bytes);
  expect(asset.customFormatUrl).toBe(
    `${emulator.url}/1/file/${id}/download/-1?x1=20&y1=30&w=90&h=40`,
  );
  expect(images.findings).toEqual([]);
});

test('a second build with the same crop of an animation checks the original, and downloads nothing', async () => {
  const { open, next } = await openSite(emulator);
  await publish(open(), gif);
  expect(asked()).toEqual([`200 ${gif}/0`, `200 ${gif}/-1`]);
  const again = await next();
  const { bytes } = await publish(again, gif);
  expect(await sharp(bytes).metadata()).toMatchObject({ pages: 3 });
  expect(asked()).toEqual([`304 ${gif}/0`]);
});

test('a crop of an image with one frame comes from the service, also for formats that can be animated', async () => {
  const { cacheDir, open } = await openSite(emulator);
  const images = open();
  for (const id of [still, photograph]) {
    await publish(images, id);
    const item = issuedIn(cacheDir).find((one) => one.id === id);
    expect(item?.source.reference.kind).toBe('custom-format');
  }
});

test('a crop comes from the service if it keeps the frames', async () => {
  const scripted = await startScriptedService({
    async respond(response, { url }) {
      const picture = sharp(await (await animation()).gif(times).toBuffer(), { animated: true });
      const [left, top, width, height] = ['x1', 'y1', 'w', 'h'].map((name) =>
        Number(new URL(url, 'http://localhost').searchParams.get(name)),
      ) as [number, number, number, number];
      if (width) picture.extract({ left, top, width, height });
      response.writeHead(200).end(await picture.gif().toBuffer());
    },
  });
  const { cacheDir, open } = await openSite(scripted);
  const { bytes } = await publish(open(), 1);
  expect(await sharp(bytes).metadata()).toMatchObject({ pages: 3, ...times });
  expect(issuedIn(cacheDir)).toMatchObject([{ source: { reference: { kind: 'custom-format' } } }]);
});

test.each(['avif', 'jpeg', 'png'] as const)(
  'an animation that pages show twice as %s has one finding',
  async (format) => {
    const images = await newBuild(emulator);
    for (const page of ['/page/', '/other/'])
      await images.getMediaAsset({ id: gif, alt: '', page, format });
    expect(images.findings.map(({ message }) => message)).toEqual([
      `/page/: asset 4711 is animated, but ${format} shows only its first frame.`,
    ]);
  },
);
