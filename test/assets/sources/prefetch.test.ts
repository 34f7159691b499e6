import { expect, onTestFinished, test } from 'vitest';
import { failureOf } from '../../service/scripted-service.ts';
import { startPausableProxy } from '../../support/service/pausable-proxy.ts';
import { newBuild, startService, takeDownloads } from '../open-images.ts';

const pictures = Array.from({ length: 20 }, (_, index) => ({
  path: `${String(index).padStart(2, '0')}.jpg`,
  width: 60,
  height: 40,
  seed: index,
}));
const emulator = await startService(pictures);
const page = '/page/';

test('a prefetched asset is downloaded once, before a page requests it', async () => {
  const images = await newBuild(emulator);
  takeDownloads(emulator);
  images.prefetch(async () => [4711, 4711, 4712]);
  await images.show(4711);
  await images.save();
  const named = takeDownloads(emulator).map((line) => line.split(' ')[1]);
  expect(named.sort()).toEqual(['/1/file/4711/download/0', '/1/file/4712/download/0']);
});

test('a prefetch that fails is an error only for a page that requests the asset', async () => {
  const images = await newBuild(emulator);
  images.prefetch(async () => [999]);
  await images.show(4711);
  expect(await failureOf(images.show(999))).toMatchObject({
    code: 'asset-unknown',
    message: expect.stringContaining(page),
  });
  await images.save();
  expect(images.findings).toEqual([]);
});

test('the end of a build waits for pending downloads, and starts no others', async () => {
  const proxy = await startPausableProxy(emulator.url);
  onTestFinished(() => proxy.close());
  const release = proxy.hold(/download/);
  const images = await newBuild(proxy, { requestsAtOnce: 2 });
  takeDownloads(emulator);
  images.prefetch(async () => pictures.map((_, index) => 4711 + index));
  const arrived = () => emulator.log().filter(({ path }) => path.includes('/download/'));
  await expect.poll(arrived).toHaveLength(4);
  const saved = images.save();
  release();
  await saved;
  expect(images.counts().downloads).toBe(4);
  expect(takeDownloads(emulator)).toHaveLength(4);
});

test('assets that are named after the end of a build start no downloads', async () => {
  const images = await newBuild(emulator);
  const named = Promise.withResolvers<number[]>();
  images.prefetch(() => named.promise);
  await images.save();
  named.resolve([4711, 4712]);
  await images.tidy();
  expect(images.counts().downloads).toBe(0);
});
