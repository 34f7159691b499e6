import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readVideoSize } from '../../../src/assets/formats/read-video-size.ts';
import { drawMp4 } from '../../support/images/test-files.ts';

function sizeOf(bytes: Buffer) {
  let read = 0;
  const size = readVideoSize({
    size: bytes.length,
    read: async (position, length) => {
      read += 1;
      if (read > 20_000) throw new Error('It reads without an end.');
      return bytes.subarray(position, position + length);
    },
  });
  return size;
}

/** Gives the first box of a type a 64-bit size. */
function lengthened(bytes: Buffer, type: string): Buffer {
  const at = bytes.indexOf(type) - 4;
  const long = Buffer.alloc(16);
  long.writeUInt32BE(1, 0);
  long.write(type, 4, 'latin1');
  long.writeBigUInt64BE(BigInt(bytes.readUInt32BE(at) + 8), 8);
  return Buffer.concat([bytes.subarray(0, at), long, bytes.subarray(at + 8)]);
}

const mp4 = drawMp4({ width: 1920, height: 1080 });

describe('the size of a video', () => {
  test.each<[string, Buffer, { width: number; height: number } | undefined]>([
    ['an MP4 file', mp4, { width: 1920, height: 1080 }],
    [
      'a rotated video',
      drawMp4({ width: 720, height: 1280, isTurned: true }),
      { width: 720, height: 1280 },
    ],
    ['an MP4 file with a long box', lengthened(mp4, 'mdat'), { width: 1920, height: 1080 }],
    ['a long box before it', lengthened(mp4, 'free'), { width: 1920, height: 1080 }],
    ['a WebM file', Buffer.from('1a45dfa3a34286810142f7810142f2810442f381', 'hex'), undefined],
    ['a file without one', Buffer.from('\0\0\0\x10ftypisom\0\0\0\0'), undefined],
    ['an audio file', drawMp4({ width: 0, height: 0 }), undefined],
    ['nothing', Buffer.alloc(0), undefined],
  ])('is read from %s', async (_, bytes, expected) => {
    expect(await sizeOf(bytes)).toEqual(expected);
  });

  test('is read from truncated or changed files without an endless loop', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 6 }),
        fc.nat(),
        async (changes, end) => {
          const changed = Buffer.from(mp4.subarray(0, 1 + (end % mp4.length)));
          for (const [at, value] of changes) changed[at % changed.length] = value;
          const size = await sizeOf(changed);
          if (size) expect(Math.min(size.width, size.height)).toBeGreaterThan(0);
        },
      ),
    );
  });
});
