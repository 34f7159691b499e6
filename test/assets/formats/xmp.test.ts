import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { embedXmpInGif, embedXmpInPng, xmpOfGif } from '../../../src/assets/formats/xmp.ts';

const xmp = '<x:xmpmeta xmlns:x="adobe:ns:meta/">Krüger</x:xmpmeta>';
const flat = sharp({ create: { width: 8, height: 6, channels: 3, background: '#369' } });
const gif = await flat.clone().gif().toBuffer();
const told = embedXmpInGif(gif, xmp);

describe('XMP in a GIF', () => {
  test('is read as it was written, and the image stays the same', async () => {
    expect(xmpOfGif(told)?.toString()).toBe(xmp);
    const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer();
    expect(await pixels(told)).toEqual(await pixels(gif));
  });

  test('is skipped by readers that know nothing of it', () => {
    let at = told.indexOf('XMP DataXMP') + 11;
    for (let length = told[at]; length; length = told[at] ?? 0) at += 1 + length;
    const rest = told.subarray(at + 1);
    expect(rest).toEqual(gif.subarray(gif.length - rest.length));
    expect(told.subarray(0, 13)).toEqual(gif.subarray(0, 13));
    expect(rest.length).toBeGreaterThan(20);
  });

  test.each([
    ['without any', gif],
    ['in which it breaks off', told.subarray(0, told.indexOf('</x:'))],
  ])('is nothing in one %s', (_, bytes) => {
    expect(xmpOfGif(bytes)).toBeUndefined();
  });
});

test('XMP in a PNG is read by others', async () => {
  const told = embedXmpInPng(await flat.clone().png().toBuffer(), xmp);
  expect((await sharp(told).metadata()).xmp?.toString()).toBe(xmp);
});
