import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp, { type Region } from 'sharp';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { AssetsOptions } from '../../../src/assets/assets-options.ts';
import { parseRenditionUrl, renditionKey } from '../../../src/assets/formats/rendition-url.ts';
import type { MediaAssetRequest } from '../../../src/assets/request/media-asset.ts';
import type { KeptFacts } from '../../../src/assets/store/asset-facts.ts';
import { sha256 } from '../../../src/storage/digest.ts';
import { type Respond, startScriptedService } from '../../service/scripted-service.ts';
import { startLocalServer } from '../../support/service/local-server.ts';
import {
  addressesOf,
  contentsOf,
  emulatorClient,
  filesBelow,
  give,
  openSite,
  replaceAsset,
  startService,
} from '../open-images.ts';

/** A photograph in shades of one color, to tell two from each other in any crop. */
async function photograph(name: string, tint: string, quality = 80, width = 900) {
  const path = fileURLToPath(new URL(`../../../playground/media/${name}.jpg`, import.meta.url));
  return sharp(path)
    .resize(width, (width * 2) / 3)
    .tint(tint)
    .jpeg({ quality })
    .toBuffer();
}
const red = await photograph('harbour/quay', 'red');
const redAgain = await photograph('harbour/quay', 'red', 40);
const blue = await photograph('museum/hall', 'blue');
const smallBlue = await photograph('museum/hall', 'blue', 80, 300);
const crop = { x: 200, y: 100, width: 400, height: 300 };

/** Answers like a service with this asset, which also cuts it. */
function serve(bytes: Buffer): Respond {
  return (response, request) => {
    const query = new URL(request.url ?? '', 'http://service').searchParams;
    if (!query.has('x1')) return give(bytes, `"${sha256(bytes)}"`)(response, request);
    const [left, top, width, height] = ['x1', 'y1', 'w', 'h'].map((name) =>
      Number(query.get(name)),
    );
    const cut = sharp(bytes).extract({ left, top, width, height } as Region);
    void cut.toBuffer().then((part) => response.end(part));
  };
}

let answer: Respond;
let serviceUrl: { url: string };
let site: Awaited<ReturnType<typeof openSite>>;
/** All files that were ever published, by URL. */
let published: Map<string, Uint8Array>;
/** What the last build has left for one without a cache. */
let left: KeptFacts;

beforeEach(async () => {
  const service = await startScriptedService({
    respond: (response, request) => answer(response, request),
  });
  serviceUrl = service;
  site = await openSite(service, {}, { crops: 'local' });
  published = new Map();
});

interface Given {
  readonly props?: Partial<MediaAssetRequest>;
  readonly accepted?: Record<string, string>;
  readonly options?: Partial<AssetsOptions>;
}

/** Builds a page with a crop of asset 1, in two widths, in the order of a real build. */
async function build(original: Buffer | Respond, given: Given = {}) {
  const { props = { crop }, accepted = {}, options } = given;
  answer = typeof original === 'function' ? original : serve(original);
  const images = site.open({ keeps: true, accepted: async () => accepted, ...options });
  await images.recall();
  await images.checkUsed();
  const asset = await images.show(1, { width: 200, densities: [1, 2], ...props });
  const shown = [asset, ...asset.sources];
  const files = new Map<string, Uint8Array>();
  const write = async (path: string, content: unknown) =>
    void files.set(`/_astro/${path}`, content as Uint8Array);
  try {
    await images.emit({ addresses: addressesOf(...shown), write });
    const reviews = await images.reviewCrops(addressesOf(...shown));
    const old = reviews.map((review) => review.old);
    for (const [url, bytes] of files) published.set(url, bytes);
    await images.save();
    if (!old.includes('lost')) await images.tidy();
    left = await images.originals();
    return { asset, files, reviews, old, colors: await colorsOf(files), counts: images.counts() };
  } finally {
    await images.save();
  }
}

/** The colors of published files, each once. */
async function colorsOf(files: ReadonlyMap<string, Uint8Array>) {
  const colors = Array.from(files.values(), async (bytes) => {
    const { channels } = await sharp(bytes).stats();
    const [r = { mean: 0 }, , b = { mean: 0 }] = channels;
    return r.mean > b.mean ? 'red' : 'blue';
  });
  return [...new Set(await Promise.all(colors))].sort();
}

const loseCache = () => rm(site.cacheDir, { recursive: true });

