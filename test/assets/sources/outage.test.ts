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
import {
  codeOf,
  emulatorClient,
  give,
  openImages,
  openSite,
  type TestImages,
} from '../open-images.ts';

const hour = 60 * 60 * 1000;
const day = 24 * hour;
const start = Date.UTC(2026, 2, 1);
const crop = { x: 20, y: 10, width: 100, height: 80 };

const pictures = Array.from({ length: 30 }, (_, index) => ({
  path: `${String(index).padStart(2, '0')}.jpg`,
  width: 160,
  height: 120,
  seed: index,
}));
const media = await drawTestImages(pictures);
const picture = await drawTestImage({ path: 'a.jpg', width: 160, height: 120 });

/** A site that a build filled at `start`. The service has stopped since then. */
async function fillThenStop(count: number) {
  const emulator = await startEmulatorProcess({ media });
  const { cacheDir, open } = await openSite(emulator, { attempts: 2 });
  const openAt = (late: number) => open({ clock: () => start + late });
  const ids = pictures.slice(0, count).map((_, index) => 4711 + index);
  const showAll = (images: TestImages) => Promise.all(ids.map((id) => images.show(id, { crop })));
  const images = openAt(0);
  const files = await images.publish(...(await showAll(images)));
  await emulator.stop();
  return { url: emulator.url, cacheDir, openAt, showAll, files };
}

test('with a full cache and no service, a build publishes the same files and reports stale assets once', async () => {
  const { openAt, showAll, files } = await fillThenStop(3);
  const images = openAt(7 * day);
  const before = images.versions();
  await images.checkUsed();
  const assets = [...(await showAll(images)), ...(await showAll(images))];
  expect(await images.publish(...assets)).toEqual(files);
  expect(images.versions()).toBe(before);
  expect(images.findings.map(({ code }) => code)).toEqual(['asset-stale']);
  expect(images.findings[0]?.message).toMatch(
    /^3 assets are stale: .* last checked 2026-03-01T00:00:00\.000Z/,
  );
  expect(images.counts()).toMatchObject({ made: 0, reused: 3, downloads: 0, stale: 3 });
});

test('with a full cache and a service whose downloads break off, a build publishes the same files', async () => {
  const half: Respond = (response) => {
    response.writeHead(200, { 'content-length': picture.length });
    response.write(picture.subarray(0, picture.length / 2), () => response.destroy());
  };
  let respond: Respond = (response) => void response.end(picture);
  const service = await startScriptedService({ respond: (...call) => respond(...call) });
  const { open } = await openSite(service, {}, { crops: 'local' });
  const first = open();
  const files = await first.publish(await first.show(4711, { crop }));
  respond = half;
  const images = open();
  expect(await images.publish(await images.show(4711, { crop }))).toEqual(files);
  expect(images.findings.map(({ code }) => code)).toEqual(['asset-stale']);
  expect(service.requests).toHaveLength(1 + 4);
});

test('one asset whose check fails leaves the checks of others alone', async () => {
  let isBroken = false;
  const failed = Promise.withResolvers<void>();
  const service = await startScriptedService({
    async respond(response, request) {
      if (!isBroken) return give(picture)(response, request);
      if (request.url.includes('/file/1/')) {
        response.on('close', failed.resolve);
        return status(500)(response, request);
      }
      await failed.promise;
      return give(picture)(response, request);
    },
  });
  const { open, next } = await openSite(service, { attempts: 1 });
  const first = open();
  for (const id of [1, 2]) await first.publish(await first.show(id));
  isBroken = true;
  const second = await next();
  for (const id of [1, 2]) await second.show(id);
  expect(second.counts()).toMatchObject({ checks: 1, stale: 1 });
});

test('without a cached copy, a download that breaks off three times is shown', async () => {
  let breaks = 0;
  const service = await startScriptedService({
    respond(response) {
      breaks += 1;
      if (breaks > 3) return void response.end(picture);
      response.writeHead(200, { 'content-length': picture.length });
      response.write(picture.subarray(0, picture.length / 2), () => response.destroy());
    },
  });
  const { open } = await openSite(service, {}, { crops: 'local' });
  const images = open();
  await images.publish(await images.show(4711, { crop }));
  expect(images.counts()).toMatchObject({ downloads: 1 });
});

