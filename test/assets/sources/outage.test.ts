import { expect, test } from 'vitest';
import {
  closedPort,
  failureOf,
  type Respond,
  startScriptedService,
  status,
} from '../../service/scripted-service.ts';
import { drawTestImage, drawTestImages } from '../../support/images/test-images.ts';
import { startEmulatorProcess } from '../../support/service/emulator-process.ts';
import { cacheFolder, codeOf, emulatorClient, openImages } from '../open-images.ts';

const hour = 60 * 60 * 1000;
const day = 24 * hour;
const start = Date.UTC(2026, 2, 1);
const crop = { x: 20, y: 10, width: 100, height: 80 };
const page = '/page/';

const pictures = Array.from({ length: 30 }, (_, index) => ({
  path: `${String(index).padStart(2, '0')}.jpg`,
  width: 160,
  height: 120,
  seed: index,
}));
const media = await drawTestImages(pictures);

/** A cache that a build filled at `start`. The service has stopped since then. */
async function fillThenStop(count: number) {
  const emulator = await startEmulatorProcess({ media });
  const cacheDir = await cacheFolder();
  const service = () => emulatorClient(emulator, { attempts: 2 });
  const images = openImages({ service: service(), cacheDir, clock: () => start });
  const ids = pictures.slice(0, count).map((_, index) => 4711 + index);
  const requests = ids.map((id) => ({ id, alt: '', page, crop }));
  const assets = await Promise.all(requests.map(images.getMediaAsset));
  const files = await images.publish(...assets);
  await emulator.stop();
  return { url: emulator.url, cacheDir, service, requests, files };
}

test('with a full cache and no service, a build publishes the same files and reports stale assets once', async () => {
  const { cacheDir, service, requests, files } = await fillThenStop(3);
  const images = openImages({ service: service(), cacheDir, clock: () => start + 7 * day });
  const before = images.versions();
  await images.checkUsed();
  const assets = [];
  for (const request of [...requests, ...requests])
    assets.push(await images.getMediaAsset(request));
  expect(await images.publish(...assets)).toEqual(files);
  expect(images.versions()).toBe(before);
  expect(images.findings.map(({ code }) => code)).toEqual(['asset-stale']);
  expect(images.findings[0]?.message).toMatch(
    /^3 assets are stale: .* last checked 2026-03-01T00:00:00\.000Z/,
  );
  expect(images.counts()).toMatchObject({ made: 0, reused: 3, downloads: 0, stale: 3 });
});

test("an asset whose last check is too old isn't published, rendered again or not", async () => {
  const { cacheDir, service, requests } = await fillThenStop(1);
  const open = (late: number) =>
    openImages({ service: service(), cacheDir, clock: () => start + late });
  const asset = await open(0).getMediaAsset(requests[0] as never);
  expect(await codeOf(open(8 * day).publish(asset))).toBe('stale-too-long');
  expect(await failureOf(open(7 * day + 1).getMediaAsset(requests[0] as never))).toMatchObject({
    code: 'stale-too-long',
    message: "/page/: asset 4711 couldn't be checked with the service for more than 7 days.",
  });
});

test('a check counts for all crops of an asset, also for maxStale', async () => {
  const emulator = await startEmulatorProcess({ media });
  const cacheDir = await cacheFolder();
  const service = () => emulatorClient(emulator, { attempts: 1 });
  const other = { ...crop, x: 0 };
  const first = openImages({ service: service(), cacheDir, clock: () => start });
  await first.show(4711, { crop });
  await first.show(4711, { crop: other });
  await first.save();
  const second = openImages({ service: service(), cacheDir, clock: () => start + 6 * day });
  await second.show(4711, { crop });
  await second.save();
  await emulator.stop();

  const third = openImages({ service: service(), cacheDir, clock: () => start + 12 * day });
  await third.show(4711, { crop: other });
  await third.save();
  expect(third.findings[0]?.message).toContain('last checked 2026-03-07');
});

