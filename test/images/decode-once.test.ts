import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createPictureCache } from '../../src/images/cacache-picture-cache.ts';
import type { Rendition } from '../../src/images/rendition.ts';
import { createRenditionBytes } from '../../src/images/rendition-bytes.ts';
import type { Sources } from '../../src/images/sources.ts';
import { drawTestPicture } from '../support/test-pictures.ts';
import { cacheFolder } from './open-images.ts';

const size = { width: 600, height: 400 };
const reference = { kind: 'original', service: 'https://dam.example', id: 1 } as const;

/** A cache with one picture in it, which counts how often its bytes are read to be decoded. */
async function openCache() {
  const folder = await cacheFolder();
  const cache = createPictureCache(join(folder, 'v1'));
  const bytes = await drawTestPicture({ path: 'a.jpg', ...size });
  const path = join(folder, 'a.jpg');
  await writeFile(path, bytes);
  const hash = createHash('sha256').update(bytes).digest('hex');
  const facts = {
    kind: 'jpeg',
    ...size,
    turned: false,
    animated: false,
    transparent: false,
  } as const;
  const known = { ...facts, etag: undefined, lastModified: undefined, fetchedAt: 0 };
  await cache.add(reference, { path, hash, size: bytes.length }, known);
  const counted = { decoded: 0 };
  const read = async (asked: string) => {
    counted.decoded += 1;
    return cache.read(asked);
  };
  return { cache: { ...cache, read }, hash, counted };
}

test('all widths and formats of a crop come from one decoding, and those of another crop from another', async () => {
  const { cache, hash, counted } = await openCache();
  const sources = { refusal: () => undefined } as Partial<Sources> as Sources;
  const bytes = createRenditionBytes({ cache, sources, atOnce: 2 });
  const rectangles = [
    { x: 0, y: 0, ...size },
    { x: 100, y: 50, width: 300, height: 300 },
  ];
  const named = rectangles.map((rectangle, at) =>
    [20, 80, 150, 260, 300].flatMap((width) =>
      (['webp', 'jpeg', 'png'] as const).map((format) => {
        const height = Math.round((width * rectangle.height) / rectangle.width);
        const recipe = { format, quality: undefined, animated: false, gamut: 'srgb' } as const;
        const source = { reference, hash };
        const rendition: Rendition = {
          source,
          corner: { x: 0, y: 0 },
          rectangle,
          width,
          height,
          recipe,
        };
        return { key: `1-${at}-${width}-${format}`, url: `/${width}.${format}`, rendition };
      }),
    ),
  );
  for (const one of named.flat()) bytes.begin(one);
  for (const one of named.flat()) {
    const { width, height, recipe } = one.rendition;
    const made = await sharp(await bytes.get(one)).metadata();
    expect(made).toMatchObject({ width, height, format: recipe.format });
  }
  await bytes.settled();
  expect(bytes.counts().made).toBe(30);
  expect(counted.decoded).toBe(2);
});
