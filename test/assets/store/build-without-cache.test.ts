import { createHash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { parseRenditionUrl, renditionKey } from '../../../src/assets/formats/rendition-url.ts';
import type { Source } from '../../../src/assets/formats/source.ts';
import type { MediaAssetRequest } from '../../../src/assets/request/media-asset.ts';
import { startScriptedService } from '../../service/scripted-service.ts';
import { drawPdf } from '../../support/images/test-files.ts';
import { drawTestImage } from '../../support/images/test-images.ts';
import { startLocalServer } from '../../support/service/local-server.ts';
import { contentsOf, give, newBuild, openSite } from '../open-images.ts';

const picture = await drawTestImage({ path: 'a.jpg', width: 320, height: 200 });
const asked: Partial<MediaAssetRequest> = { width: 100, placeholder: 'blur' };

/** A service whose assets are one picture, and what a build of two of its assets has left. */
async function openBuilt() {
  const service = await startScriptedService({ respond: give(picture) });
  const first = await newBuild(service);
  for (const id of [1, 2]) await first.preview(id, 64);
  const built = await first.publishOne(1, asked);
  const kept = await first.originals();
  const site = await startLocalServer(({ url = '' }, response) => {
    const bytes = built.files.get(url);
    response.writeHead(bytes ? 200 : 404).end(bytes);
  });
  onTestFinished(site.close);
  const published = Object.entries(kept).flatMap(([, { renditions }]) =>
    Object.entries(renditions).map(([key, hash]) => {
      const url = [...built.files.keys()].find((one) => keyOf(one) === key);
      return [key, { url: `${site.url}${url}`, hash }] as const;
    }),
  );
  const earlier = {
    originals: async () => kept,
    renditions: async () => new Map(published),
  };
  return { service, built, kept, earlier };
}

function keyOf(url: string): string {
  const address = parseRenditionUrl(url);
  return address ? renditionKey(address) : '';
}

test('a build without a cache downloads and makes nothing that an earlier one has published', async () => {
  const { service, built, earlier } = await openBuilt();
  const { open, cacheDir } = await openSite(service);
  const second = open({ earlier });
  await second.recall();
  await second.checkUsed();
  expect(second.counts(), 'before pages ask').toMatchObject({ checks: 1 });
  const again = await second.publishOne(1, asked);
  expect(again.asset).toEqual(built.asset);
  expect(again.files).toEqual(built.files);
  const taken = built.files.size;
  expect(second.counts()).toMatchObject({ downloads: 0, checks: 1, made: 0, taken });
  expect(second.findings).toEqual([]);
  expect((await contentsOf(cacheDir)).some((bytes) => bytes.equals(picture))).toBe(false);
});

test('if the earlier one made other pixels, it says so', async () => {
  const { service, earlier, kept } = await openBuilt();
  const older = Object.entries(kept).map(([id, facts]) => [id, { ...facts, pixels: 1 }]);
  const { open } = await openSite(service);
  const images = open({
    earlier: { ...earlier, originals: async () => Object.fromEntries(older) },
  });
  await images.recall();
  await images.checkUsed();
  expect(images.findings).toMatchObject([{ code: 'renditions-renewed', severity: 'notice' }]);
});

test('it keeps what the build has shown: no other assets, and no bytes of images', async () => {
  const { built, kept } = await openBuilt();
  expect(Object.keys(kept)).toEqual(['1']);
  const hashes = Array.from(built.files, ([url, bytes]) => [
    keyOf(url),
    createHash('sha256').update(bytes).digest('hex').slice(0, 8),
  ]);
  expect(kept[1]?.renditions).toEqual(Object.fromEntries(hashes));
  const [blur, ...others] = Object.values(kept[1]?.made ?? {});
  expect(others).toEqual([]);
  expect(built.asset.placeholder).toContain(blur);
});

test('it leaves alone what another build has found since', async () => {
  const { service, earlier, kept } = await openBuilt();
  const { open } = await openSite(service);
  // It hasn't ended yet.
  const other = open();
  await other.show(1);
  await other.save();
  const [[id, { sources, ...facts }] = expect.fail()] = Object.entries(kept);
  const older = { ...sources.original, hash: 'ab'.repeat(32), etag: '"older"' } as Source;
  const old = { [id]: { ...facts, sources: { original: older } } };
  const images = open({ earlier: { ...earlier, originals: async () => old } });
  await images.recall();
  await images.show(1);
  expect(images.counts()).toMatchObject({ downloads: 0, checks: 1 });
});

test('it checks the files of an earlier build before pages ask for them, and downloads none', async () => {
  const service = await startScriptedService({ respond: give(drawPdf()) });
  const first = await newBuild(service);
  const { src } = await first.getMediaFile({ id: 3, page: '/page/' });
  await first.publish({ renditions: [{ url: src }] });
  const kept = await first.originals();
  const second = await newBuild(service, {
    earlier: { originals: async () => kept, renditions: async () => new Map() },
  });
  await second.recall();
  await second.checkUsed();
  expect(second.counts()).toMatchObject({ downloads: 0, checks: 1 });
  expect((await second.getMediaFile({ id: 3, page: '/page/' })).src).toBe(src);
  expect(second.counts()).toMatchObject({ downloads: 0, checks: 1 });
});
