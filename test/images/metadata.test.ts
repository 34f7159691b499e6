import sharp from 'sharp';
import { expect, test } from 'vitest';
import { makeRenditions } from '../../src/images/make-renditions.ts';
import type { Rendition } from '../../src/images/rendition.ts';

const rectangle = { x: 0, y: 0, width: 64, height: 64 };

function renditionAs(format: Rendition['recipe']['format']): Rendition {
  return {
    source: { reference: { kind: 'original', service: 'https://dam.example', id: 1 }, hash: '' },
    corner: { x: 0, y: 0 },
    rectangle,
    width: 32,
    height: 32,
    recipe: { format, quality: 80, animated: false, gamut: 'srgb' },
  };
}

async function makeRendition(bytes: Buffer, rendition: Rendition): Promise<Buffer> {
  for await (const made of makeRenditions(bytes, [rendition])) return made.bytes;
  throw new Error('Nothing was made.');
}

function flat(background: object, channels: 3 | 4 = 3) {
  return sharp({ create: { width: 64, height: 64, channels, background } });
}

test.each(['webp', 'avif', 'jpeg', 'png'] as const)(
  'place, device and person are gone from a %s',
  async (format) => {
    const original = await flat({ r: 10, g: 200, b: 60 })
      .withExif({
        IFD0: { Artist: 'Ingrid Holm', Make: 'Seagull', Model: 'S1' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '59/1 20/1 0/1' },
      })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><serial>99417</serial></x:xmpmeta>')
      .jpeg()
      .toBuffer();
    expect((await sharp(original).metadata()).exif).toBeDefined();

    const bytes = await makeRendition(original, renditionAs(format));

    const metadata = await sharp(bytes).metadata();
    expect(metadata.exif ?? metadata.xmp ?? metadata.iptc).toBeUndefined();
    for (const trace of ['GPS', 'Seagull', 'Ingrid', '99417'])
      expect(bytes.includes(trace)).toBe(false);
  },
);

test.each([
  ['CMYK', () => flat({ r: 255, g: 0, b: 0 }).toColourspace('cmyk').jpeg().toBuffer()],
  ['16-bit', () => flat({ r: 255, g: 0, b: 0 }).toColourspace('rgb16').png().toBuffer()],
  ['Display P3', () => flat({ r: 255, g: 0, b: 0 }).withIccProfile('p3').jpeg().toBuffer()],
])('a %s picture is published in 8-bit sRGB', async (_, draw) => {
  const bytes = await makeRendition(await draw(), renditionAs('png'));
  const { space, depth, hasProfile } = await sharp(bytes).metadata();
  expect({ space, depth, hasProfile }).toEqual({
    space: 'srgb',
    depth: 'uchar',
    hasProfile: false,
  });
  const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  expect(data[0]).toBeGreaterThan(200);
  expect(data[2]).toBeLessThan(80);
});

test('what is transparent is white in a JPEG, and stays transparent in a WebP', async () => {
  const original = await flat({ r: 0, g: 0, b: 0, alpha: 0 }, 4).png().toBuffer();
  const jpeg = await sharp(await makeRendition(original, renditionAs('jpeg')))
    .raw()
    .toBuffer();
  expect(jpeg[0]).toBeGreaterThan(250);
  const webp = await sharp(await makeRendition(original, renditionAs('webp'))).metadata();
  expect(webp.hasAlpha).toBe(true);
});
