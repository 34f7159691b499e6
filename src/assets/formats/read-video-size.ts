import type { Size } from '../geometry/rectangle.ts';

interface FileBytes {
  /** In bytes. */
  readonly size: number;
  /** Returns fewer bytes at the end of the file. */
  readonly read: (position: number, length: number) => Promise<Buffer>;
}

/** The content of a box. */
interface Content {
  readonly start: number;
  readonly end: number;
}

/** The most boxes that are read per level. Real videos have fewer before the track's size. */
const mostBoxes = 1000;

/**
 * The displayed size of a video: that of the largest track of an MP4 or QuickTime file (ISO/IEC 14496-12,
 * 8.3.2), rotated by its matrix. `undefined` for any other file.
 */
export async function readVideoSize(file: FileBytes): Promise<Size | undefined> {
  let largest: Size | undefined;
  for await (const track of descend(file, ['moov', 'trak', 'tkhd'])) {
    // In every version, the matrix and the size are the last 44 bytes.
    const bytes = track.end - track.start >= 84 ? await file.read(track.end - 44, 44) : undefined;
    if (bytes?.length !== 44) continue;
    const width = Math.round(bytes.readUInt32BE(36) / 0x10000);
    const height = Math.round(bytes.readUInt32BE(40) / 0x10000);
    const isTurned = bytes.readInt32BE(0) === 0 && bytes.readInt32BE(16) === 0;
    // A sound has none, and a preview a small one.
    if (width * height > (largest ? largest.width * largest.height : 0))
      largest = isTurned ? { width: height, height: width } : { width, height };
  }
  return largest;
}

/** The contents of all boxes of these types, each inside one of the type before. */
async function* descend(
  file: FileBytes,
  [type, ...inner]: readonly string[],
  within: Content = { start: 0, end: file.size },
): AsyncGenerator<Content> {
  let at = within.start;
  for (let count = 0; count < mostBoxes && at < within.end; count += 1) {
    const header = await file.read(at, 16);
    if (header.length < 8) return;
    const short = header.readUInt32BE(0);
    const isLong = short === 1 && header.length === 16;
    const size = isLong ? Number(header.readBigUInt64BE(8)) : short;
    // One without a size extends to the end. No video has its tracks in that one.
    if (size < 8) return;
    const content = { start: at + (isLong ? 16 : 8), end: Math.min(at + size, within.end) };
    at += size;
    if (header.toString('latin1', 4, 8) !== type) continue;
    if (inner.length === 0) yield content;
    else yield* descend(file, inner, content);
  }
}
