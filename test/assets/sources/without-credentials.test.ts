import { expect, test } from 'vitest';
import { createMediaService } from '../../../src/service/client.ts';
import {
  cacheFolder,
  emulatorClient,
  filesBelow,
  openImages,
  startService,
} from '../open-images.ts';

const emulator = await startService([{ path: 'quay.jpg', width: 640, height: 480 }]);
const month = 30 * 24 * 60 * 60 * 1000;
const page = '/quay/';
const [id, alt] = [4711, 'The quay'];

const openSignedOut = (mode: 'build' | 'dev', cacheDir: string) =>
  openImages({
    service: createMediaService({
      baseUrl: emulator.url,
      credentials: { kind: 'none' },
    }),
    ...{ cacheDir, mode, hasCredentials: false },
    clock: () => Date.now() + month,
  });

test.each(['build', 'dev'] as const)(
  'without credentials, a %s shows cached assets of any age and leaves the cache unchanged',
  async (mode) => {
    const cacheDir = await cacheFolder();
    const signedIn = openImages({ service: emulatorClient(emulator), cacheDir });
    const published = await signedIn.publish(await signedIn.getMediaAsset({ id, alt, page }));
    const before = await filesBelow(cacheDir);
    emulator.clearLog();

    const images = openSignedOut(mode, cacheDir);
    const whole = await images.getMediaAsset({ id, alt, page });
    const crop = { x: 40, y: 20, width: 240, height: 160 };
    const part = await images.getMediaAsset({ id, alt, page, crop });
    const files = await images.publish(whole, part);

    expect(Object.fromEntries(files)).toMatchObject(Object.fromEntries(published));
    expect(files.has(part.src)).toBe(true);
    const after = await filesBelow(cacheDir);
    expect(Object.fromEntries(after)).toMatchObject(Object.fromEntries(before));
    expect(images.counts()).toMatchObject({ missing: 0, stale: 0 });
    expect(images.findings).toEqual([]);
    expect(emulator.log()).toEqual([]);
  },
);

test.each(['build', 'dev'] as const)(
  "without credentials, a %s shows placeholders of assets that aren't cached",
  async (mode) => {
    const images = openSignedOut(mode, await cacheFolder());
    const asset = await images.getMediaAsset({ id, alt, page, width: 300, height: 100 });
    expect(asset).toMatchObject({ id, alt, width: 300, height: 100, renditions: [] });
    expect(decodeURIComponent(asset.src)).toContain('service-not-configured');
    expect(await images.getMediaFile({ id: 4712, page })).toBeUndefined();
    expect(images.counts()).toMatchObject({ missing: 2 });
    expect(images.findings).toEqual([]);
  },
);

test('without credentials, an invalid request is still an error', async () => {
  const images = openSignedOut('build', await cacheFolder());
  const wrong = images.getMediaAsset({ id, alt, page, width: 0 });
  await expect(wrong).rejects.toMatchObject({ code: 'prop-invalid' });
});
