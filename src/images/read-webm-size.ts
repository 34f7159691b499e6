import { type FileBytes, mostParts, type Part } from './file-bytes.ts';
import type { Size } from './rendition.ts';

interface Element extends Part {
  readonly id: number;
}

/** Of RFC 9559 (Matroska), section 5.1. */
const ids = {
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
export async function readWebmSize(file: FileBytes): Promise<Size | undefined> {
  const whole = { start: 0, end: file.size };
  for await (const segment of elements(file, whole)) {
    if (segment.id !== ids.segment) continue;
    for await (const part of elements(file, segment)) {
      if (part.id === ids.cluster) return undefined;
      if (part.id !== ids.tracks) continue;
      for await (const track of elements(file, part)) {
        const size = track.id === ids.track ? await trackSize(file, track) : undefined;
        if (size) return size;
      }
      return undefined;
    }
  }
  return undefined;
}

async function trackSize(file: FileBytes, track: Part): Promise<Size | undefined> {
  for await (const video of elements(file, track)) {
    if (video.id !== ids.video) continue;
    const numbers = new Map<number, number>();
    for await (const { id, start, end } of elements(file, video)) {
      if (end - start > 6 || end === start) continue;
      const bytes = await file.read(start, end - start);
      if (bytes.length === end - start) numbers.set(id, bytes.readUIntBE(0, bytes.length));
    }
    const inPixels = (numbers.get(ids.displayUnit) ?? 0) === 0;
    const width = (inPixels && numbers.get(ids.displayWidth)) || numbers.get(ids.pixelWidth);
    const height = (inPixels && numbers.get(ids.displayHeight)) || numbers.get(ids.pixelHeight);
    return width && height ? { width, height } : undefined;
  }
  return undefined;
}

/** The elements of a part (RFC 8794, sections 4 to 6). One of unknown size reaches to the end. */
async function* elements(file: FileBytes, { start, end }: Part): AsyncGenerator<Element> {
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

/** The number of bytes of a number, which its first byte says. */
function lengthOf(first: number | undefined, most: number): number | undefined {
  const length = first === undefined || first === 0 ? 9 : Math.clz32(first) - 23;
  return length <= most ? length : undefined;
}

/** `undefined` for an unknown size: all of its bits are set. */
function readSize(bytes: Buffer): number | undefined {
  let value = BigInt((bytes[0] ?? 0) & (0xff >> bytes.length));
  for (const byte of bytes.subarray(1)) value = value * 256n + BigInt(byte);
  return value === 2n ** BigInt(7 * bytes.length) - 1n ? undefined : Number(value);
}
