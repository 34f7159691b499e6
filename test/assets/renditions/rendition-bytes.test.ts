import { Readable } from 'node:stream';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Recipe, RenditionSource } from '../../../src/assets/formats/rendition.ts';
import type { Rectangle } from '../../../src/assets/geometry/rectangle.ts';
import {
  createRenditionBytes,
  type NamedRendition,
} from '../../../src/assets/renditions/rendition-bytes.ts';
import type { Sources } from '../../../src/assets/sources/sources.ts';
import { openAssetStore } from '../../../src/assets/store/asset-store.ts';
import { drawTestImage } from '../../support/images/test-images.ts';
import { cacheFolder } from '../open-images.ts';

const size = { width: 600, height: 400 };
const reference = { kind: 'original', id: 1 } as const;
const whole = { x: 0, y: 0, ...size };

/** A cache with one image, and every copy of its bytes that was read for decoding. */
async function openCache(bytes: Buffer) {
  const folder = await cacheFolder();
  const store = openAssetStore({
    ...{ cacheDir: folder, service: 'https://dam.example' },
    ...{ mode: 'build', clock: Date.now },
  });
  const { hash } = await store.receive(reference, Readable.from([bytes]), async () => ({
    ...{ kind: 'jpeg', ...size, animated: false, transparent: false },
    ...{ fetchedAt: 0, isStill: false },
  }));
  const copies: Uint8Array[] = [];
  const read = async (asked: RenditionSource) => {
    const copy = await store.read(asked);
    if (copy) copies.push(copy);
    return copy;
  };
  return { store: { ...store, read }, hash, copies };
}

const usual = { quality: undefined, animated: false } as const;

const jpeg = () => drawTestImage({ path: 'a.jpg', ...size });
const wide = async () =>
  sharp(await jpeg())
    .withIccProfile('p3')
    .jpeg()
    .toBuffer();
const long = () => drawTestImage({ path: 'a.png', width: 6000, height: 60 });
const strip = { x: 0, y: 0, width: 6000, height: 60 };

interface Drawn {
  readonly draw: () => Promise<Buffer>;
  readonly rectangles?: readonly Rectangle[];
  readonly widths?: readonly number[];
  readonly recipe?: Partial<Recipe>;
}

test.each<[string, number, Drawn]>([
  ['an image', 1, { draw: jpeg }],
  [
    'two crops of an image',
    2,
    { draw: jpeg, rectangles: [whole, { x: 100, y: 50, width: 300, height: 300 }] },
  ],
  ['an image with wide colors', 1, { draw: wide }],
  [
    'a large image up to 1,280, up to 2,560 and up to 5,120 pixels',
    3,
    { draw: long, rectangles: [strip], widths: [640, 1280, 1281, 2560, 2561, 5120] },
  ],
  [
    'a large image above 5,120 pixels',
    1,
    { draw: long, rectangles: [strip], widths: [5121, 5600, 6000] },
  ],
])(
  'all widths and formats of %s share this number of decodings: %i',
  async (_, decodings, drawn) => {
    const { rectangles = [whole], widths = [20, 80, 150, 260, 300], recipe: asked } = drawn;
    const { store, hash, copies } = await openCache(await drawn.draw());
    const sources = {
      refusal: () => undefined,
      deliveredAgain: () => undefined,
    } as Partial<Sources> as Sources;
    const bytes = createRenditionBytes({ access: { store, sources }, atOnce: 2 });
    const named = rectangles.flatMap((rectangle, at) =>
      widths.flatMap((width) =>
        (['webp', 'jpeg', 'png'] as const).map((format): NamedRendition => {
          const height = Math.round((width * rectangle.height) / rectangle.width);
          const source = { reference, hash };
          const recipe = { ...usual, format, ...asked };
          const part = { source, corner: { x: 0, y: 0 }, rectangle };
          const rendition = { ...part, width, height, recipe };
          return { key: `1-${at}-${width}-${format}`, url: `/${width}.${format}`, rendition };
        }),
      ),
    );
    for (const one of named) bytes.begin(one);
    for (const one of named) {
      const { width, height, recipe } = one.rendition;
      const made = await sharp(await bytes.get(one)).metadata();
      expect(made).toMatchObject({ width, height, format: recipe.format });
    }
    await bytes.settled();
    expect(bytes.counts().made).toBe(named.length);
    expect(copies).toHaveLength(decodings);
    // A freed copy can't have been decoded again.
    expect(copies.map(({ buffer }) => (buffer as ArrayBuffer).detached)).not.toContain(false);
  },
);

test('a source that no one can decode fails for all its renditions, and is decoded again for the next', async () => {
  const { store, hash, copies } = await openCache(Buffer.from('no image'));
  const sources = {
    refusal: () => undefined,
    deliveredAgain: () => undefined,
  } as Partial<Sources> as Sources;
  const bytes = createRenditionBytes({ access: { store, sources }, atOnce: 2 });
  const named = (width: number): NamedRendition => {
    const recipe: Recipe = { ...usual, format: 'webp' };
    const part = { source: { reference, hash }, rectangle: whole };
    const rendition = { ...part, corner: { x: 0, y: 0 }, width, height: width, recipe };
    return { key: `${width}`, url: `/${width}.webp`, rendition };
  };
  const failed = { status: 'rejected', reason: { code: 'rendition-failed' } };
  const get = (width: number) => bytes.get(named(width));
  expect(await Promise.allSettled([get(20), get(80)])).toMatchObject([failed, failed]);
  expect(copies).toHaveLength(1);
  expect(await Promise.allSettled([get(20)])).toMatchObject([failed]);
  expect(copies).toHaveLength(2);
});
