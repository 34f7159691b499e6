import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { beforeEach, describe, expect, test } from 'vitest';
import type { KeptFacts } from '../../../src/assets/store/asset-facts.ts';
import { sha256 } from '../../../src/storage/digest.ts';
import { type Respond, startScriptedService } from '../../service/scripted-service.ts';
import { addressesOf, filesBelow, give, openSite } from '../open-images.ts';

const photograph = async (name: string, width = 900, quality = 80) => {
  const path = fileURLToPath(new URL(`../../../playground/media/${name}.jpg`, import.meta.url));
  return sharp(await readFile(path))
    .resize(width, (width * 2) / 3)
    .jpeg({ quality })
    .toBuffer();
};
const quay = await photograph('harbour/quay');
const encodedAgain = await photograph('harbour/quay', 900, 40);
const larger = await photograph('harbour/quay', 1800);
const hall = await photograph('museum/hall');
const pilot = await photograph('people/pilot');
const crop = { x: 200, y: 100, width: 400, height: 300 };
const written = '{ x: 200, y: 100, width: 400, height: 300 }';

let answer: Respond;
let site: Awaited<ReturnType<typeof openSite>>;

beforeEach(async () => {
  const service = await startScriptedService({
    respond: (response, request) => answer(response, request),
  });
  site = await openSite(service, {}, { crops: 'local' });
});

type Options = Parameters<typeof site.next>[0];

/** Builds a site that shows the asset, by default with a crop. */
async function build(
  bytes: Buffer,
  given: { accepted?: Record<string, string>; props?: object; options?: Options } = {},
) {
  const { accepted = {}, props = { crop }, options } = given;
  answer = give(bytes, `"${sha256(bytes)}"`);
  const images = site.open({
    accepted: async () => accepted,
    ...options,
  });
  await images.recall();
  await images.checkUsed();
  const asset = await images.show(1, { width: 200, ...props });
  await images.publish(asset);
  const reviews = await images.reviewCrops(addressesOf(asset));
  await images.save();
  await images.tidy();
  return { reviews, originals: await images.originals() };
}

const changesIn = async (...given: Parameters<typeof build>) =>
  (await build(...given)).reviews.map(({ change }) => change);

describe('a crop', () => {
  test('of an original that was encoded again needs no review', async () => {
    expect(await changesIn(quay)).toEqual([]);
    expect(await changesIn(encodedAgain)).toEqual([]);
  });

  test('of another image is named with pages and both versions, by each build', async () => {
    await build(quay);
    const expected = [
      {
        ...{ id: 1, crop: written, change: 'another', before: sha256(quay), now: sha256(hall) },
        asked: [{ page: '/page/', place: undefined }],
      },
    ];
    expect((await build(hall)).reviews).toMatchObject(expected);
    expect((await build(hall)).reviews).toMatchObject(expected);
  });

  test('is compared with the version that someone has looked at, not with the last one', async () => {
    await build(quay);
    await build(hall);
    expect(await changesIn(encodedAgain)).toEqual([]);
    const [{ before } = {}] = (await build(pilot)).reviews;
    expect(before).toBe(sha256(encodedAgain));
  });

  test('that someone has accepted needs no review until the next version', async () => {
    await build(quay);
    const accepted = { 1: sha256(hall).slice(0, 16) };
    expect(await changesIn(hall, { accepted })).toEqual([]);
    expect(await changesIn(hall)).toEqual([]);
    expect(await changesIn(pilot, { accepted })).toEqual(['another']);
  });

  test('that someone has chosen on the new image needs no review', async () => {
    await build(quay);
    await build(hall);
    expect(await changesIn(hall, { props: { crop: { ...crop, x: 100 } } })).toEqual([]);
  });

  test('of the same image in twice its size has the rectangle that shows the same', async () => {
    await build(quay);
    const mapped = '{ x: 400, y: 200, width: 800, height: 600 }';
    expect((await build(larger)).reviews).toMatchObject([{ change: 'size', mapped }]);
  });

  test('in fractions shows the same in twice the size', async () => {
    const props = { crop: { x: 0.2, y: 0.2, width: 0.5, height: 0.5, unit: 'fraction' } };
    await build(quay, { props });
    expect(await changesIn(larger, { props })).toEqual([]);
    expect(await changesIn(hall, { props })).toEqual(['another']);
  });

  test('is unknown, not the same, if nothing was kept of the old image', async () => {
    const { originals } = await build(quay);
    for (const one of Object.values(originals))
      for (const version of Object.values(one.reviewed ?? {})) delete version.fingerprint;
    await rm(site.cacheDir, { recursive: true });
    const options = { earlier: earlierWith(originals) };
    expect(await changesIn(hall, { options })).toEqual(['unknown']);
    expect(await changesIn(hall)).toEqual(['unknown']);
    expect(await changesIn(hall, { accepted: { 1: sha256(hall) } })).toEqual([]);
  });
});

test('what crops were chosen on survives a lost cache', async () => {
  const { originals } = await build(quay);
  await rm(site.cacheDir, { recursive: true });
  expect(await changesIn(hall, { options: { earlier: earlierWith(originals) } })).toEqual([
    'another',
  ]);
});

describe('the fingerprint of an asset', () => {
  const inCache = async () => {
    const files = [...(await filesBelow(join(site.cacheDir, 'v3'))).values()];
    return files.some((bytes) => bytes.includes('"fingerprint"'));
  };

  test('without a crop is never taken', async () => {
    const { originals } = await build(quay, { props: {} });
    expect(await inCache()).toBe(false);
    expect(JSON.stringify(originals)).not.toContain('fingerprint');
    await build(quay);
    expect(await inCache()).toBe(true);
  });

  test('is deleted when no page shows a crop of it', async () => {
    await build(quay);
    const { originals } = await build(quay, { props: {} });
    expect(await inCache()).toBe(false);
    expect(JSON.stringify(originals)).not.toContain('fingerprint');
  });

  test('is deleted when no page shows the asset', async () => {
    await build(quay);
    expect(await inCache()).toBe(true);
    answer = give(pilot);
    const images = await site.next();
    const other = await images.show(2);
    await images.publish(other);
    await images.reviewCrops(addressesOf(other));
    await images.save();
    expect(await inCache()).toBe(false);
    expect(Object.keys(await images.originals())).toEqual(['2']);
  });
});

function earlierWith(originals: KeptFacts) {
  return { originals: async () => originals, renditions: async () => new Map() };
}
