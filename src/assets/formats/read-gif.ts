/** Bytes before the color table. */
const gifHeader = 13;

/** The bytes of a color table, whose size is in the last bits of the flags before it. */
function colorTable(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0;
}

/** Where the blocks after the global color table begin. */
export function firstBlock(gif: Buffer): number {
  return gifHeader + colorTable(gif[10]);
}

interface Frame {
  /** Where its descriptor begins, its pixels, and the flags of its control block, if it has one. */
  readonly at: number;
  readonly data: number;
  readonly control: number | undefined;
}

/** The frames of a GIF, and whether all of its blocks are there. A decoder shows the frames that it finds. */
export function readGif(gif: Buffer): { frames: readonly Frame[]; isWhole: boolean } {
  const frames: Frame[] = [];
  let control: number | undefined;
  let at = firstBlock(gif);
  while (at < gif.length) {
    const kind = gif[at];
    if (kind === 0x3b) return { frames, isWhole: true };
    if (kind === 0x21) {
      if (gif[at + 1] === 0xf9) control = at + 3;
      at += 2;
    } else if (kind === 0x2c) {
      const data = at + 10 + colorTable(gif[at + 9]);
      frames.push({ at, data, control });
      control = undefined;
      at = data + 1;
    } else break;
    for (let length = gif[at]; length; length = gif[at]) at += 1 + length;
    at += 1;
  }
  return { frames, isWhole: false };
}

/**
 * A GIF that decoders show as browsers do. They fill parts of the canvas that no frame has drawn, or that
 * one has cleared, unless that frame has a transparent color. So it gets one that none of its pixels has.
 *
 * @returns `undefined` if it needs none
 */
export function clearCanvas(gif: Buffer): Buffer | undefined {
  const { frames } = readGif(gif);
  const flags = ({ control }: Frame) => (control === undefined ? 0 : (gif[control] ?? 0));
  const isOpaque = (frame: Frame) => flags(frame) % 2 === 0;
  const isWhole = ({ at }: Frame) =>
    gif.readUInt32LE(at + 1) === 0 && gif.readUInt32LE(at + 5) === gif.readUInt32LE(6);
  const showsCanvas = (frame: Frame, index: number) => {
    const next = frames[index + 1];
    const isCleared = ((flags(frame) >> 2) & 7) === 2 && next && !(isWhole(next) && isOpaque(next));
    return isCleared || (index === 0 && !isWhole(frame) && frames.every(isOpaque));
  };
  const changed = Buffer.from(gif);
  let inserted: Buffer | undefined;
  for (const [index, frame] of frames.entries()) {
    if (!isOpaque(frame) || !showsCanvas(frame, index)) continue;
    const used = usedColors(gif, frame.data);
    const unused = Array.from({ length: 256 }, (_, color) => color).find((one) => !used.has(one));
    if (unused === undefined) continue;
    inserted ??= Buffer.alloc(0);
    if (frame.control === undefined) inserted = Buffer.from([0x21, 0xf9, 4, 1, 0, 0, unused, 0]);
    else
      changed.set(
        [flags(frame) + 1, gif[frame.control + 1] ?? 0, gif[frame.control + 2] ?? 0, unused],
        frame.control,
      );
  }
  const start = frames[0]?.at ?? 0;
  return inserted && Buffer.concat([changed.subarray(0, start), inserted, changed.subarray(start)]);
}

/** The colors of a frame's pixels. In LZW, each comes as a code of its own before it's part of others. */
function usedColors(gif: Buffer, data: number): ReadonlySet<number> {
  const used = new Set<number>();
  const least = gif[data] ?? 8;
  const clear = 2 ** least;
  let [entries, width, held, bits] = [clear + 1, least + 1, 0, 0];
  for (let at = data + 1; gif[at]; at += 1 + (gif[at] ?? 0)) {
    for (const byte of gif.subarray(at + 1, at + 1 + (gif[at] ?? 0))) {
      held += byte << bits;
      for (bits += 8; bits >= width; ) {
        const code = held % 2 ** width;
        held >>= width;
        bits -= width;
        if (code === clear) [entries, width] = [clear + 1, least + 1];
        else {
          if (code < clear) used.add(code);
          entries = Math.min(4096, entries + 1);
          if (entries === 2 ** width && width < 12) width += 1;
        }
      }
    }
  }
  return used;
}
