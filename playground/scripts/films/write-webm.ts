/** Elements of a WebM file (RFC 9559, 5.1), by their ids in hexadecimal. */
const ids = {
  header: '1a45dfa3',
  docType: '4282',
  docTypeVersion: '4287',
  docTypeReadVersion: '4285',
  segment: '18538067',
  info: '1549a966',
  timestampScale: '2ad7b1',
  duration: '4489',
  muxingApp: '4d80',
  writingApp: '5741',
  tracks: '1654ae6b',
  track: 'ae',
  trackNumber: 'd7',
  trackUid: '73c5',
  trackType: '83',
  codec: '86',
  video: 'e0',
  pixelWidth: 'b0',
  pixelHeight: 'ba',
  cluster: '1f43b675',
  timestamp: 'e7',
  simpleBlock: 'a3',
} as const;

const millisecond = 1_000_000;
const maker = 'astro-media-asset playground';

/** A silent WebM video of VP8 frames that are all key frames. */
export function writeWebm({
  frames,
  width,
  height,
  framesPerSecond,
}: {
  frames: readonly Buffer[];
  width: number;
  height: number;
  framesPerSecond: number;
}): Buffer {
  const timeOf = (frame: number) => Math.round((frame * 1000) / framesPerSecond);
  const duration = Buffer.alloc(8);
  duration.writeDoubleBE(timeOf(frames.length));
  // A block's time is a number of 16 bits from its cluster's: a cluster for each second.
  const clusters = Array.from(
    { length: Math.ceil(frames.length / framesPerSecond) },
    (_, second) => {
      const first = second * framesPerSecond;
      const blocks = frames
        .slice(first, first + framesPerSecond)
        .map((frame, index) => block(frame, timeOf(first + index) - timeOf(first)));
      return element('cluster', element('timestamp', number(timeOf(first))), ...blocks);
    },
  );
  return Buffer.concat([
    element(
      'header',
      element('docType', Buffer.from('webm')),
      element('docTypeVersion', number(4)),
      element('docTypeReadVersion', number(2)),
    ),
    element(
      'segment',
      element(
        'info',
        element('timestampScale', number(millisecond)),
        element('duration', duration),
        element('muxingApp', Buffer.from(maker)),
        element('writingApp', Buffer.from(maker)),
      ),
      element(
        'tracks',
        element(
          'track',
          element('trackNumber', number(1)),
          element('trackUid', number(1)),
          element('trackType', number(1)),
          element('codec', Buffer.from('V_VP8')),
          element(
            'video',
            element('pixelWidth', number(width)),
            element('pixelHeight', number(height)),
          ),
        ),
      ),
      ...clusters,
    ),
  ]);
}

function block(frame: Buffer, time: number): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt8(0x81);
  header.writeInt16BE(time, 1);
  header.writeUInt8(0x80, 3);
  return element('simpleBlock', header, frame);
}

function element(name: keyof typeof ids, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(body.length) | (1n << 56n));
  return Buffer.concat([Buffer.from(ids[name], 'hex'), size, body]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(6);
  bytes.writeUIntBE(value, 0, 6);
  const first = bytes.findIndex((byte) => byte !== 0);
  return bytes.subarray(first < 0 ? 5 : first);
}