/** What the last build has left, and the live site with these files of it. */
async function live(has: (url: string) => boolean = () => true): Promise<Partial<AssetsOptions>> {
  const server = await startLocalServer(({ url = '' }, response) => {
    const bytes = has(url) ? published.get(url) : undefined;
    response.writeHead(bytes ? 200 : 404).end(bytes);
  });
  onTestFinished(server.close);
  const entries = Array.from(published, ([url, bytes]) => {
    const address = parseRenditionUrl(url);
    const hash = sha256(bytes).slice(0, 8);
    return [address ? renditionKey(address) : '', { url: `${server.url}${url}`, hash }] as const;
  });
  const originals = left;
  return {
    earlier: { originals: async () => originals, renditions: async () => new Map(entries) },
  };
}

/** Deletes a cached rendition of the crop. */
async function dropRendition(asset: { src: string }) {
  const address = parseRenditionUrl(asset.src);
  const key = address ? renditionKey(address) : '';
  for (const path of (await filesBelow(site.cacheDir)).keys())
    if (path.includes(key)) await rm(path);
}

describe.each(['local', 'service'] as const)(
  "with `crops: '%s'`, a crop of another image",
  (crops) => {
    beforeEach(async () => {
      site = await openSite(serviceUrl, {}, { crops });
    });

    test('stays what it was, build after build, until someone accepts it', async () => {
      const first = await build(red);
      for (const _ of [1, 2, 3]) {
        const { asset, files, old, reviews, counts } = await build(blue);
        expect(asset).toEqual(first.asset);
        expect(files).toEqual(first.files);
        expect(counts.made).toBe(0);
        expect(old).toEqual(['published']);
        const [before, now] = (reviews[0]?.images ?? []).map(({ url }) => {
          const bytes = Buffer.from(url.split(',')[1] ?? '', 'base64');
          return new Map([[url, bytes]]);
        });
        expect(await colorsOf(before ?? new Map())).toEqual(['red']);
        expect(await colorsOf(now ?? new Map())).toEqual(['blue']);
      }
      const accepted = { 1: sha256(blue).slice(0, 16) };
      expect(await build(blue, { accepted })).toMatchObject({ colors: ['blue'], reviews: [] });
      expect(await build(blue)).toMatchObject({ colors: ['blue'], reviews: [] });
    });

    test('keeps its placeholder and its attention', async () => {
      const props = {
        ...{ crop, aspect: 1, focus: 'attention', placeholder: 'blur' },
      } as const satisfies Partial<MediaAssetRequest>;
      const first = await build(red, { props });
      await build(blue, { props });
      await loseCache();
      const { asset, files, old } = await build(blue, { props, options: await live() });
      expect(asset).toEqual(first.asset);
      expect({ files, old }).toEqual({ files: first.files, old: ['published'] });
    });

    test('comes from the live site without the cache, build after build', async () => {
      const { files } = await build(red);
      for (const _ of [1, 2]) {
        await loseCache();
        const again = await build(blue, { options: await live() });
        expect(again).toMatchObject({ files, old: ['published'] });
        expect(again.counts).toMatchObject({ made: 0, taken: files.size });
      }
    });

    test('is lost if it is nowhere: nothing of the new image is written', async () => {
      await build(red);
      await loseCache();
      const options = await live(() => false);
      for (const _ of [1, 2])
        expect(await build(blue, { options })).toMatchObject({ colors: [], old: ['lost'] });
      const accepted = { 1: sha256(blue).slice(0, 16) };
      expect(await build(blue, { accepted })).toMatchObject({ colors: ['blue'], old: [] });
    });

    test('is lost if one of two widths is nowhere', async () => {
      const { asset } = await build(red);
      await loseCache();
      const options = await live((url) => url === asset.src);
      expect(await build(blue, { options })).toMatchObject({ colors: ['red'], old: ['lost'] });
    });
  },
);

