import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { formatCredit, readCredit } from '../../../src/assets/formats/credit.ts';
import type { Rendition } from '../../../src/assets/formats/rendition.ts';
import {
  decodeSource,
  makeRendition,
  resizeSource,
} from '../../../src/assets/renditions/make-rendition.ts';

const rectangle = { x: 0, y: 0, width: 64, height: 64 };

type Recipe = Rendition['recipe'];

function renditionAs(format: Recipe['format'], recipe: Partial<Recipe> = {}): Rendition {
  return {
    source: { reference: { kind: 'original', id: 1 }, hash: '' },
    corner: { x: 0, y: 0 },
    rectangle,
    width: 32,
    height: 32,
    recipe: { format, quality: 80, animated: false, ...recipe },
  };
}

async function publish(bytes: Buffer, rendition: Rendition): Promise<Buffer> {
  const source = await decodeSource(bytes, rendition);
  return makeRendition(await resizeSource(source, rendition), rendition);
}

function flatFrames(colours: readonly string[]): Promise<Buffer[]> {
  return Promise.all(colours.map((colour) => flat(colour).png().toBuffer()));
}

function flat(background: object | string, channels: 3 | 4 = 3) {
  return sharp({ create: { width: 64, height: 64, channels, background } });
}

test.each<[string, Partial<Recipe>]>([
  ['a WebP', { format: 'webp' }],
  ['an AVIF', { format: 'avif' }],
  ['a JPEG', { format: 'jpeg' }],
  ['a PNG', { format: 'png' }],
  ['an animated WebP', { format: 'webp', animated: true }],
  ['an animated GIF', { format: 'gif', animated: true }],
])('%s has no metadata about place, device or person', async (_, recipe) => {
  const drawn = recipe.animated
    ? sharp(await flatFrames(['#ff0000', '#00ff00']), { join: { animated: true } })
    : flat({ r: 10, g: 200, b: 60 });
  const told = drawn
    .withExif({
      IFD0: { ImageDescription: 'Ingrid Holm at home', Make: 'Seagull', Model: 'S1' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '59/1 20/1 0/1' },
    })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><serial>99417</serial></x:xmpmeta>');
  const original = await (recipe.animated ? told.webp() : told.jpeg()).toBuffer();
  const before = await sharp(original).metadata();
  expect(before).toMatchObject({ exif: expect.any(Buffer), xmp: expect.any(Buffer) });

  const bytes = await publish(original, renditionAs(recipe.format ?? 'webp', recipe));

  const metadata = await sharp(bytes).metadata();
  expect(metadata.pages ?? 1).toBe(recipe.animated ? 2 : 1);
  expect(metadata.exif ?? metadata.xmp ?? metadata.iptc).toBeUndefined();
  for (const trace of ['GPS', 'Seagull', 'Ingrid', '99417'])
    expect(bytes.includes(trace)).toBe(false);
});

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
      { xmp: Buffer.from(xmp('<dc:creator><rdf:li>Ana<').split('</rdf:Desc')[0] ?? '') },
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
      'IPTC in UTF-8, as its first dataset says',
      {
        iptc: Buffer.concat([
          Buffer.from([0x1c, 1, 90, 0, 3, 0x1b, 0x25, 0x47]),
          Buffer.from([0x1c, 2, 80, 0, 7]),
          Buffer.from('Jørgen'),
        ]),
      },
      { creators: ['Jørgen'], copyright: undefined },
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
  ])('are read from %s', (_, metadata, credit) => {
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

  test('of any text are read as they were written', () => {
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

/** A JPEG of a red outside sRGB, made by adding another file's profile. */
async function wideRed(): Promise<Buffer> {
  const plain = await flat({ r: 255, g: 0, b: 0 }).jpeg({ quality: 100 }).toBuffer();
  const tagged = await flat('#808080').withIccProfile('p3').jpeg().toBuffer();
  const at = tagged.indexOf(Buffer.from([0xff, 0xe2]));
  const profile = tagged.subarray(at, at + 2 + tagged.readUInt16BE(at + 2));
  return Buffer.concat([plain.subarray(0, 2), profile, plain.subarray(2)]);
}

/** The first pixel as stored, without its color profile. */
async function storedPixel(bytes: Buffer): Promise<number[]> {
  const raw = sharp(bytes, { ignoreIcc: true }).removeAlpha().raw();
  return [...(await raw.toBuffer()).subarray(0, 3)];
}

/** The largest difference of the first pixel, in sRGB, from a color. */
async function offset(bytes: Buffer, color: readonly number[]): Promise<number> {
  const pixel = await sharp(bytes).toColourspace('srgb').raw().toBuffer();
  return Math.max(...color.map((channel, at) => Math.abs(channel - (pixel[at] ?? 0))));
}

test.each(['webp', 'avif', 'jpeg', 'png'] as const)(
  'wide colors become sRGB in a %s, without a profile',
  async (format) => {
    const bytes = await publish(await wideRed(), renditionAs(format));
    expect((await sharp(bytes).metadata()).hasProfile).toBe(false);
    expect((await storedPixel(bytes))[0]).toBeGreaterThan(245);
  },
);

test.each<[string, () => Promise<Buffer>]>([
  ['JPEG without a profile', () => flat('#60a040').jpeg().toBuffer()],
  ['PNG with a profile of sRGB', () => flat('#60a040').withIccProfile('srgb').png().toBuffer()],
  ['JPEG in Display P3', () => flat('#60a040').withIccProfile('p3').jpeg().toBuffer()],
  ['16-bit PNG', () => flat('#60a040').toColourspace('rgb16').png().toBuffer()],
  [
    '16-bit PNG with a profile of sRGB',
    () => flat('#60a040').toColourspace('rgb16').withIccProfile('srgb').png().toBuffer(),
  ],
  [
    '16-bit PNG in Display P3',
    () => flat('#60a040').toColourspace('rgb16').withIccProfile('p3').png().toBuffer(),
  ],
])('a %s keeps its colors', async (_, draw) => {
  const original = await draw();
  for (const format of ['png', 'gif'] as const) {
    const bytes = await publish(original, renditionAs(format));
    expect(await sharp(bytes).metadata()).toMatchObject({ depth: 'uchar' });
    expect(await offset(bytes, [0x60, 0xa0, 0x40]), format).toBeLessThan(4);
  }
});

test('a background has the requested color, also with wide colors', async () => {
  const original = await flat({ r: 0x60, g: 0xa0, b: 0x40, alpha: 0.5 }, 4)
    .withIccProfile('p3')
    .png()
    .toBuffer();
  const bytes = await publish(original, renditionAs('png', { background: '#ff0000' }));
  expect(await offset(bytes, [176, 80, 32])).toBeLessThan(6);
});

test('transparent parts are white in a JPEG', async () => {
  const original = await flat({ r: 0, g: 0, b: 0, alpha: 0 }, 4).png().toBuffer();
  const jpeg = await publish(original, renditionAs('jpeg'));
  expect(await offset(jpeg, [255, 255, 255])).toBeLessThan(6);
});

test.each(['webp', 'avif', 'png'] as const)(
  'transparent and translucent parts keep their alpha in a %s',
  async (format) => {
    for (const alpha of [0, 0.5, 1]) {
      const original = await flat({ r: 0, g: 200, b: 0, alpha }, 4).png().toBuffer();
      const { data, info } = await sharp(await publish(original, renditionAs(format)))
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect(info.channels).toBe(4);
      expect(Math.abs((data[3] ?? 255) - alpha * 255)).toBeLessThan(4);
    }
  },
);

test('an image that names very many creators keeps the first 20', () => {
  const creator = (_: unknown, at: number) => Buffer.from([0x1c, 2, 80, 0, 1, 0x41 + at]);
  const iptc = Buffer.concat(Array.from({ length: 25 }, creator));
  expect(readCredit({ iptc })?.creators.join('')).toBe('ABCDEFGHIJKLMNOPQRST');
});
