import { crc32, deflateSync } from 'node:zlib';

/** A grey PNG of the given size, with these bytes as its pixel data. */
export function drawPng({
  width,
  height,
  bits = 8,
  transparent = false,
  interlaced = false,
  chunks = [],
  data,
}: {
  width: number;
  height: number;
  bits?: 1 | 8 | 16;
  /** In colours, with an alpha channel. */
  transparent?: boolean;
  interlaced?: boolean;
  chunks?: readonly Buffer[];
  data: Buffer;
}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = bits;
  header[9] = transparent ? 6 : 0;
  header[12] = interlaced ? 1 : 0;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    ...chunks,
    pngChunk('IDAT', deflateSync(data)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A chunk of a PNG. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** A JPEG whose frame header gives another size than that of its pixels. */
export function resizeJpegHeader(jpeg: Buffer, side: number): Buffer {
  const lying = Buffer.from(jpeg);
  const frame = lying.indexOf(Buffer.from([0xff, 0xc0]));
  lying.writeUInt16BE(side, frame + 5);
  lying.writeUInt16BE(side, frame + 7);
  return lying;
}

/**
 * A GIF whose frames each draw the first pixel of a square canvas, alternately black and white: 23
 * bytes a frame.
 *
 * @param time display time of each frame, in hundredths of a second
 */
export function drawGif({
  side,
  frames,
  time = 10,
}: {
  side: number;
  frames: number;
  time?: number;
}): Buffer {
  const header = Buffer.from('47494638396100000000800000000000ffffff', 'hex');
  header.writeUInt16LE(side, 6);
  header.writeUInt16LE(side, 8);
  const inTurn = ['44', '4c'].map((pixel) => {
    const frame = Buffer.from(`21f904010a0003002c0000000001000100000202${pixel}0100`, 'hex');
    frame.writeUInt16LE(time, 4);
    return frame;
  });
  const drawn = Array.from({ length: frames }, (_, at) => inTurn[at % 2] as Buffer);
  return Buffer.concat([header, ...drawn, Buffer.from('3b', 'hex')]);
}