describe("with `changed: 'keep'`, a crop of another image", () => {
  test('is the new one once someone chooses another crop', async () => {
    await build(red);
    await build(blue);
    const props = { crop: { ...crop, x: 100 } };
    expect(await build(blue, { props })).toMatchObject({ colors: ['blue'], reviews: [] });
  });

  test('stays although it reaches outside of the new image', async () => {
    const { files } = await build(red);
    expect(await build(smallBlue)).toMatchObject({ files, old: ['published'] });
  });

  test('is the new one if only the encoding has changed', async () => {
    const { asset } = await build(red);
    const again = await build(redAgain);
    expect(again).toMatchObject({ reviews: [] });
    expect(again.asset.src).not.toBe(asset.src);
  });

  test('comes back with the old image, and is compared with that again', async () => {
    const { files } = await build(red);
    await build(blue);
    expect(await build(red)).toMatchObject({ files, reviews: [] });
    expect(await build(blue)).toMatchObject({ files, old: ['published'] });
  });

  test('is the only use that stays', async () => {
    const source = { media: '(width < 600px)', crop, width: 200 };
    const props = { crop: undefined, sources: [source] };
    await build(red, { props });
    const { asset, files, old } = await build(blue, { props });
    expect(await colorsOf(new Map([['', files.get(asset.src) ?? new Uint8Array()]]))).toEqual([
      'blue',
    ]);
    expect(await colorsOf(files)).toEqual(['blue', 'red']);
    expect(old).toEqual(['published']);
  });
});

describe('if one of two widths is missing in the cache', () => {
  test('it is made of the old image while that is there', async () => {
    const { asset, files } = await build(red);
    await dropRendition(asset);
    expect(await build(blue)).toMatchObject({ files, old: ['published'] });
  });

  test('it is lost', async () => {
    const { asset } = await build(red);
    await build(blue);
    await dropRendition(asset);
    expect(await build(blue)).toMatchObject({ colors: ['red'], old: ['lost'] });
    const failed = build(blue, { options: { hasCredentials: false } });
    await expect(failed).rejects.toMatchObject({ code: 'rendition-lost' });
  });

  test('a width that no build has made is lost', async () => {
    await build(red);
    await build(blue);
    const props = { crop, width: 300 };
    expect(await build(blue, { props })).toMatchObject({ old: ['lost'] });
  });
});

test('a lost file of a page that should have been rendered again is an error of its own', async () => {
  const { asset } = await build(red);
  await build(redAgain);
  await dropRendition(asset);
  const images = await site.next({ keeps: true });
  const lost = images.emit({ addresses: addressesOf(asset), write: async () => {} });
  await expect(lost).rejects.toMatchObject({ code: 'rendition-lost' });
});

test('a build whose cache knows no version of the crop shows the present one', async () => {
  await build(red, { props: {} });
  expect(await build(blue)).toMatchObject({ colors: ['blue'], reviews: [] });
});

test('builds that kept nothing leave what a later one can keep', async () => {
  const options = { keeps: false };
  const { files } = await build(red, { options });
  expect(JSON.stringify(left)).not.toContain('"kept"');
  expect(await build(blue, { options })).toMatchObject({ colors: ['blue'] });
  expect(await build(blue)).toMatchObject({ files, old: ['published'] });
});

test("a kept image keeps the credit in its file, not the new image's", async () => {
  const emulator = await startService([{ path: 'a.jpg', width: 900, height: 600 }]);
  const record: AssetsOptions['record'] = {
    fields: ['creator'],
    read: ({ creator }) => ({ alt: '', creator: String(creator) }),
  };
  const { next } = await openSite(emulator, {}, { crops: 'local', keeps: true, record });
  async function srcOf(original: Buffer, creator: string) {
    await replaceAsset(emulator, 'a.jpg', original);
    await emulatorClient(emulator).files.update(4711, { creator });
    const images = await next();
    const asset = await images.show(4711, { crop, width: 200 });
    await images.publish(asset);
    await images.reviewCrops(addressesOf(asset));
    await images.save();
    return { src: asset.src, made: images.counts().made };
  }
  const { src, made } = await srcOf(red, 'Ada');
  expect(made).toBeGreaterThan(0);
  expect((await srcOf(red, 'Bob')).src).not.toBe(src);
  await srcOf(red, 'Ada');
  expect(await srcOf(blue, 'Bob')).toEqual({ src, made: 0 });
});

test('a withdrawn asset is never shown, and its old image is deleted', async () => {
  const { asset } = await build(red);
  await build(blue);
  const gone: Respond = (response, { url = '' }) =>
    void response.writeHead(url.includes('/download/') ? 404 : 200).end('[]');
  await expect(build(gone)).rejects.toMatchObject({ code: 'asset-withdrawn' });
  answer = gone;
  const images = await site.next({ keeps: true });
  await images.emit({ addresses: addressesOf(asset), assets: [], write: async () => {} });
  await images.tidy();
  expect(await contentsOf(site.cacheDir)).toEqual([]);
  expect([...(await filesBelow(join(site.cacheDir, 'v3'))).keys()].join()).not.toContain('facts');
});
