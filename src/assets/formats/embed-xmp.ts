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
    Buffer.from('XMP DataXMP'),
    Buffer.from(xmp),
    Buffer.from([0x01, ...skip, 0x00]),
    bytes.subarray(start),
  ]);
}
