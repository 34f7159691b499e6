import { crc32 } from 'node:zlib';

/** Begins XMP in a GIF. */
const gifXmp = 'XMP DataXMP';

/** Bytes before the color table. */
const gifHeader = 13;

/** The bytes of a color table, whose size is in the last bits of the flags before it. */
function colorTable(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0;
}

/** Whether all blocks of a GIF are there, up to its end. A decoder shows the frames that it finds. */
export function isWholeGif(bytes: Buffer): boolean {
  let at = gifHeader + colorTable(bytes[10]);
  while (at < bytes.length) {
    const kind = bytes[at];
    if (kind === 0x3b) return true;
    if (kind === 0x21) at += 2;
    else if (kind === 0x2c) at += 11 + colorTable(bytes[at + 9]);
    else return false;
    for (let length = bytes[at]; length; length = bytes[at]) at += 1 + length;
    at += 1;
  }
  return false;
}

/**
 * Puts XMP into a GIF, which sharp can't do: as the application extension of the XMP specification,
 * part 3, before the first image. Its end skips the text for readers that don't know it.
 */
export function embedXmpInGif(bytes: Buffer, xmp: string): Buffer {
  const start = gifHeader + colorTable(bytes[10]);
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
