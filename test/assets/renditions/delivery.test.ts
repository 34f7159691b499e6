import { expect, test } from 'vitest';
import { startEmulatorProcess } from '../../support/service/emulator-process.ts';
import { codeOf, deleteAsset, issuedIn, newBuild, openSite, startService } from '../open-images.ts';

const emulator = await startService([{ path: 'a.jpg', width: 320, height: 200, orientation: 6 }]);
const crop = { x: 20, y: 10, width: 100, height: 80 };
const request = { id: 4711, alt: 'A quay', page: '/page/' };
const original = `/1/file/4711/download/0`;
const customFormat = `/1/file/4711/download/-1?x1=20&y1=10&w=100&h=80`;

test("pages contain the service's own URLs, with the sizes of the shown parts", async () => {
  const { cacheDir, open } = await openSite(emulator);
  const images = open({ delivery: 'service' });
  const { url } = emulator;
  const cropUrl = `${url}${customFormat}`;
  expect(await images.getMediaAsset({ ...request, crop, width: 50 })).toMatchObject({
    ...{ src: cropUrl, url: cropUrl, customFormatUrl: cropUrl, srcset: undefined },
    ...{ sources: [], renditions: [] },
    ...{ originalUrl: `${url}${original}`, width: 50, height: 40 },
  });
  expect(await images.getMediaAsset(request)).toMatchObject({
    src: `${url}${original}`,
    width: 320,
    height: 200,
    customFormatUrl: undefined,
  });
  // Nothing cuts it, and no styles fit it into a square.
  const square = { ...request, width: 100, height: 100, layout: 'none' } as const;
  expect(await images.getMediaAsset(square)).toMatchObject({ width: 100, height: 63 });
  expect(await images.getMediaAsset({ ...square, layout: 'constrained' })).toMatchObject({
    ...{ width: 100, height: 100, fit: 'cover' },
  });
  await images.save();
  expect(issuedIn(cacheDir).map(({ as, key }) => [as, key])).toEqual([
    ['link', cropUrl],
    ['link', `${url}${original}`],
  ]);
});

test('a gateway that answers visitors causes no finding', async () => {
  const open = await startEmulatorProcess({ media: emulator.mediaDir, openDownloads: true });
  const images = await newBuild(open, { delivery: 'service' });
  await images.getMediaAsset({ ...request, crop });
  await images.save();
  await open.stop();
  expect(images.findings).toEqual([]);
});

test('a withdrawn asset whose service URL is on a page ends the build', async () => {
  const { open, next } = await openSite(emulator, {}, { delivery: 'service' });
  const assets = [{ id: 4711, page: '/page/' }];
  const emitted = { addresses: [], assets, write: async () => {} };
  const first = open();
  await first.getMediaAsset(request);
  await first.emit(emitted);
  await first.save();
  await deleteAsset(emulator, 'a.jpg');
  const second = await next();
  expect(second.versions()).not.toBe(first.versions());
  expect(await codeOf(second.emit(emitted))).toBe('asset-withdrawn');
});
