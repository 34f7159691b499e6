/** Bytes before the color table. */
const gifHeader = 13;

/** The bytes of a color table, whose size is in the last bits of the flags before it. */
function colorTable(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0;
}

interface Frame {
  /** Where its descriptor begins, and the flags of its control block. */
  readonly at: number;
  readonly flags: number;
}

/** The frames of a GIF, and whether all of its blocks are there. A decoder shows the frames that it finds. */
export function readGif(gif: Buffer): { frames: readonly Frame[]; isWhole: boolean } {
  const frames: Frame[] = [];
  let flags = 0;
  let at = gifHeader + colorTable(gif[10]);
  while (at < gif.length) {
    const kind = gif[at];
    if (kind === 0x3b) return { frames, isWhole: true };
    if (kind === 0x21) {
      if (gif[at + 1] === 0xf9) flags = gif[at + 3] ?? 0;
      at += 2;
    } else if (kind === 0x2c) {
      frames.push({ at, flags });
      flags = 0;
      at += 11 + colorTable(gif[at + 9]);
    } else break;
    for (let length = gif[at]; length; length = gif[at]) at += 1 + length;
    at += 1;
  }
  return { frames, isWhole: false };
}

/**
 * Whether parts of its canvas are shown that no frame has drawn, or that one has cleared, and no frame there
 * has a transparent color. Browsers leave them transparent, and decoders fill them.
 */
export function showsCanvas(gif: Buffer): boolean {
  const { frames } = readGif(gif);
  const isOpaque = ({ flags }: Frame) => flags % 2 === 0;
  const isWhole = ({ at }: Frame) =>
    gif.readUInt32LE(at + 1) === 0 && gif.readUInt32LE(at + 5) === gif.readUInt32LE(6);
  return frames.some((frame, index) => {
    const next = frames[index + 1];
    const isCleared = ((frame.flags >> 2) & 7) === 2 && next && !(isWhole(next) && isOpaque(next));
    const isFirst = index === 0 && !isWhole(frame) && frames.every(isOpaque);
    return isOpaque(frame) && (isCleared || isFirst);
  });
}
