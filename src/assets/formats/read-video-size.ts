import type { Size } from './rendition.ts';

interface FileBytes {
  /** In bytes. */
  readonly size: number;
  /** Returns fewer bytes at the end of the file. */
  readonly read: (position: number, length: number) => Promise<Buffer>;
}

/** The content of a box or an element. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/** The most parts that are read per level. Real videos have fewer before the track's size. */
const mostParts = 1000;

/**
 * The displayed size of a video, from the headers of an MP4, QuickTime or WebM file; `undefined` if
 * they don't contain it.
 */
export async function readVideoSize(file: FileBytes): Promise<Size | undefined> {
  const start = await file.read(0, 8);
  const isWebm = start.length >= 4 && start.readUInt32BE(0) === 0x1a45dfa3;
  const size = isWebm ? await readWebmSize(file) : await readMp4Size(file);
  const isUsable = (side: number) => Number.isInteger(side) && side >= 1 && side <= 65_535;
  return size && isUsable(size.width) && isUsable(size.height) ? size : undefined;
}

/**
 * The size of the largest track of an MP4 or QuickTime file (ISO/IEC 14496-12, 8.3.2), rotated by its
 * matrix.
 */
async function readMp4Size(file: FileBytes): Promise<Size | undefined> {
  let largest: Size | undefined;
  const areaOf = ({ width, height } = { width: 0, height: 0 }) => width * height;
  for await (const { type, ...movie } of boxes(file, { start: 0, end: file.size })) {
    if (type !== 'moov') continue;
    for await (const track of boxes(file, movie)) {
      const size = track.type === 'trak' ? await mp4TrackSize(file, track) : undefined;
      if (areaOf(size) > areaOf(largest)) largest = size;
    }
    return largest;
  }
  return undefined;
}

async function mp4TrackSize(file: FileBytes, track: Part): Promise<Size | undefined> {
  for await (const { type, start, end } of boxes(file, track)) {
    if (type !== 'tkhd') continue;
    // In every version, the matrix and the size are the last 44 bytes.
    const bytes = end - start >= 84 ? await file.read(end - 44, 44) : undefined;
    if (bytes?.length !== 44) return undefined;
    const width = Math.round(bytes.readUInt32BE(36) / 0x10000);
    const height = Math.round(bytes.readUInt32BE(40) / 0x10000);
    const isTurned = bytes.readInt32BE(0) === 0 && bytes.readInt32BE(16) === 0;
    return isTurned ? { width: height, height: width } : { width, height };
  }
  return undefined;
}

async function* boxes(
  file: FileBytes,
  { start, end }: Part,
): AsyncGenerator<Part & { type: string }> {
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

/** From RFC 9559 (Matroska), section 5.1. */
const elementIds = {
  segment: 0x18538067,
  cluster: 0x1f43b675,
  tracks: 0x1654ae6b,
  track: 0xae,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  displayUnit: 0x54b2,
  displayWidth: 0x54b0,
  displayHeight: 0x54ba,
};

/** The size of the first video track of a WebM or Matroska file. */
async function readWebmSize(file: FileBytes): Promise<Size | undefined> {
  const whole = { start: 0, end: file.size };
  for await (const segment of elements(file, whole)) {
    if (segment.id !== elementIds.segment) continue;
    for await (const part of elements(file, segment)) {
      if (part.id === elementIds.cluster) return undefined;
      if (part.id !== elementIds.tracks) continue;
      for await (const track of elements(file, part)) {
        const size = track.id === elementIds.track ? await webmTrackSize(file, track) : undefined;
        if (size) return size;
      }
      return undefined;
    }
  }
  return undefined;
}

async function webmTrackSize(file: FileBytes, track: Part): Promise<Size | undefined> {
  for await (const video of elements(file, track)) {
    if (video.id !== elementIds.video) continue;
    const numbers = new Map<number, number>();
    for await (const { id, start, end } of elements(file, video)) {
      if (end - start > 6 || end === start) continue;
      const bytes = await file.read(start, end - start);
      if (bytes.length === end - start) numbers.set(id, bytes.readUIntBE(0, bytes.length));
    }
    const inPixels = (numbers.get(elementIds.displayUnit) ?? 0) === 0;
    const side = (displayed: number, stored: number) =>
      (inPixels && numbers.get(displayed)) || numbers.get(stored);
    const width = side(elementIds.displayWidth, elementIds.pixelWidth);
    const height = side(elementIds.displayHeight, elementIds.pixelHeight);
    return width && height ? { width, height } : undefined;
  }
  return undefined;
}

/** The elements of a part (RFC 8794, sections 4 to 6). One of unknown size extends to the end. */
async function* elements(
  file: FileBytes,
  { start, end }: Part,
): AsyncGenerator<Part & { id: number }> {
  let at = start;
  for (let count = 0; count < mostParts && at < end; count += 1) {
    const header = await file.read(at, 12);
    const idLength = lengthOf(header[0], 4);
    const sizeLength = idLength && lengthOf(header[idLength], 8);
    if (!idLength || !sizeLength || header.length < idLength + sizeLength) return;
    const body = at + idLength + sizeLength;
    const size = readSize(header.subarray(idLength, idLength + sizeLength));
    const next = size === undefined ? end : Math.min(body + size, end);
    yield { id: header.readUIntBE(0, idLength), start: body, end: next };
    at = next;
  }
}

/** The number of bytes of a number, from its first byte. */
function lengthOf(first: number | undefined, most: number): number | undefined {
  const length = first === undefined || first === 0 ? 9 : Math.clz32(first) - 23;
  return length <= most ? length : undefined;
}

/** `undefined` for an unknown size, which has all bits set. */
function readSize(bytes: Buffer): number | undefined {
  let value = BigInt((bytes[0] ?? 0) & (0xff >> bytes.length));
  for (const byte of bytes.subarray(1)) value = value * 256n + BigInt(byte);
  return value === 2n ** BigInt(7 * bytes.length) - 1n ? undefined : Number(value);
}
