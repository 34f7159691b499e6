import { crc32 } from 'node:zlib';

/** Begins XMP in a GIF. */
const gifXmp = 'XMP DataXMP';

/** Bytes before the color table, whose size is in the last bits of the eleventh. */
const gifHeader = 13;

/**
 * Puts XMP into a GIF, which sharp can't do: as the application extension of the XMP specification,
 * part 3, before the first image. Its end skips the text for readers that don't know it.
 */
export function embedXmpInGif(bytes: Buffer, xmp: string): Buffer {
  const flags = bytes[10] ?? 0;
  const colors = flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0;
  const start = gifHeader + colors;
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

/** Bytes of the signature and the header. */
const pngStart = 33;

/** Puts XMP into a PNG as that specification says. sharp compresses it, and many readers don't find it. */
export function embedXmpInPng(bytes: Buffer, xmp: string): Buffer {
  const chunk = Buffer.from(`\0\0\0\0iTXtXML:com.adobe.xmp\0\0\0\0\0${xmp}\0\0\0\0`);
  chunk.writeUInt32BE(chunk.length - 12);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return Buffer.concat([bytes.subarray(0, pngStart), chunk, bytes.subarray(pngStart)]);
}
