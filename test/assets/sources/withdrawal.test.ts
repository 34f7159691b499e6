import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  failureOf,
  inTurn,
  type Respond,
  startScriptedService,
  status,
  withFolders,
} from '../../service/scripted-service.ts';
import { drawTestImage } from '../../support/images/test-images.ts';
import {
  addressesOf,
  cacheFolder,
  codeOf,
  contentsOf,
  deleteAsset,
  emulatorClient,
  filesBelow,
  issuedIn,
  newBuild,
  openImages,
  startService,
  takeDownloads,
} from '../open-images.ts';

const pictures = [
  { path: 'a.jpg', width: 320, height: 200 },
  { path: 'b.jpg', width: 320, height: 200, seed: 1 },
  { path: 'c.jpg', width: 320, height: 200, seed: 2 },
];
const emulator = await startService(pictures);
const crop = { x: 20, y: 10, width: 100, height: 80 };
const page = '/page/';

test('an asset that is gone from the service is purged with all its bytes', async () => {
  const cacheDir = await cacheFolder();
  const original = await readFile(join(emulator.mediaDir, 'a.jpg'));
  const first = openImages({ service: emulatorClient(emulator), cacheDir });
  const lost = [await first.show(4711, { crop }), await first.show(4711, { width: 100 })];
  const kept = await first.show(4712);
  const files = await first.publish(...lost, kept);
  await deleteAsset(emulator, 'a.jpg');
  takeDownloads(emulator);

  const second = openImages({ service: emulatorClient(emulator), cacheDir });
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
  expect(left.some((bytes) => bytes.equals(original))).toBe(false);
  for (const asset of lost)
    expect(left.some((bytes) => bytes.equals(files.get(asset.src) as Uint8Array))).toBe(false);
  expect(issuedIn(cacheDir).map(({ id }) => id)).toEqual([4712]);
  const paths = [...(await filesBelow(join(cacheDir, 'v3'))).keys()];
  expect(paths.filter((path) => path.includes('4711'))).toEqual([]);
});

test('an asset that builds fail for stays in the cache until a build succeeds without it', async () => {
  const scripted = await startScriptedService({ respond: withFolders(inTurn(give, status(404))) });
  const cacheDir = await cacheFolder();
  const request = { id: 1, alt: '', page };
  const first = openImages({ service: emulatorClient(scripted), cacheDir });
  await first.publish(await first.getMediaAsset(request));
  for (const _ of ['second', 'third']) {
    const images = openImages({ service: emulatorClient(scripted), cacheDir });
    await images.checkUsed();
    expect(await codeOf(images.getMediaAsset(request))).toBe('asset-withdrawn');
    await images.save();
    expect(await contentsOf(cacheDir)).not.toEqual([]);
  }
  const last = openImages({ service: emulatorClient(scripted), cacheDir });
  await last.checkUsed();
  await last.publish();
  expect(await contentsOf(cacheDir)).toEqual([]);
});

test("a page that wasn't rendered again doesn't publish a withdrawn asset", async () => {
  const cacheDir = await cacheFolder();
  const first = openImages({ service: emulatorClient(emulator), cacheDir });
  const asset = await first.show(4713);
  await first.publish(asset);
  await deleteAsset(emulator, 'c.jpg');

  const second = openImages({ service: emulatorClient(emulator), cacheDir });
  const written: string[] = [];
  const addresses = addressesOf(asset);
  const write = async (path: string) => void written.push(path);
  expect(await failureOf(second.emit({ addresses, write }))).toMatchObject({
    code: 'asset-withdrawn',
    message: 'The service no longer delivers asset 4713 (404) on /page/.',
  });
  const refused: string[] = [];
  const { findings } = await second.emit({
    addresses,
    write,
    onRefused: (error, id, pages) => refused.push(`${error.code} ${id} ${pages}`),
  });
  expect(refused).toEqual(['asset-withdrawn 4713 /page/']);
  expect({ written, findings }).toEqual({ written: [], findings: [] });
});

const picture = await drawTestImage({ path: 'a.jpg', width: 320, height: 200 });
const give: Respond = (response) => void response.writeHead(200, { etag: '"1"' }).end(picture);

test.each([
  [404, 'asset-unknown'],
  [403, 'asset-withdrawn'],
  [410, 'asset-withdrawn'],
])('%i for an asset that was never cached is %s', async (code, expected) => {
  const scripted = await startScriptedService({ respond: status(code) });
  const images = await newBuild(scripted);
  const request = { id: 1, alt: '', page };
  expect(await codeOf(images.getMediaAsset(request))).toBe(expected);
  await failureOf(images.getMediaAsset({ ...request, crop }));
  expect(scripted.requests).toHaveLength(1);
});

test("a refused asset isn't withdrawn while the service fails for the others", async () => {
  const cacheDir = await cacheFolder();
  let failing = false;
  const scripted = await startScriptedService({
    respond: withFolders((response, request) => {
      if (!failing) return give(response, request);
      return status(request.url.includes('/1/file/1/') ? 404 : 503)(response, request);
    }),
  });
  const open = () => openImages({ service: emulatorClient(scripted, { attempts: 1 }), cacheDir });
  const first = open();
  await first.publish(await first.show(1), await first.show(2, { width: 100 }));
  failing = true;
  const second = open();
  await second.checkUsed();
  expect(await codeOf(second.publish())).toBe('service-refuses-all');
  expect(await codeOf(second.tidy())).toBe('service-refuses-all');
  expect((await contentsOf(cacheDir)).some((bytes) => bytes.equals(picture))).toBe(true);
});

test('earlier versions are deleted with the asset, even if the run that replaced them was killed', async () => {
  const cacheDir = await cacheFolder();
  const newer = await drawTestImage({ path: 'a.jpg', width: 320, height: 200, seed: 1 });
  const giveNewer: Respond = (response) => void response.writeHead(200).end(newer);
  const scripted = await startScriptedService({
    respond: withFolders(inTurn(give, giveNewer, status(404))),
  });
  const request = { id: 1, alt: '', page };
  // Pages with the service's own URLs have no renditions, so only the sources are cached.
  const open = () =>
    openImages({
      service: emulatorClient(scripted),
      cacheDir,
      delivery: 'service',
      visit: async () => new Response(),
    });
  // Neither of these runs reaches save().
  await open().getMediaAsset(request);
  await open().getMediaAsset(request);
  expect(await contentsOf(cacheDir)).toHaveLength(2);
  const last = open();
  await failureOf(last.getMediaAsset(request));
  await last.tidy();
  expect(await contentsOf(cacheDir)).toEqual([]);
});
