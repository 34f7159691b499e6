import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { xmpOfGif } from '../../../src/assets/formats/xmp.ts';
import { embedXmpInGif } from '../../support/images/marked-images.ts';

const xmp = '<x:xmpmeta xmlns:x="adobe:ns:meta/">Krüger</x:xmpmeta>';
const flat = sharp({ create: { width: 8, height: 6, channels: 3, background: '#369' } });
const gif = await flat.clone().gif().toBuffer();
const told = embedXmpInGif(gif, xmp);

describe('XMP in a GIF', () => {
  test('is read as it was written', async () => {
    expect(xmpOfGif(told)?.toString()).toBe(xmp);
    const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer();
    expect(await pixels(told)).toEqual(await pixels(gif));
  });

  test.each([
    ['without any', gif],
    ['in which it breaks off', told.subarray(0, told.indexOf('</x:'))],
  ])('is nothing in one %s', (_, bytes) => {
    expect(xmpOfGif(bytes)).toBeUndefined();
  });
});
