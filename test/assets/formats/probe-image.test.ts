import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { probeImage } from '../../../src/assets/formats/probe-image.ts';
import { probeSvg } from '../../../src/assets/formats/probe-svg.ts';
import {
  chrm,
  cicp,
  damaged,
  gama,
  srgb,
  withChunks,
  withCodes,
} from '../../support/images/color-facts.ts';
import { drawApng, drawFrames } from '../../support/images/handmade-animations.ts';
import { drawPng, pngChunk } from '../../support/images/handmade-images.ts';
import { drawTiff, tiffSide } from '../../support/images/handmade-tiff.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

const root = 'xmlns="http://www.w3.org/2000/svg"';

test('reads a long attribute', () => {
  const d = `M${'10 20 '.repeat(20_000)}`;
  const drawing = `<svg ${root} data-d="${d}" width="48"><path d="${d}"/></svg>`;
  expect(probeSvg(Buffer.from(drawing))).toEqual({ width: 48, height: 150 });
});

test('reads the entities that drawing programs declare for namespaces', () => {
  const drawing = `<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: Adobe Illustrator's export -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
  <!-- it's > here -->
  <!ENTITY ns_svg "http://www.w3.org/2000/svg">
  <!ENTITY ns_ai 'http://ns.adobe.com/AdobeIllustrator/10.0/'>
]>
<svg xmlns="&ns_svg;" xmlns:i="&ns_ai;" i:viewBox="0 0 1 2" i:height="1" width="48"><text>&ns_ai;</text></svg>`;
  expect(probeSvg(Buffer.from(drawing))).toEqual({ width: 48, height: 150 });
});

describe('the size of an SVG', () => {
  test.each([
    ['width="40" height="30"', 40, 30],
    ['width="40px" height="30.6px" viewBox="0 0 4 3"', 40, 31],
    ['width="1in" height="72pt"', 96, 96],
    ['width="25.4mm" height="2.54cm"', 96, 96],
    ['width="1e2" height="+5pc"', 100, 80],
    ['viewBox="0 0 24 12"', 24, 12],
    ['viewBox="-5,-5 , 24 12"', 24, 12],
    ['width="48" viewBox="0 0 24 12"', 48, 24],
    ['height="48" viewBox="0 0 24 12"', 96, 48],
    ['width="100%" height="100%" viewBox="0 0 24 12"', 24, 12],
    ['width="48"', 48, 150],
    ['', 300, 150],
    ['width="0" height="-4"', 300, 150],
    ['width="NaN" height="1e999" viewBox="0 0 0 0"', 300, 150],
    ['width="0.2" height="0.4"', 1, 1],
    ['width="1000000" height="500000"', 65_535, 32_767],
    ['width="2em" height="3ex" viewBox="0 0 24 12 5"', 300, 150],
  ])('with %s is %i × %i pixels', (attributes, width, height) => {
    expect(probeSvg(Buffer.from(`<svg ${root} ${attributes}/>`))).toEqual({ width, height });
  });
});

describe('an SVG', () => {
  const nested = (levels: number) => '<g>'.repeat(levels - 1) + '</g>'.repeat(levels - 1);
  const attributes = (count: number) =>
    Array.from({ length: count - 1 }, (_, at) => `a${at}="${at}"`).join(' ');
  const withEntity = (length: number) =>
    `<!DOCTYPE svg [<!ENTITY long "${'x'.repeat(length)}">]><svg ${root}><text>&long;</text></svg>`;
  const invalid = "it isn't well-formed XML";

  test.each<[what: string, svg: string | Buffer, problem: string | undefined]>([
    ['with 500 levels', `<svg ${root}>${nested(500)}</svg>`, undefined],
    ['with 501 levels', `<svg ${root}>${nested(501)}</svg>`, 'its elements are nested too deeply'],
    ['with many elements in a row', `<svg ${root}>${'<g></g>'.repeat(600)}</svg>`, undefined],
    ['with 500 attributes', `<svg ${root} ${attributes(500)}/>`, undefined],
    [
      'with 501 attributes',
      `<svg ${root} ${attributes(501)}/>`,
      'one of its elements has too many attributes',
    ],
    ['with an entity of 1,000 characters', withEntity(1000), undefined],
    ['with a longer entity', withEntity(1001), invalid],
    ['with another root', `<g ${root}/>`, "its root isn't an `svg` element in the SVG namespace"],
    ['without the namespace', '<svg/>', "its root isn't an `svg` element in the SVG namespace"],
    ['without anything', '', "it's empty"],
    ['that breaks off', `<svg ${root}><g>`, invalid],
    ['in another encoding', Buffer.from([0x3c, 0xff, 0xfe]), "it isn't valid UTF-8"],
  ])('%s is read if that is safe', (_, svg, problem) => {
    const read = () => probeSvg(Buffer.from(svg));
    if (problem === undefined) expect(read).not.toThrow();
    else expect(read).toThrow(problem);
  });
});

