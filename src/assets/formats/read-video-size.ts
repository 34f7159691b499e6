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
  let largest = { width: 0, height: 0 };
  for await (const track of descend(file, readBox, ['moov', 'trak', 'tkhd'])) {
    // In every version, the matrix and the size are the last 44 bytes.
    const bytes = track.end - track.start >= 84 ? await file.read(track.end - 44, 44) : undefined;
    if (bytes?.length !== 44) continue;
    const width = Math.round(bytes.readUInt32BE(36) / 0x10000);
    const height = Math.round(bytes.readUInt32BE(40) / 0x10000);
    const isTurned = bytes.readInt32BE(0) === 0 && bytes.readInt32BE(16) === 0;
    if (width * height > largest.width * largest.height)
      largest = isTurned ? { width: height, height: width } : { width, height };
  }
  return largest;
}

/** From RFC 9559 (Matroska), section 5.1. */
const elementIds = {
  segment: 0x18538067,
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
  const { segment, tracks, track, video } = elementIds;
  for await (const part of descend(file, readElement, [segment, tracks, track, video])) {
    const numbers = new Map<unknown, number>();
    for await (const { id, start, end } of parts(file, readElement, part)) {
      if (end - start > 6 || end === start) continue;
      const bytes = await file.read(start, end - start);
      if (bytes.length === end - start) numbers.set(id, bytes.readUIntBE(0, bytes.length));
    }
    const inPixels = (numbers.get(elementIds.displayUnit) ?? 0) === 0;
    const side = (displayed: number, stored: number) =>
      (inPixels && numbers.get(displayed)) || numbers.get(stored);
    const width = side(elementIds.displayWidth, elementIds.pixelWidth);
    const height = side(elementIds.displayHeight, elementIds.pixelHeight);
    if (width && height) return { width, height };
  }
  return undefined;
}

/** Reads the header of a part. `size` is that of its content; `undefined` if it extends to the end. */
type ReadHeader = (
  header: Buffer,
) => { id: unknown; length: number; size: number | undefined } | undefined;

/** All parts with these IDs, each inside one with the ID before. */
async function* descend(
  file: FileBytes,
  readHeader: ReadHeader,
  [id, ...inner]: readonly unknown[],
  within: Part = { start: 0, end: file.size },
): AsyncGenerator<Part> {
  for await (const part of parts(file, readHeader, within)) {
    if (part.id !== id) continue;
    if (inner.length === 0) yield part;
    else yield* descend(file, readHeader, inner, part);
  }
}

async function* parts(
  file: FileBytes,
  readHeader: ReadHeader,
  { start, end }: Part,
): AsyncGenerator<Part & { id: unknown }> {
  let at = start;
  for (let count = 0; count < mostParts && at < end; count += 1) {
    const header = readHeader(await file.read(at, 16));
    if (!header) return;
    const body = at + header.length;
    const next = header.size === undefined ? end : Math.min(body + header.size, end);
    yield { id: header.id, start: body, end: next };
    at = next;
  }
}

const readBox: ReadHeader = (header) => {
  const short = header.length < 8 ? undefined : header.readUInt32BE(0);
  const isLong = short === 1;
  if (short === undefined || (isLong && header.length < 16)) return undefined;
  const length = isLong ? 16 : 8;
  const size = (isLong ? Number(header.readBigUInt64BE(8)) : short) - length;
  const id = header.toString('latin1', 4, 8);
  if (short === 0) return { id, length, size: undefined };
  return size < 0 ? undefined : { id, length, size };
};

/** From RFC 8794, sections 4 to 6. */
const readElement: ReadHeader = (header) => {
  const idLength = lengthOf(header[0], 4);
  const sizeLength = idLength && lengthOf(header[idLength], 8);
  const length = (idLength ?? 0) + (sizeLength ?? 0);
  if (!idLength || !sizeLength || header.length < length) return undefined;
  const size = readSize(header.subarray(idLength, length));
  return { id: header.readUIntBE(0, idLength), length, size };
};

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
