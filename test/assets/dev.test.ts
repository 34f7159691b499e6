import { expect, test } from 'vitest';
import { parseRenditionUrl } from '../../src/assets/formats/rendition-url.ts';
import { inTurn, startScriptedService, status } from '../service/scripted-service.ts';
import {
  drawTestImage,
  meanDifference,
  patternPixels,
  regionPixels,
} from '../support/images/test-images.ts';
import { codeOf, give, newBuild, openSite } from './open-images.ts';

const size = { width: 320, height: 200 };
const older = await drawTestImage({ path: 'a.jpg', ...size });
const newer = await drawTestImage({ path: 'a.jpg', ...size, seed: 7 });
const crop = { x: 40, y: 30, width: 120, height: 90 };
const request = { id: 4711, alt: 'A quay', page: '/page/', crop, format: 'png' } as const;
const dev = { mode: 'dev', crops: 'local' } as const;

test('a crop is cut from the cached original and served by its URL', async () => {
  const scripted = await startScriptedService({ respond: give(older) });
  const images = await newBuild(scripted, dev);
  const asset = await images.getMediaAsset(request);
  await images.getMediaAsset({ ...request, crop: { ...crop, x: 0 } });
  const file = await images.fileFor(asset.src);
  const region = regionPixels(patternPixels(size), crop);
  expect(file?.contentType).toBe('image/png');
  expect(await meanDifference(file?.bytes, region)).toBeLessThan(3);
  expect(scripted.requests.map(({ url }) => url)).toEqual(['/1/file/4711/download/0']);
  expect(asset.customFormatUrl).toBe(
    `${scripted.url}/1/file/4711/download/-1?x1=40&y1=30&w=120&h=90`,
  );
});

test.each([
  [{ formats: ['avif', 'webp'] }, ['image/webp']],
  [{ formats: ['avif'] }, ['image/avif']],
  [{ format: 'avif' }, []],
] as const)(
  'AVIF is left to builds if there is another format: %o has sources %o',
  async (given, types) => {
    const scripted = await startScriptedService({ respond: give(older) });
    const plain = { id: 4711, alt: 'A quay', page: '/page/', width: 100, ...given };
    const [inDev, built] = [await newBuild(scripted, dev), await newBuild(scripted)];
    const { sources, src } = await inDev.getMediaAsset(plain);
    expect(sources.map(({ type }) => type)).toEqual(types);
    expect((await inDev.fileFor(src))?.contentType).toBe(
      'format' in given ? 'image/avif' : 'image/jpeg',
    );
    const all = 'formats' in given ? given.formats.map((one) => `image/${one}`) : [];
    expect((await built.getMediaAsset(plain)).sources.map(({ type }) => type)).toEqual(all);
  },
);

test('a URL that no component issued has no bytes and causes no request', async () => {
  const scripted = await startScriptedService({ respond: give(older) });
  const images = await newBuild(scripted, dev);
  const { src } = await images.getMediaAsset(request);
  const { digest } = parseRenditionUrl(src) ?? { digest: '' };
  for (const url of [src.replace(digest, 'f'.repeat(16)), src.replace('4711-', '4712-'), '/a.png'])
    expect(await images.fileFor(url)).toBeUndefined();
  expect(scripted.requests).toHaveLength(1);
});

test('a cached source is used immediately, and a changed one with the next render', async () => {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const scripted = await startScriptedService({
    respond: inTurn(give(older), async (response, received) => {
      await held;
      give(newer)(response, received);
    }),
  });
  const { open } = await openSite(scripted);
  const { src } = await open(dev).getMediaAsset(request);

  const second = open(dev);
  expect((await second.getMediaAsset(request)).src).toBe(src);
  letGo();
  await second.save();
  const changed = await second.getMediaAsset(request);
  expect(changed.src).not.toBe(src);
  const file = await second.fileFor(changed.src);
  const region = regionPixels(patternPixels({ ...size, seed: 7 }), crop);
  expect(await meanDifference(file?.bytes, region)).toBeLessThan(3);
  await second.getMediaAsset(request);
  await second.save();
  expect(scripted.requests).toHaveLength(2);
});

test('without the service, cached assets of any age are shown, with one warning', async () => {
  const scripted = await startScriptedService({
    respond: inTurn(give(older), give(older), status(503)),
  });
  const { open } = await openSite(scripted, { attempts: 1 });
  const requests = [request, { ...request, id: 4712 }];
  const first = open(dev);
  const before = await Promise.all(requests.map(first.getMediaAsset));
  await first.save();

  const later = () => Date.now() + 1000 * 24 * 60 * 60 * 1000;
  const second = open({ clock: later, ...dev });
  for (let render = 0; render < 3; render++) {
    const assets = await Promise.all(requests.map(second.getMediaAsset));
    expect(assets.map(({ src }) => src)).toEqual(before.map(({ src }) => src));
    await second.save();
  }
  expect((await second.fileFor(before[0]?.src ?? ''))?.bytes?.length).toBeGreaterThan(0);
  expect(second.findings.map(({ code }) => code)).toEqual(['service-failed']);
});

test('after a build, new crops and sizes need no service', async () => {
  const scripted = await startScriptedService({ respond: inTurn(give(older), status(503)) });
  const { open } = await openSite(scripted, { attempts: 1 });
  const { crop: _, ...whole } = request;
  await open().publishOne(4711);

  const images = open(dev);
  for (const shown of [request, { ...request, width: 60 }, { ...whole, width: 100 }]) {
    const { src } = await images.getMediaAsset(shown);
    expect((await images.fileFor(src))?.bytes?.length).toBeGreaterThan(0);
  }
  await images.save();
});

test('an asset that is withdrawn while the server runs is an error with the next render', async () => {
  const scripted = await startScriptedService({ respond: inTurn(give(older), status(410)) });
  const { open } = await openSite(scripted);
  await open(dev).getMediaAsset(request);
  const images = open(dev);
  const { src } = await images.getMediaAsset(request);
  await images.save();
  expect(images.findings.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
    'error asset-withdrawn',
  ]);
  expect(await codeOf(images.getMediaAsset(request))).toBe('asset-withdrawn');
  expect(await images.fileFor(src)).toBeUndefined();
});

test('an asset that the service delivers again is shown within seconds, without a restart', async () => {
  let now = Date.now();
  const scripted = await startScriptedService({
    respond: inTurn(status(404), status(404), give(older), status(404)),
  });
  const images = await newBuild(scripted, { clock: () => now, ...dev });
  for (const wait of [0, 2000, 3000]) {
    now += wait;
    expect(await codeOf(images.getMediaAsset(request))).toBe('asset-unknown');
  }
  expect(scripted.requests).toHaveLength(2);

  now += 3000;
  const { src } = await images.getMediaAsset(request);
  expect((await images.fileFor(src))?.contentType).toBe('image/png');
  expect((await images.getMediaAsset(request)).src).toBe(src);
  await images.save();
  expect(scripted.requests).toHaveLength(3);
});
