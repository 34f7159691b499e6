import sharp from 'sharp';
import { pngChunk } from './handmade-images.ts';

/** A frame of one color, by default as large as the canvas. */
interface Frame {
  readonly left?: number;
  readonly top?: number;
  readonly width: number;
  readonly height: number;
}

/**
 * A PNG whose frames each have one color.
 *
 * @param still the color of a still image that is no frame. By default, it's the first frame
 */
export async function drawApng(
  frames: readonly (Frame & { readonly color: string })[],
  still?: Frame & { readonly color: string },
): Promise<Buffer> {
  const draw = ({ width, height, color: background }: (typeof frames)[number]) =>
    sharp({ create: { width, height, channels: 4, background } })
      .png()
      .toBuffer();
  const drawn = await Promise.all(frames.map(draw));
  const first = still ? await draw(still) : (drawn[0] ?? Buffer.alloc(0));
  const chunks = [pngChunk('acTL', numbers(frames.length, 0))];
  if (still) chunks.push(pngChunk('IDAT', pixelData(first)));
  let sequence = 0;
  for (const [at, { width, height, left = 0, top = 0 }] of frames.entries()) {
    const place = numbers(sequence++, width, height, left, top);
    // A tenth of a second.
    chunks.push(pngChunk('fcTL', Buffer.concat([place, Buffer.from([0, 10, 0, 100, 0, 0])])));
    const pixels = pixelData(drawn[at] ?? first);
    chunks.push(
      at === 0 && !still
        ? pngChunk('IDAT', pixels)
        : pngChunk('fdAT', Buffer.concat([numbers(sequence++), pixels])),
    );
  }
  return Buffer.concat([first.subarray(0, 33), ...chunks, pngChunk('IEND', Buffer.alloc(0))]);
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, 4 * at);
  return bytes;
}

function pixelData(png: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 8; at + 12 <= png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  return Buffer.concat(parts);
}

export interface GifFrame extends Frame {
  /** An index of the palette, for all pixels or by their place. */
  readonly color: number | ((x: number, y: number) => number);
  /** 2 clears the frame before the next one, 3 brings back what it covers. */
  readonly disposal?: number;
  /** The palette's index that isn't drawn. */
  readonly transparent?: number;
  /** In hundredths of a second; a tenth of one by default. */
  readonly delay?: number;
}

/**
 * A GIF with any frames.
 *
 * @param palette colors in RGB, 2 to 256
 * @param control whether a frame without disposal and transparency has a control block too
 */
export function drawFrames({
  side,
  palette,
  frames,
  control = frames.length > 1,
}: {
  side: number;
  palette: readonly (readonly number[])[];
  frames: readonly GifFrame[];
  control?: boolean;
}): Buffer {
  const bits = Math.max(1, Math.ceil(Math.log2(palette.length)));
  const header = Buffer.from('47494638396100000000000100', 'hex');
  header.writeUInt16LE(side, 6);
  header.writeUInt16LE(side, 8);
  // The second color is the background.
  header[10] = 0x80 | (bits - 1);
  const colors = Buffer.alloc(3 * 2 ** bits);
  colors.set(palette.flat());
  const blocks = frames.flatMap((frame) => {
    const { left = 0, top = 0, width, height, disposal = 0, transparent, delay = 10 } = frame;
    const flags = (disposal << 2) | (transparent === undefined ? 0 : 1);
    const place = Buffer.alloc(9);
    place[0] = 0x2c;
    for (const [at, value] of [left, top, width, height].entries())
      place.writeUInt16LE(value, 1 + 2 * at);
    const settings = Buffer.from([0x21, 0xf9, 4, flags, 0, 0, transparent ?? 0, 0]);
    settings.writeUInt16LE(delay, 4);
    return [
      ...(flags > 0 || control ? [settings] : []),
      ...[place, Buffer.from([0]), compress(frame, Math.max(2, bits))],
    ];
  });
  return Buffer.concat([header, colors, ...blocks, Buffer.from([0x3b])]);
}

/** LZW that repeats nothing: it clears its table before a code would become longer. */
function compress({ width, height, color }: GifFrame, least: number): Buffer {
  const clear = 2 ** least;
  const bytes: number[] = [];
  let [held, bits] = [0, 0];
  const put = (code: number) => {
    held |= code << bits;
    for (bits += least + 1; bits >= 8; bits -= 8) {
      bytes.push(held & 255);
      held >>= 8;
    }
  };
  for (let at = 0; at < width * height; at += 1) {
    if (at % (clear - 2) === 0) put(clear);
    put(typeof color === 'number' ? color : color(at % width, Math.floor(at / width)));
  }
  put(clear + 1);
  bytes.push(held & 255);
  const parts = [Buffer.from([least])];
  for (let at = 0; at < bytes.length; at += 255) {
    const part = bytes.slice(at, at + 255);
    parts.push(Buffer.from([part.length, ...part]));
  }
  return Buffer.concat([...parts, Buffer.from([0])]);
}
