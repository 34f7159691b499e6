import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import pLimit from 'p-limit';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Recipe, Rectangle, RenditionSource } from '../../../src/assets/formats/rendition.ts';
import {
  createRefCountedPool,
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
    ...{ kind: 'jpeg', ...size, turned: false, animated: false, transparent: false },
    ...{ hasManifest: false, fetchedAt: 0 },
  }));
  const copies: Uint8Array[] = [];
  const read = async (asked: RenditionSource) => {
    const copy = await store.read(asked);
    if (copy) copies.push(copy);
    return copy;
  };
  return { store: { ...store, read }, hash, copies };
}

const usual = { quality: undefined, animated: false, gamut: 'srgb' } as const;

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
  ['an image with wide colors', 1, { draw: wide, recipe: { gamut: 'p3' } }],
  ['an image without wide colors, with the P3 gamut', 1, { draw: jpeg, recipe: { gamut: 'p3' } }],
  [
    'a large image up to 2,560 and up to 5,120 pixels',
    2,
    { draw: long, rectangles: [strip], widths: [640, 2560, 2561, 3200, 3840, 5120] },
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
    const sources = { refusal: () => undefined } as Partial<Sources> as Sources;
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

test('concurrent users share a value, which stays open until the last one has finished', async () => {
  const users = fc.array(
    fc.record({
      key: fc.constantFrom('a', 'b', 'c'),
      comes: fc.nat({ max: 6 }),
      stays: fc.nat({ max: 4 }),
    }),
    { maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(users, fc.integer({ min: 1, max: 3 }), async (users, room) => {
      const inUse = new Map<string, number>();
      const limit = pLimit(room);
      const opened = new Set<object>();
      const closed = new Set<object>();
      const share = createRefCountedPool<{ key: string }>();
      const open = (key: string, whileOpen: (value: { key: string }) => Promise<void>) =>
        limit(async () => {
          const value = { key };
          opened.add(value);
          expect(inUse.get(key) ?? 0).toBe(0);
          await turn();
          await whileOpen(value);
          closed.add(value);
        });
      const wait = async (turns: number) => {
        for (let index = 0; index < turns; index += 1) await turn();
      };
      await Promise.all(
        users.map(async ({ key, comes, stays }) => {
          await wait(comes);
          const used = await share(key, {
            open: (whileOpen) => open(key, whileOpen),
            async use(value) {
              inUse.set(key, (inUse.get(key) ?? 0) + 1);
              expect([...inUse.values()].filter((count) => count > 0).length).toBeLessThanOrEqual(
                room,
              );
              await wait(stays);
              expect(closed.has(value)).toBe(false);
              inUse.set(key, (inUse.get(key) ?? 0) - 1);
              return value.key;
            },
          });
          expect(used).toBe(key);
        }),
      );
      await turn();
      expect(closed).toEqual(opened);
    }),
  );
});

test("a value that can't be opened fails for all waiting users, and is opened again for the next one", async () => {
  const share = createRefCountedPool<string>();
  const use = async (value: string) => value;
  const fail = { open: () => Promise.reject(new Error('broken')), use };
  const both = await Promise.allSettled([share('a', fail), share('a', fail)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await share('a', { open: (whileOpen) => whileOpen('opened'), use })).toBe('opened');
});
