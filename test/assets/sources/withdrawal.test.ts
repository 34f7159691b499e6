import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  failureOf,
  inTurn,
  startScriptedService,
  status,
  withFolders,
} from '../../service/scripted-service.ts';
import { drawTestImage } from '../../support/images/test-images.ts';
import {
  addressesOf,
  codeOf,
  contentsOf,
  deleteAsset,
  filesBelow,
  give,
  issuedIn,
  newBuild,
  openSite,
  startService,
  takeDownloads,
} from '../open-images.ts';

const pictures = [
  { path: 'a.jpg', width: 320, height: 200 },
  { path: 'b.jpg', width: 320, height: 200, seed: 1 },
  { path: 'c.jpg', width: 320, height: 200, seed: 2 },
];
const emulator = await startService(pictures);
const picture = await readFile(join(emulator.mediaDir, 'a.jpg'));
const crop = { x: 20, y: 10, width: 100, height: 80 };

test('an asset that is gone from the service is purged with all its bytes', async () => {
  const { cacheDir, open } = await openSite(emulator);
  const first = open();
  const lost = [await first.show(4711, { crop }), await first.show(4711, { width: 100 })];
  const kept = await first.show(4712);
  const files = await first.publish(...lost, kept);
  await deleteAsset(emulator, 'a.jpg');
  takeDownloads(emulator);

  const second = open();
  const before = second.versions();
  await second.checkUsed();
  expect(second.versions()).not.toBe(before);
  const errors = await Promise.all(
    ['/page/', '/other/'].map((place) =>
      failureOf(second.getMediaAsset({ id: 4711, alt: '', page: place, crop })),
    ),
  );
  expect(errors.map(({ message }) => message)).toEqual([
    'The service no longer delivers asset 4711 (404) on /page/.',
    'The service no longer delivers asset 4711 (404) on /other/.',
  ]);
  expect(errors[0]).toMatchObject({ code: 'asset-withdrawn', cause: { status: 404 } });
  const again = await second.show(4712);
  await second.publish(again);

  expect(takeDownloads(emulator).filter((line) => line.includes('/4711/'))).toEqual([
    expect.stringMatching(/^404 .*\/download\/0$/),
  ]);
  const left = await contentsOf(cacheDir);
  expect(left).toHaveLength(2);
  expect(left.some((bytes) => bytes.equals(picture))).toBe(false);
  for (const asset of lost)
    expect(left.some((bytes) => bytes.equals(files.get(asset.src) as Uint8Array))).toBe(false);
  expect(issuedIn(cacheDir).map(({ id }) => id)).toEqual([4712]);
  const paths = [...(await filesBelow(join(cacheDir, 'v3'))).keys()];
  expect(paths.filter((path) => path.includes('4711'))).toEqual([]);
});

test('an asset that builds fail for stays in the cache until a build succeeds without it', async () => {
  const respond = withFolders(inTurn(give(picture), status(404)));
  const { cacheDir, open, next } = await openSite(await startScriptedService({ respond }));
  const first = open();
  await first.publish(await first.show(1));
  for (const images of [open(), open()]) {
    await images.checkUsed();
    expect(await codeOf(images.show(1))).toBe('asset-withdrawn');
    await images.save();
    expect(await contentsOf(cacheDir)).not.toEqual([]);
  }
  const last = await next();
  await last.publish();
  expect(await contentsOf(cacheDir)).toEqual([]);
});

test("a page that wasn't rendered again doesn't publish a withdrawn asset", async () => {
  const { open } = await openSite(emulator);
  const first = open();
  const asset = await first.show(4713);
  await first.publish(asset);
  await deleteAsset(emulator, 'c.jpg');

  const second = open();
  const written: string[] = [];
  const addresses = addressesOf(asset);
  const write = async (path: string) => void written.push(path);
  expect(await failureOf(second.emit({ addresses, write }))).toMatchObject({
    code: 'asset-withdrawn',
    message: 'The service no longer delivers asset 4713 (404) on /page/.',
  });
  const refused: string[] = [];
  const findings = await second.emit({
    addresses,
    write,
    onRefused: (error, id, pages) => refused.push(`${error.code} ${id} ${pages}`),
  });
  expect(refused).toEqual(['asset-withdrawn 4713 /page/']);
  expect({ written, findings }).toEqual({ written: [], findings: [] });
});

test.each([
  [404, 'asset-unknown'],
  [403, 'asset-withdrawn'],
  [410, 'asset-withdrawn'],
])('%i for an asset that was never cached is %s', async (code, expected) => {
  const scripted = await startScriptedService({ respond: status(code) });
  const images = await newBuild(scripted);
  expect(await codeOf(images.show(1))).toBe(expected);
  await failureOf(images.show(1, { crop }));
  expect(scripted.requests).toHaveLength(1);
});

test.each([403, 404, 410])(
  "%i from a host that the service's downloads lead to is an outage, and no withdrawal",
  async (code) => {
    const cdn = await startScriptedService({ respond: status(code) });
    let leads = false;
    const scripted = await startScriptedService({
      respond: withFolders((response, request) => {
        const answer = leads ? status(302, { location: `${cdn.url}/1.jpg` }) : give(picture);
        return answer(response, request);
      }),
    });
    const { open } = await openSite(scripted, { attempts: 1 });
    const first = open();
    const files = await first.publish(await first.show(1));
    leads = true;
    const images = open();
    expect(await images.publish(await images.show(1))).toEqual(files);
    expect(images.findings.map((found) => found.code)).toEqual(['asset-stale']);
  },
);

test("a refused asset isn't withdrawn while the service fails for the others", async () => {
  let failing = false;
  const scripted = await startScriptedService({
    respond: withFolders((response, request) => {
      const fail = status(request.url.includes('/1/file/1/') ? 404 : 503);
      return (failing ? fail : give(picture))(response, request);
    }),
  });
  const { cacheDir, open, next } = await openSite(scripted, { attempts: 1 });
  const first = open();
  await first.publish(await first.show(1), await first.show(2, { width: 100 }));
  failing = true;
  const second = await next();
  expect(await codeOf(second.publish())).toBe('service-refuses-all');
  expect(await codeOf(second.tidy())).toBe('service-refuses-all');
  expect((await contentsOf(cacheDir)).some((bytes) => bytes.equals(picture))).toBe(true);
});

test('earlier versions are deleted with the asset, even if the run that replaced them was killed', async () => {
  const newer = await drawTestImage({ path: 'a.jpg', width: 320, height: 200, seed: 1 });
  const scripted = await startScriptedService({
    respond: withFolders(inTurn(give(picture, '"1"'), give(newer, '"2"'), status(404))),
  });
  const { cacheDir, open } = await openSite(scripted);
  // A file has no renditions, so only the sources are cached. No run reaches save().
  const show = (images = open({ files: { allow: ['picture'] } })) =>
    images.getMediaFile({ id: 1, page: '/page/' });
  await show();
  await show();
  expect(await contentsOf(cacheDir)).toHaveLength(2);
  const last = open();
  await failureOf(show(last));
  await last.tidy();
  expect(await contentsOf(cacheDir)).toEqual([]);
});
