import { addChunk } from './png-chunks.ts';
import { firstBlock } from './read-gif.ts';

/** Begins XMP in a GIF. */
const gifXmp = 'XMP DataXMP';

/**
 * Puts XMP into a GIF, which sharp can't do: as the application extension of the XMP specification,
 * part 3, before the first image. Its end skips the text for readers that don't know it.
 */
export function embedXmpInGif(bytes: Buffer, xmp: string): Buffer {
  const start = firstBlock(bytes);
  const skip = Array.from({ length: 256 }, (_, index) => 255 - index);
  return Buffer.concat([
    bytes.subarray(0, start),
    Buffer.from([0x21, 0xff, 0x0b]),
    Buffer.from(gifXmp),
    Buffer.from(xmp),
    Buffer.from([0x01, ...skip, 0x00]),
    bytes.subarray(start),
  ]);
}

export function xmpOfGif(bytes: Buffer): Buffer | undefined {
  const start = bytes.indexOf(gifXmp);
  const end = bytes.indexOf(Buffer.from([0x01, 0xff, 0xfe]), start);
  return start < 0 || end < 0 ? undefined : bytes.subarray(start + gifXmp.length, end);
}

/** Puts XMP into a PNG as that specification says. sharp compresses it, and many readers don't find it. */
export function embedXmpInPng(bytes: Buffer, xmp: string): Buffer {
  return addChunk(bytes, ['iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${xmp}`)]);
}