test('after two failures, the rest of the cache is used without requests', async () => {
  const { url, cacheDir, requests } = await fillThenStop(30);
  const asked: string[] = [];
  const service = emulatorClient(
    { url },
    {
      attempts: 1,
      concurrency: 1,
      fetch: async (input, init) => {
        asked.push(String(input));
        return fetch(input, init);
      },
    },
  );
  const images = openImages({ service, cacheDir, clock: () => start + hour });
  await images.checkUsed();
  await Promise.all(requests.map(images.getMediaAsset));
  expect(asked.length).toBeLessThanOrEqual(2);
  expect(images.counts()).toMatchObject({ stale: 30 });
});

test('pending checks are canceled once two have failed', async () => {
  const bytes = await drawTestImage({ path: 'a.jpg', width: 160, height: 120 });
  let answers: 'all' | number = 'all';
  const scripted = await startScriptedService({
    respond: (response) => {
      if (answers === 'all') return void response.writeHead(200, { etag: '"1"' }).end(bytes);
      answers -= 1;
      if (answers >= 0) response.destroy();
    },
  });
  const cacheDir = await cacheFolder();
  // Longer than a test may take, which proves that nothing waits for the other checks.
  const limits = { timeLimit: 600_000, deadline: 600_000 };
  const service = () => emulatorClient(scripted, { attempts: 1, ...limits });
  const requests = Array.from({ length: 20 }, (_, index) => ({ id: index + 1, alt: '', page }));
  const first = openImages({ service: service(), cacheDir });
  await Promise.all(requests.map(first.getMediaAsset));
  await first.save();
  answers = 2;
  const second = openImages({ service: service(), cacheDir });
  await Promise.all(requests.map(second.getMediaAsset));
  expect(second.counts()).toMatchObject({ stale: 20, downloads: 0 });
  await second.save();
  expect(second.findings).toMatchObject([
    {
      code: 'asset-stale',
      message: expect.stringMatching(
        /^20 assets are stale: .* last checked 20\d\d-.*: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 10 more\.$/,
      ),
    },
  ]);
});

test('without a cache, the error names the page, the asset and the service', async () => {
  const url = `http://127.0.0.1:${closedPort}`;
  const service = emulatorClient({ url }, { attempts: 1 });
  const images = openImages({ service, cacheDir: await cacheFolder() });
  const error = await failureOf(images.show(4711));
  expect(error.code).toBe('service-unreachable');
  expect(error.message).toMatch(/^\/page\/: asset 4711: The service couldn't be reached/);
  expect(error.message).toContain(url);
  expect(error.cause).toMatchObject({ code: 'service-unreachable' });
  expect(error).toMatchObject({
    hint: expect.stringMatching(
      /^Start it: `npx media-asset emulator`. Or correct the address. \[/,
    ),
  });
});

test.each([
  ['status 500', status(500)],
  ['status 503', status(503)],
  ['status 429', status(429)],
  ['an HTML page', signIn(200)],
  ['an HTML page with status 403', signIn(403)],
  ['an HTML page with status 404', signIn(404)],
])('%s instead of an image is an outage', async (_, fail) => {
  const bytes = await drawTestImage({ path: 'a.jpg', width: 160, height: 120 });
  let working = true;
  const scripted = await startScriptedService({
    respond: (response, request) =>
      working ? void response.writeHead(200, { etag: '"1"' }).end(bytes) : fail(response, request),
  });
  const cacheDir = await cacheFolder();
  const open = (options = { cacheDir }) =>
    openImages({ service: emulatorClient(scripted, { attempts: 1 }), ...options });
  const first = open();
  const before = await first.show(1);
  await first.publish(before);
  working = false;
  const second = open();
  await second.checkUsed();
  const asset = await second.show(1);
  expect(asset.src).toBe(before.src);
  expect((await second.publish(asset)).size).toBeGreaterThan(0);
  expect(second.findings).toMatchObject([{ code: 'asset-stale', asset: 1 }]);
  const empty = open({ cacheDir: await cacheFolder() });
  expect((await failureOf(empty.show(1))).message).toMatch(/^\/page\/: /);
});

function signIn(code: number): Respond {
  return (response) =>
    void response.writeHead(code, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>');
}
