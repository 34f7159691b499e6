import { deflateSync } from 'node:zlib';

type Entry = readonly [tag: number, type: 1 | 2 | 3 | 4, values: readonly number[]];

const sizes = { 1: 1, 2: 1, 3: 2, 4: 4 };

/** A side of `drawTiff`'s images, in pixels. */
export const tiffSide = 64;

/**
 * A TIFF of 64 × 64 pixels whose data is any bytes.
 *
 * @param compression 1 for none, 3 for faxes, 5 for LZW, 6 for the old JPEG, 7 for JPEG, 8 for Deflate
 * @param photometric 2 for RGB, 6 for YCbCr
 * @param further tags, which replace those of the same number
 * @param tiled as one tile instead of one strip
 */
export function drawTiff({
  data = deflateSync(Buffer.alloc(tiffSide * tiffSide * 3, 200)),
  compression = 8,
  photometric = 2,
  samples = 3,
  bits = 8,
  tiled = false,
  further = [],
}: {
  data?: Buffer;
  compression?: number;
  photometric?: number;
  samples?: number;
  bits?: number;
  tiled?: boolean;
  further?: readonly Entry[];
} = {}): Buffer {
  const own: Entry[] = [
    [256, 3, [tiffSide]],
    [257, 3, [tiffSide]],
    [258, 3, Array(samples).fill(bits)],
    [259, 3, [compression]],
    [262, 3, [photometric]],
    [277, 3, [samples]],
    ...(tiled
      ? ([
          [322, 3, [tiffSide]],
          [323, 3, [tiffSide]],
          [324, 4, [8]],
          [325, 4, [data.length]],
        ] as Entry[])
      : ([
          [273, 4, [8]],
          [278, 3, [tiffSide]],
          [279, 4, [data.length]],
        ] as Entry[])),
  ];
  const entries = [...new Map([...own, ...further].map((entry) => [entry[0], entry])).values()];
  entries.sort(([one], [other]) => one - other);
  const start = 8 + data.length + (data.length % 2);
  const directory = Buffer.alloc(2 + 12 * entries.length + 4);
  directory.writeUInt16LE(entries.length);
  const outside: Buffer[] = [];
  let end = start + directory.length;
  for (const [index, [tag, type, values]] of entries.entries()) {
    const at = 2 + 12 * index;
    directory.writeUInt16LE(tag, at);
    directory.writeUInt16LE(type, at + 2);
    directory.writeUInt32LE(values.length, at + 4);
    const size = sizes[type];
    const bytes = Buffer.alloc(Math.max(4, size * values.length));
    for (const [place, value] of values.entries()) bytes.writeUIntLE(value, size * place, size);
    if (bytes.length === 4) bytes.copy(directory, at + 8);
    else {
      directory.writeUInt32LE(end, at + 8);
      outside.push(bytes);
      end += bytes.length;
    }
  }
  const header = Buffer.from('49492a0000000000', 'hex');
  header.writeUInt32LE(start, 4);
  return Buffer.concat([
    header,
    data,
    Buffer.alloc(start - 8 - data.length),
    directory,
    ...outside,
  ]);
}