test("an asset whose last check is too old isn't published, rendered again or not", async () => {
  const { openAt, showAll } = await fillThenStop(1);
  const assets = await showAll(openAt(0));
  expect(await codeOf(openAt(8 * day).publish(...assets))).toBe('stale-too-long');
  expect(await failureOf(showAll(openAt(7 * day + 1)))).toMatchObject({
    code: 'stale-too-long',
    message: "/page/: asset 4711 couldn't be checked with the service for more than 7 days.",
  });
});

test('a check counts for all crops of an asset, also for maxStale', async () => {
  const emulator = await startEmulatorProcess({ media });
  const { open } = await openSite(emulator, { attempts: 1 });
  const other = { ...crop, x: 0 };
  const first = open({ clock: () => start });
  await first.show(4711, { crop });
  await first.show(4711, { crop: other });
  await first.save();
  const second = open({ clock: () => start + 6 * day });
  await second.show(4711, { crop });
  await second.save();
  await emulator.stop();

  const third = open({ clock: () => start + 12 * day });
  await third.show(4711, { crop: other });
  await third.save();
  expect(third.findings[0]?.message).toContain('last checked 2026-03-07');
});

test('after two failures, the rest of the cache is used without requests', async () => {
  const { url, cacheDir, showAll } = await fillThenStop(30);
  const asked: string[] = [];
  const send: typeof fetch = (input, init) => {
    asked.push(String(input));
    return fetch(input, init);
  };
  const service = emulatorClient({ url }, { attempts: 1, concurrency: 1, fetch: send });
  const images = openImages({ service, cacheDir, clock: () => start + hour });
  await images.checkUsed();
  await showAll(images);
  expect(asked.length).toBeLessThanOrEqual(2);
  expect(images.counts()).toMatchObject({ stale: 30 });
});

test('pending checks are canceled once two have failed', async () => {
  let answers = Number.POSITIVE_INFINITY;
  const scripted = await startScriptedService({
    respond(response, request) {
      if (answers > 2) return give(picture)(response, request);
      answers -= 1;
      if (answers >= 0) response.destroy();
    },
  });
  // Longer than a test may take, which proves that nothing waits for the other checks.
  const limits = { timeLimit: 600_000, deadline: 600_000 };
  const { open } = await openSite(scripted, { attempts: 1, ...limits });
  const ids = Array.from({ length: 20 }, (_, index) => index + 1);
  const first = open();
  await Promise.all(ids.map((id) => first.show(id)));
  await first.save();
  answers = 2;
  const second = open();
  await Promise.all(ids.map((id) => second.show(id)));
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
  const images = (await openSite({ url }, { attempts: 1 })).open();
  const error = await failureOf(images.show(4711));
  expect(error.code).toBe('service-unreachable');
  expect(error.message).toMatch(/^\/page\/: asset 4711: The service couldn't be reached/);
  expect(error.message).toContain(url);
  expect(error.cause).toMatchObject({ code: 'service-unreachable' });
  expect(error).toMatchObject({
    hint: expect.stringMatching(
      /^Start the emulator: `npx media-asset emulator`. Or correct the address. \[/,
    ),
  });
});

test.each([
  ['status 500', status(500)],
  ['status 429', status(429)],
  ['an HTML page', signIn(200)],
  ['an HTML page with status 404', signIn(404)],
  ['an HTML page after a comment, with status 404', signIn(404, {}, '<!-- a -->\n<html>')],
  ['a part of an answer with status 404', signIn(404, { 'content-length': '999' }, '{')],
])('%s instead of an image is an outage', async (_, fail) => {
  let working = true;
  const scripted = await startScriptedService({
    respond: (...asked) => (working ? give(picture) : fail)(...asked),
  });
  const { open, next } = await openSite(scripted, { attempts: 1 });
  const first = open();
  const before = await first.show(1);
  await first.publish(before);
  working = false;
  const second = await next();
  const asset = await second.show(1);
  expect(asset.src).toBe(before.src);
  expect((await second.publish(asset)).size).toBeGreaterThan(0);
  expect(second.findings).toMatchObject([{ code: 'asset-stale', asset: 1 }]);
  const empty = (await openSite(scripted, { attempts: 1 })).open();
  expect((await failureOf(empty.show(1))).message).toMatch(/^\/page\/: /);
});

function signIn(
  code: number,
  headers: Record<string, string> = { 'content-type': 'text/html' },
  body = '<h1>Sign in</h1>',
): Respond {
  // The connection ends after what was written, even if that's less than was announced.
  return (response) => {
    response.writeHead(code, headers).write(body, () => {
      if ('content-length' in headers) response.destroy();
      else response.end();
    });
  };
}
