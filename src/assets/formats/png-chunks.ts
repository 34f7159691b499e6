import { crc32 } from 'node:zlib';

/** The bytes of the signature. */
const signature = 8;

type Chunk = readonly [type: string, data: Buffer];

/** All chunks, without those that browsers ignore: a needless one (in lower case) that is damaged. */
export function readChunks(png: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = signature; at + 12 <= png.length; ) {
    const end = at + 8 + png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const isNeedless = /^[a-z]/.test(type) && type !== 'fdAT';
    if (
      !isNeedless ||
      end + 4 > png.length ||
      crc32(png.subarray(at + 4, end)) === png.readUInt32BE(end)
    )
      chunks.push([type, png.subarray(at + 8, end)]);
    at = end + 4;
  }
  return chunks;
}