async function probe(bytes: Uint8Array) {
  const file = join(await temporaryFolder('probe'), 'original');
  await writeFile(file, bytes);
  return probeImage(file, 'asset 4711');
}

describe("an image of a kind that isn't decoded is refused by its name", () => {
  test.each([
    ['a JPEG XL image', '\xff\x0a\xfa\x1f'],
    ['a JPEG XL image', '\0\0\0\x0cJXL \r\n\x87\n'],
    ['a JPEG 2000 image', '\0\0\0\x0cjP  \r\n\x87\n'],
    ['a JPEG 2000 image', '\xff\x4f\xff\x51\0\x2f'],
    ['an icon (ICO)', '\0\0\x01\0\x01\0\x10\x10'],
    ['a cursor (CUR)', '\0\0\x02\0\x01\0\x10\x10'],
    ['a BigTIFF', 'II+\0\x08\0\0\0'],
    ['a BigTIFF', 'MM\0+\0\x08\0\0'],
    ['a camera raw file', 'II*\0\x10\0\0\0CR\x02\0'],
    ['a camera raw file', '\0\0\0\x18ftypcrx \0\0\0\x01'],
    ['a camera raw file', 'IIRO\x08\0\0\0'],
    ['a camera raw file', 'IIU\0\x18\0\0\0'],
    ['a camera raw file', 'FUJIFILMCCD-RAW 0201'],
    ['a camera raw file', 'FOVb\0\0\x02\0'],
  ])('%s: %j', async (description, start) => {
    await expect(probe(Buffer.from(start, 'latin1'))).rejects.toMatchObject({
      code: 'download-not-a-picture',
      message: `asset 4711 can't be shown as an image: the service sent ${description}.`,
    });
  });
});

describe('an ordinary image is read as it is, so its URLs stay the same:', async () => {
  const red = sharp({ create: { width: 40, height: 30, channels: 3, background: '#c82828' } });
  const png = await red.clone().png().toBuffer();
  const avif = await red.clone().avif({ lossless: true }).toBuffer();
  const deepAvif = await red.clone().avif({ lossless: true, bitdepth: 10 }).toBuffer();
  const p3 = red.clone().withIccProfile('p3');
  const profiled = await p3.clone().png().toBuffer();
  const all = { width: 8, height: 8 };
  const palette = [
    [255, 0, 0],
    [0, 0, 255],
  ];
  const cleared = [0, 1].map((color) => ({ ...all, color, disposal: 2 }));
  const apng = await drawApng(['red', 'blue'].map((color) => ({ ...all, color })));

  test.each<[string, Buffer]>([
    ['a PNG', png],
    ['a PNG that says sRGB', withChunks(png, srgb(), gama(1), chrm('p3'))],
    ['a PNG with codes of sRGB', withChunks(png, cicp(1, 13))],
    ['a PNG with the gamma and primaries of sRGB', withChunks(png, gama(0.45455), chrm('srgb'))],
    ['a PNG with primaries alone', withChunks(png, chrm('p3'))],
    ['a PNG with damaged codes', withChunks(png, damaged(cicp(12, 13)))],
    ['a PNG with a damaged gamma', withChunks(png, damaged(gama(1)))],
    ['a PNG with a profile', profiled],
    ['a PNG with a profile, and codes of HDR', withChunks(profiled, cicp(9, 16))],
    ['a PNG with a profile, and a gamma', withChunks(profiled, gama(1), chrm('rec2020'))],
    ['an AVIF', avif],
    ['an AVIF in BT.709', withCodes(avif, 1, 1)],
    ['an AVIF with unspecified codes', withCodes(avif, 2, 2)],
    ['an AVIF with a profile', await p3.clone().avif().toBuffer()],
    ['a turned JPEG', await red.clone().withMetadata({ orientation: 6 }).jpeg().toBuffer()],
    ['a WebP', await red.clone().webp().toBuffer()],
    ['a GIF of whole frames that it clears', drawFrames({ side: 8, palette, frames: cleared })],
    ['an animated PNG', apng],
    ['a TIFF', drawTiff()],
  ])('%s', async (_, original) => {
    expect(await probe(original)).toHaveProperty('kind');
  });

  const codes = (primaries: number, curve: number) =>
    `the codes ${primaries} (primaries) and ${curve} (transfer) of CICP`;

  test.each<[string, Buffer, string]>([
    ['a PNG in Display P3', withChunks(png, cicp(12, 13)), codes(12, 13)],
    ['a PNG in PQ', withChunks(png, cicp(9, 16)), codes(9, 16)],
    ['a PNG with the curve of a video', withChunks(png, cicp(1, 1)), codes(1, 1)],
    ['a PNG with unspecified primaries', withChunks(png, cicp(2, 8)), codes(2, 8)],
    ['a PNG with codes of a video', withChunks(png, cicp(1, 13, 0, 0)), codes(1, 13)],
    ['a PNG with linear light', withChunks(png, gama(1)), 'a gamma of 1'],
    ['a PNG with the gamma of old Macs', withChunks(png, gama(0.55556)), 'a gamma of 0.55556'],
    [
      'a PNG with the primaries of P3',
      withChunks(png, gama(0.45455), chrm('p3')),
      'a gamma of 0.45455 and primaries other than those of sRGB',
    ],
    ['an AVIF in BT.2020', withCodes(avif, 9, 1), codes(9, 1)],
    ['an AVIF in PQ', withCodes(deepAvif, 9, 16), codes(9, 16)],
    ['an AVIF in HLG', withCodes(deepAvif, 1, 18), codes(1, 18)],
    ['an AVIF with unknown codes', withCodes(avif, 3, 99), codes(3, 99)],
  ])('%s without a profile is refused', async (_, original, colors) => {
    await expect(probe(original)).rejects.toMatchObject({
      code: 'image-colors',
      message: `asset 4711 isn't in sRGB and has no ICC profile: its colors have ${colors}.`,
    });
  });
});

