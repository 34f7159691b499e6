import { expect, test } from 'vitest';
import { failureOf } from '../../service/scripted-service.ts';
import { startEmulatorProcess } from '../../support/service/emulator-process.ts';
import {
  cacheFolder,
  deleteAsset,
  emulatorClient,
  issuedIn,
  openImages,
  startService,
} from '../open-images.ts';

const emulator = await startService([{ path: 'a.jpg', width: 320, height: 200, orientation: 6 }]);
const crop = { x: 20, y: 10, width: 100, height: 80 };
const request = { id: 4711, alt: 'A quay', page: '/page/' };
const original = `/1/file/4711/download/0`;
const customFormat = `/1/file/4711/download/-1?x1=20&y1=10&w=100&h=80`;

test("pages contain the service's own URLs, with the sizes of the shown parts", async () => {
  const cacheDir = await cacheFolder();
  const images = openImages({ service: emulatorClient(emulator), cacheDir, delivery: 'service' });
  const { url } = emulator;
  expect(await images.getMediaAsset({ ...request, crop, width: 50 })).toEqual({
    id: 4711,
    alt: 'A quay',
    creators: [],
    src: `${url}${customFormat}`,
    imageSet: `image-set(url('${url}${customFormat}') 1x)`,
    url: `${url}${customFormat}`,
    srcset: undefined,
    sizes: undefined,
    width: 50,
    height: 40,
    layout: 'constrained',
    fit: 'cover',
    sources: [],
    placeholder: undefined,
    customFormatUrl: `${url}${customFormat}`,
    originalUrl: `${url}${original}`,
    renditions: [],
  });
  expect(await images.getMediaAsset(request)).toMatchObject({
    src: `${url}${original}`,
    width: 320,
    height: 200,
    customFormatUrl: undefined,
  });
  await images.save();
  expect(issuedIn(cacheDir).map(({ as, key }) => [as, key])).toEqual([
    ['link', `${url}${customFormat}`],
    ['link', `${url}${original}`],
  ]);
});

test('a refused request without a token is reported once', async () => {
  const cacheDir = await cacheFolder();
  const images = openImages({ service: emulatorClient(emulator), cacheDir, delivery: 'service' });
  emulator.clearLog();
  await images.getMediaAsset({ ...request, crop });
  await images.getMediaAsset(request);
  await images.save();
  expect(images.findings.map(({ code }) => code)).toEqual(['tokenless-refused']);
  expect(images.findings[0]?.message).toContain(`${emulator.url}${customFormat} got status 401`);
  const tokenless = emulator.log().filter(({ headers }) => headers.authorization === undefined);
  expect(tokenless.filter(({ path }) => path.includes('/download/'))).toHaveLength(1);
});

test('a gateway that answers visitors causes no finding', async () => {
  const open = await startEmulatorProcess({ media: emulator.mediaDir, openDownloads: true });
  const cacheDir = await cacheFolder();
  const images = openImages({ service: emulatorClient(open), cacheDir, delivery: 'service' });
  await images.getMediaAsset({ ...request, crop });
  await images.save();
  await open.stop();
  expect(images.findings).toEqual([]);
});

test('a withdrawn asset whose service URL is on a page ends the build', async () => {
  const cacheDir = await cacheFolder();
  const options = { cacheDir, delivery: 'service' } as const;
  const first = openImages({ service: emulatorClient(emulator), ...options });
  await first.getMediaAsset(request);
  const assets = [{ id: 4711, page: '/page/' }];
  await first.emit({ addresses: [], assets, write: async () => {} });
  await first.save();
  await deleteAsset(emulator, 'a.jpg');

  const second = openImages({ service: emulatorClient(emulator), ...options });
  await second.checkUsed();
  expect(second.versions()).not.toBe(first.versions());
  expect(
    await failureOf(second.emit({ addresses: [], assets, write: async () => {} })),
  ).toMatchObject({ code: 'asset-withdrawn' });
});
