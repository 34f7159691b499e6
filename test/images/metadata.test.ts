import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { decodeSource } from '../../src/images/decode-source.ts';
import { formatCredit } from '../../src/images/format-credit.ts';
import { makeRendition, resizeSource } from '../../src/images/make-rendition.ts';
import { readCredit } from '../../src/images/read-credit.ts';
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

async function publish(bytes: Buffer, rendition: Rendition): Promise<Buffer> {
  const source = await decodeSource(bytes, rendition);
  return makeRendition(await resizeSource(source, rendition), rendition);
}

function flat(background: object | string, channels: 3 | 4 = 3) {
  return sharp({ create: { width: 64, height: 64, channels, background } });
}

test.each(['webp', 'avif', 'jpeg', 'png'] as const)(
  'place, device and person are gone from a %s',
  async (format) => {
    const original = await flat({ r: 10, g: 200, b: 60 })
      .withExif({
        IFD0: { ImageDescription: 'Ingrid Holm at home', Make: 'Seagull', Model: 'S1' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '59/1 20/1 0/1' },
      })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><serial>99417</serial></x:xmpmeta>')
      .jpeg()
      .toBuffer();
    expect((await sharp(original).metadata()).exif).toBeDefined();

    const bytes = await publish(original, renditionAs(format));

    const metadata = await sharp(bytes).metadata();
    expect(metadata.exif ?? metadata.xmp ?? metadata.iptc).toBeUndefined();
    for (const trace of ['GPS', 'Seagull', 'Ingrid', '99417'])
      expect(bytes.includes(trace)).toBe(false);
  },
);

const xmp = (content: string) =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">${content}</rdf:Description></rdf:RDF></x:xmpmeta>`;

/** A dataset of IPTC's IIM: record 2 and a number. */
const dataset = (number: number, text: string) =>
  Buffer.concat([
    Buffer.from([0x1c, 2, number, 0, Buffer.byteLength(text, 'latin1')]),
    Buffer.from(text, 'latin1'),
  ]);

describe('creator and copyright', () => {
  test.each<[string, Parameters<typeof readCredit>[0], ReturnType<typeof readCredit>]>([
    ['nothing', {}, undefined],
    ['an empty XMP', { xmp: Buffer.from('') }, undefined],
    [
      'a broken XMP',
      { xmp: Buffer.from('<dc:creator><rdf:li>Ana') },
      { creators: ['Ana'], copyright: undefined },
    ],
    [
      'XMP',
      {
        xmp: Buffer.from(
          xmp(
            '<dc:creator><rdf:Seq><rdf:li>Ana Rüiz</rdf:li><rdf:li>B &amp; C</rdf:li></rdf:Seq></dc:creator><dc:title>A quay</dc:title><dc:rights/>',
          ),
        ),
      },
      { creators: ['Ana Rüiz', 'B & C'], copyright: undefined },
    ],
    [
      'IPTC',
      { iptc: Buffer.concat([dataset(5, 'Quay'), dataset(80, 'Jørgen'), dataset(116, '© Kø')]) },
      { creators: ['Jørgen'], copyright: '© Kø' },
    ],
    [
      'a broken IPTC',
      { iptc: Buffer.from([0x1c, 2, 80, 0xff, 0xff, 65]) },
      { creators: ['A'], copyright: undefined },
    ],
    ['a broken EXIF', { exif: Buffer.from('Exif nothing') }, undefined],
    [
      'XMP before IPTC',
      {
        xmp: Buffer.from(xmp('<dc:creator><rdf:Seq><rdf:li>Ana</rdf:li></rdf:Seq></dc:creator>')),
        iptc: Buffer.concat([dataset(80, 'Other'), dataset(116, '© Kø')]),
      },
      { creators: ['Ana'], copyright: '© Kø' },
    ],
  ])('are read of %s', (_, metadata, credit) => {
    expect(readCredit(metadata)).toEqual(credit);
  });

  test.each(['webp', 'avif', 'jpeg', 'png'] as const)('stay in a %s', async (format) => {
    const original = await flat({ r: 10, g: 200, b: 60 })
      .withExif({ IFD0: { Artist: 'Ingrid <Holm>', Copyright: 'Harbour Museum', Make: 'Seagull' } })
      .jpeg()
      .toBuffer();
    const metadata = await sharp(await publish(original, renditionAs(format))).metadata();
    expect(readCredit(metadata)).toEqual({
      creators: ['Ingrid <Holm>'],
      copyright: 'Harbour Museum',
    });
    expect(metadata.exif).toBeUndefined();
  });

  test('of any text come back as they were written', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 4 }),
        fc.option(text, { nil: undefined }),
        (creators, copyright) => {
          const clean = (one: string) => one.replace(/[\s\p{Control}]+/gu, ' ').trim();
          const written = formatCredit({
            creators: creators.map(clean),
            copyright: copyright && clean(copyright),
          });
          const read = readCredit({ xmp: Buffer.from(written) });
          expect(read?.creators ?? []).toEqual(creators.map(clean).filter(Boolean));
          expect(read?.copyright ?? '').toBe(clean(copyright ?? ''));
        },
      ),
    );
  });
});

test('an animation keeps its frames in a WebP and a GIF, cut and scaled; other formats show the first', async () => {
  const frames = await Promise.all(
    ['#ff0000', '#00ff00', '#0000ff'].map((colour) => flat(colour).png().toBuffer()),
  );
  const original = await sharp(frames, { join: { animated: true } })
    .gif({ delay: [100, 200, 300], loop: 0 })
    .toBuffer();
  for (const format of ['webp', 'gif'] as const) {
    const recipe = { ...renditionAs(format).recipe, animated: true };
    const cut = { x: 8, y: 8, width: 32, height: 32 };
    const bytes = await publish(original, {
      ...renditionAs(format),
      rectangle: cut,
      width: 16,
      height: 16,
      recipe,
    });
    expect(await sharp(bytes).metadata()).toMatchObject({
      pages: 3,
      width: 16,
      height: 16,
      delay: [100, 200, 300],
    });
    const last = await sharp(bytes, { page: 2 }).removeAlpha().raw().toBuffer();
    expect(last[2]).toBeGreaterThan(200);
  }
  const still = await sharp(await publish(original, renditionAs('jpeg')))
    .raw()
    .toBuffer();
  expect(still[0]).toBeGreaterThan(200);
});

test('wide colours stay wide where they are asked for', async () => {
  const original = await flat({ r: 255, g: 0, b: 0 }).withIccProfile('p3').jpeg().toBuffer();
  const rendition = renditionAs('webp');
  const bytes = await publish(original, {
    ...rendition,
    recipe: { ...rendition.recipe, gamut: 'p3' },
  });
  expect((await sharp(bytes).metadata()).hasProfile).toBe(true);
});

test.each([
  ['CMYK', () => flat({ r: 255, g: 0, b: 0 }).toColourspace('cmyk').jpeg().toBuffer()],
  ['16-bit', () => flat({ r: 255, g: 0, b: 0 }).toColourspace('rgb16').png().toBuffer()],
  ['Display P3', () => flat({ r: 255, g: 0, b: 0 }).withIccProfile('p3').jpeg().toBuffer()],
])('a %s picture is published in 8-bit sRGB', async (_, draw) => {
  const bytes = await publish(await draw(), renditionAs('png'));
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
  const jpeg = await sharp(await publish(original, renditionAs('jpeg')))
    .raw()
    .toBuffer();
  expect(jpeg[0]).toBeGreaterThan(250);
  const webp = await sharp(await publish(original, renditionAs('webp'))).metadata();
  expect(webp.hasAlpha).toBe(true);
});