describe('a PNG whose transparent color is out of range', () => {
  const bits = { width: 8, height: 1, bits: 1, data: Buffer.from([0, 0xf0]) } as const;
  const draw = (color: number) =>
    probe(drawPng({ ...bits, chunks: [pngChunk('tRNS', Buffer.from([0, color]))] }));

  test('is refused', async () => {
    await expect(draw(2)).rejects.toThrow('sent a PNG whose transparent color is out of range.');
    expect(await draw(1)).toMatchObject({ kind: 'png', transparent: true });
  });
});

test('an animated PNG is refused if it never shows its still image', async () => {
  const all = { width: 8, height: 8, color: 'red' };
  await expect(probe(await drawApng([all, all], all))).rejects.toThrow(
    'sent an animated PNG that never shows its still image.',
  );
});

test('an animated AVIF without a still image is refused by its name', async () => {
  const empty = Buffer.from('0000001c667479706176697300000000617669666d696631', 'hex');
  await expect(probe(empty)).rejects.toThrow(
    'sent an animated AVIF that is damaged or incomplete.',
  );
});

describe('a TIFF', async () => {
  const rubbish = Buffer.alloc(60, 0x33);
  const grey = {
    create: { width: tiffSide, height: tiffSide, channels: 3, background: '#777' },
  } as const;
  const jpeg = await sharp(grey).jpeg().toBuffer();
  const old: Parameters<typeof drawTiff>[0] = {
    ...{ data: jpeg, compression: 6, photometric: 6 },
    further: [
      [512, 3, [1]],
      [513, 4, [8]],
      [514, 4, [jpeg.length]],
      [530, 3, [2, 2]],
    ],
  };
  const damaged = 'a TIFF that is damaged or incomplete';

  test.each<[string, Parameters<typeof drawTiff>[0], string]>([
    ['with the JPEG compression of TIFF 6.0', old, damaged],
    ['in tiles with that compression', { ...old, tiled: true }, damaged],
    ['with a damaged strip', { data: rubbish }, damaged],
    ['with a damaged tile', { data: rubbish, tiled: true }, damaged],
    ['with a damaged tile in LZW', { data: rubbish, tiled: true, compression: 5 }, damaged],
    ['with an empty tile', { data: Buffer.alloc(0), tiled: true }, damaged],
    ['in tiles with an unknown compression', { compression: 34_712, tiled: true }, damaged],
    [
      'with a damaged fax',
      { data: rubbish, compression: 3, photometric: 0, samples: 1, bits: 1 },
      damaged,
    ],
    [
      'in YCbCr with LZW or Deflate',
      { photometric: 6, further: [[530, 3, [1, 1]]] },
      'a TIFF in uncompressed YCbCr',
    ],
    ['of a camera (DNG)', { further: [[50_706, 1, [1, 4, 0, 0]]] }, 'a camera raw file'],
    [
      'of a camera (NEF, ARW), which begins with a thumbnail',
      {
        further: [
          [254, 4, [1]],
          [330, 4, [8]],
        ],
      },
      'a camera raw file',
    ],
  ])('%s is refused', async (_, drawn, received) => {
    await expect(probe(drawTiff(drawn))).rejects.toMatchObject({
      message: `asset 4711 can't be shown as an image: the service sent ${received}.`,
    });
  });

  test.each<[string, Parameters<typeof drawTiff>[0]]>([
    ['in a strip', {}],
    ['in a tile', { tiled: true }],
    ['with a text that has no end', { further: [[305, 2, [65, 66]]] }],
    ['in YCbCr with JPEG', { data: jpeg, compression: 7, photometric: 6 }],
    ['with a smaller version', { further: [[330, 4, [8]]] }],
  ])('%s is accepted', async (_, drawn) => {
    expect(await probe(drawTiff(drawn))).toMatchObject({ kind: 'tiff', width: tiffSide });
  });
});
