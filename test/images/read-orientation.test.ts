import fc from 'fast-check';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { readOrientation } from '../../src/images/read-orientation.ts';
import { patternPixels } from '../support/test-pictures.ts';

const { data, ...size } = patternPixels({ width: 240, height: 160 });
const picture = () => sharp(data, { raw: { ...size, channels: 3 } });
const turned = (orientation: number) => picture().withMetadata({ orientation });

/** Segments of a JPEG, as large as they can be, between its EXIF and its pixels. */
function withLargeProfile(jpeg: Buffer): Buffer {
  const profile = Buffer.alloc(65_535 + 2, 'x');
  profile.writeUInt32BE(0xffe2ffff);
  const exifEnd = 4 + jpeg.readUInt16BE(4);
  expect(jpeg.toString('latin1', 6, 10)).toBe('Exif');
  return Buffer.concat([jpeg.subarray(0, exifEnd), profile, profile, jpeg.subarray(exifEnd)]);
}

/** How many bytes tell, of each kind; none where all of them are needed. */
const kinds: readonly [string, number | undefined, (from: Sharp) => Promise<Buffer>][] = [
  ['JPEG', 4000, (from) => from.jpeg().toBuffer()],
  ['progressive JPEG', 4000, (from) => from.jpeg({ progressive: true }).toBuffer()],
  ['JPEG with a large profile', 1000, async (from) => withLargeProfile(await exifFirst(from))],
  ['PNG', 4000, (from) => from.png().toBuffer()],
  ['WebP', undefined, (from) => from.webp({ lossless: true }).toBuffer()],
  ['TIFF', undefined, (from) => from.tiff().toBuffer()],
  ['AVIF', 32, (from) => from.avif({ effort: 0 }).toBuffer()],
];

/** sharp puts a JFIF segment before EXIF, cameras do not. */
async function exifFirst(from: Sharp): Promise<Buffer> {
  const jpeg = await from.jpeg().toBuffer();
  const start = jpeg.readUInt16BE(2) === 0xffe0 ? 4 + jpeg.readUInt16BE(4) : 2;
  return Buffer.concat([jpeg.subarray(0, 2), jpeg.subarray(start)]);
}

describe.each(kinds)('the head of a %s', (kind, enough, encode) => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'with EXIF orientation %i tells what the whole file does, or nothing',
    async (orientation) => {
      const file = await encode(turned(orientation));
      const whole = (await sharp(file).metadata()).orientation ?? 1;
      expect(whole).toBe(kind === 'AVIF' ? 1 : orientation);
      const expected = whole > 1 ? 'turned' : 'upright';
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 32, max: file.length }), async (length) => {
          const found = await readOrientation(file.subarray(0, length));
          if (found !== undefined || length >= (enough ?? file.length))
            expect(found).toBe(expected);
        }),
        { numRuns: 15 },
      );
      expect(await readOrientation(file.subarray(0, enough))).toBe(expected);
    },
  );
});

test('a WebP and a JPEG without EXIF are upright by their heads', async () => {
  const webps = await Promise.all([
    picture().webp().toBuffer(),
    picture().webp({ lossless: true }).toBuffer(),
    picture().withIccProfile('p3').webp().toBuffer(),
  ]);
  for (const file of [...webps, await picture().jpeg().toBuffer()])
    expect(await readOrientation(file.subarray(0, 1000))).toBe('upright');
});

test('a GIF and a drawing are upright, and what no picture is made from is told by its first bytes', async () => {
  expect(await readOrientation(Buffer.from('GIF89a, cut short'))).toBe('upright');
  expect(await readOrientation(Buffer.from('<svg xmlns="…">'))).toBe('upright');
  for (const text of ['%PDF-1.7', '\0\0\0\x18ftypheic', '<!doctype html>', ''])
    expect(await readOrientation(Buffer.from(text, 'latin1'))).toBe('undecodable');
});

test('EXIF that cannot be read says nothing as long as the file is not whole', async () => {
  const jpeg = withLargeProfile(await exifFirst(turned(6)));
  expect(await readOrientation(jpeg.subarray(0, 40))).toBeUndefined();
  const broken = Buffer.from(jpeg);
  broken.fill(0xee, 12, 40);
  expect(await readOrientation(broken.subarray(0, 60_000))).toBeUndefined();
});
