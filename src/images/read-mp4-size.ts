import { type FileBytes, mostParts, type Part } from './file-bytes.ts';
import type { Size } from './rendition.ts';

interface Box extends Part {
  readonly type: string;
}

/**
 * The size of the largest track of an MP4 or QuickTime file (ISO/IEC 14496-12, 8.3.2), turned as its
 * matrix says.
 */
export async function readMp4Size(file: FileBytes): Promise<Size | undefined> {
  let largest: Size | undefined;
  for await (const { type, ...movie } of boxes(file, { start: 0, end: file.size })) {
    if (type !== 'moov') continue;
    for await (const track of boxes(file, movie)) {
      const size = track.type === 'trak' ? await trackSize(file, track) : undefined;
      if (size && (!largest || areaOf(size) > areaOf(largest))) largest = size;
    }
    return largest;
  }
  return undefined;
}

async function trackSize(file: FileBytes, track: Part): Promise<Size | undefined> {
  for await (const { type, start, end } of boxes(file, track)) {
    if (type !== 'tkhd') continue;
    // The matrix and the size are its last 44 bytes, in each version.
    const bytes = end - start >= 84 ? await file.read(end - 44, 44) : undefined;
    if (bytes?.length !== 44) return undefined;
    const width = Math.round(bytes.readUInt32BE(36) / 0x10000);
    const height = Math.round(bytes.readUInt32BE(40) / 0x10000);
    const isTurned = bytes.readInt32BE(0) === 0 && bytes.readInt32BE(16) === 0;
    return isTurned ? { width: height, height: width } : { width, height };
  }
  return undefined;
}

async function* boxes(file: FileBytes, { start, end }: Part): AsyncGenerator<Box> {
  let at = start;
  for (let count = 0; count < mostParts && at + 8 <= end; count += 1) {
    const header = await file.read(at, 16);
    if (header.length < 8) return;
    const short = header.readUInt32BE(0);
    const isLong = short === 1;
    if (isLong && header.length < 16) return;
    const size = isLong ? Number(header.readBigUInt64BE(8)) : short === 0 ? end - at : short;
    const body = at + (isLong ? 16 : 8);
    if (at + size < body) return;
    const next = Math.min(at + size, end);
    yield { type: header.toString('latin1', 4, 8), start: body, end: next };
    at = next;
  }
}

function areaOf({ width, height }: Size): number {
  return width * height;
}
