import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { type Respond, startScriptedService } from '../../service/scripted-service.ts';
import { drawTestImage } from '../../support/images/test-images.ts';
import { serveCrop } from '../../support/service/serve-crop.ts';
import {
  cacheFolder,
  emulatorClient,
  newBuild,
  openImages,
  type TestImages,
} from '../open-images.ts';

const crops = {
  left: { x: 0, y: 0, width: 30, height: 20 },
  right: { x: 30, y: 0, width: 30, height: 20 },
};
const names = ['whole', 'left', 'right'] as const;
type Name = (typeof names)[number];

/** The versions of the asset. Some differ only in one half. */
const versions = await Promise.all(
  [
    [1, 1],
    [2, 1],
    [1, 2],
    [3, 3],
  ].map(async ([left = 0, right = 0]) => {
    const picture = (seed: number) => drawTestImage({ path: 'a.png', width: 60, height: 40, seed });
    const half = await sharp(await picture(right))
      .extract({ left: 30, top: 0, width: 30, height: 40 })
      .toBuffer();
    const whole = sharp(await picture(left)).composite([{ input: half, left: 30, top: 0 }]);
    return whole.png().toBuffer();
  }),
);

interface Build {
  readonly version: number;
  readonly shown: readonly Name[];
  /** The version that replaces the asset during the build, and after how many shown parts. */
  readonly replaced?: { readonly by: number; readonly after: number } | undefined;
}

const build: fc.Arbitrary<Build> = fc.record({
  version: fc.integer({ min: 0, max: versions.length - 1 }),
  shown: fc.shuffledSubarray([...names], { minLength: 1 }),
});

/** In one of the builds, a version that hasn't appeared before replaces the asset. */
const history = fc
  .record({
    builds: fc.array(build, { minLength: 2, maxLength: 5 }),
    at: fc.nat({ max: 4 }),
    after: fc.nat({ max: 2 }),
  })
  .map(({ builds, at, after }) => {
    const before = new Set(builds.slice(0, at + 1).map(({ version }) => version));
    const by = versions.findIndex((_, version) => !before.has(version));
    const first = builds[at]?.version;
    return builds.map((one, index) => {
      if (by < 0) return one;
      if (index === at) return { ...one, replaced: { by, after } };
      // A crop fetched after the replacement counts for the version that the build started with, because it can
      // look the same at a small size. So that version doesn't come back.
      return index > at && one.version === first ? { ...one, version: by } : one;
    });
  });

const show = (version: number, ...shown: Name[]): Build => ({ version, shown });
/** Histories that once failed. */
const examples: [Build[]][] = [
  // A crop that no page shows while the asset changes.
  [[show(0, 'left', 'right'), show(0, 'left'), show(3, 'left'), show(3, 'left', 'right')]],
  // An asset that returns to an earlier version: the version fetched last is the wrong one.
  [[show(0, 'left'), show(3, 'right'), show(0, 'left', 'right'), show(0, 'right', 'left')]],
  // An asset that has changed outside a crop.
  [[show(0, 'whole', 'right'), show(0, 'whole', 'right'), show(1, 'whole', 'right')]],
  // An asset that is replaced while a build fetches it.
  [[{ ...show(0, 'whole', 'left'), replaced: { by: 1, after: 1 } }, show(1, 'whole', 'left')]],
  [[{ ...show(0, 'left', 'whole'), replaced: { by: 1, after: 1 } }, show(1, 'whole', 'left')]],
];

const title = 'a page shows the present version after any history, detected by';

test(`${title} an ETag of the asset`, () => showsPresentVersion('etag'));

test.each([
  ['an ETag of the bytes', 'etag of bytes'],
  ['Last-Modified', 'last-modified'],
  ['nothing', 'none'],
])(`${title} %s`, { tags: ['slow'] }, (_, validators) => showsPresentVersion(validators));

async function showsPresentVersion(validators: string): Promise<void> {
  let present = 0;
  const respond: Respond = async (response, request) => {
    const bytes = await serveCrop(request.url, versions[present] as Buffer);
    const etag =
      validators === 'etag'
        ? `"${present}"`
        : `"${createHash('sha256').update(bytes).digest('hex')}"`;
    const modified = new Date(Date.UTC(2026, 0, 1 + present)).toUTCString();
    const { 'if-none-match': known, 'if-modified-since': since } = request.headers;
    const isKnown = validators === 'last-modified' ? since === modified : known === etag;
    if (validators !== 'none' && isKnown) return void response.writeHead(304).end();
    const headers = validators === 'last-modified' ? { 'last-modified': modified } : { etag };
    response.writeHead(200, validators === 'none' ? {} : headers).end(bytes);
  };
  const service = await startScriptedService({ respond });
  const ask = (images: TestImages, name: Name) => {
    const crop = name === 'whole' ? undefined : crops[name];
    return images.getMediaAsset({ id: 1, alt: '', page: '/', crop, width: 4, densities: [1] });
  };
  const addresses = new Map<string, string>();
  /** The URL of the present version's rendition, which a site without a cache would use. */
  const addressOf = async (name: Name) => {
    const key = `${present} ${name}`;
    if (!addresses.has(key)) {
      const fresh = await newBuild(service);
      addresses.set(key, (await ask(fresh, name)).src);
    }
    return addresses.get(key);
  };
  await fc.assert(
    fc.asyncProperty(history, async (builds) => {
      const cacheDir = await cacheFolder();
      for (const { version, shown, replaced } of builds) {
        present = version;
        const images = openImages({ service: emulatorClient(service), cacheDir });
        await images.checkUsed();
        const assets = [];
        for (const [index, name] of shown.entries()) {
          if (index === replaced?.after) present = replaced.by;
          assets.push(await ask(images, name));
        }
        await images.publish(...assets);
        // While it changes, either is right.
        if (replaced) continue;
        for (const [index, name] of shown.entries()) {
          expect(assets[index]?.src).toBe(await addressOf(name));
        }
      }
    }),
    { numRuns: 10, examples },
  );
}
