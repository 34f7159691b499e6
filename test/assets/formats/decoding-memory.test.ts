import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import sharp, { type Metadata } from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import {
  decodedBytes,
  largestImage,
  mostPixels,
  whileDecoding,
} from '../../../src/assets/formats/decoding-memory.ts';
import { childEnvironment } from '../../support/process/compile-cache.ts';
import { startEmulatorProcess } from '../../support/service/emulator-process.ts';
import { cacheFolder } from '../open-images.ts';

const budget = 10;

/** A tenth of the memory for decoding, in bytes. */
const tenth = Math.floor((3 * largestImage) / budget);

test('work fits the budget or runs alone, starts in order, and never waits needlessly', async () => {
  const jobs = fc.array(
    fc.record({ bytes: fc.nat({ max: 15 }), turns: fc.nat({ max: 4 }), fails: fc.boolean() }),
    { maxLength: 15 },
  );
  await fc.assert(
    fc.asyncProperty(jobs, async (jobs) => {
      const running = new Map<number, number>();
      const started: number[] = [];
      const held = () => [...running.values()].reduce((sum, bytes) => sum + bytes, 0);
      const all = Promise.allSettled(
        jobs.map(({ bytes, turns, fails }, index) =>
          whileDecoding(bytes * tenth, async () => {
            running.set(index, bytes);
            started.push(index);
            expect(held() <= budget || held() === bytes).toBe(true);
            for (let left = turns; left > 0; left -= 1) await turn();
            running.delete(index);
            if (fails) throw new Error('failed');
          }),
        ),
      );
      while (started.length < jobs.length) {
        await turn();
        const next = jobs[started.length];
        const fits = next && (held() === 0 || held() + next.bytes <= budget);
        expect(fits ?? false).toBe(false);
      }
      expect((await all).map(({ status }) => status === 'rejected')).toEqual(
        jobs.map(({ fails }) => fails),
      );
      expect(started).toEqual(jobs.map((_, index) => index));
    }),
  );
});

test.each<[what: string, metadata: object, bytes: number, mostPixels: number]>([
  ['a JPEG', { format: 'jpeg', channels: 3, depth: 'uchar' }, 36, largestImage],
  [
    'a progressive JPEG',
    { format: 'jpeg', channels: 3, depth: 'uchar', isProgressive: true },
    72,
    largestImage,
  ],
  ['a PNG of 16 bits', { format: 'png', channels: 4, depth: 'ushort' }, 96, largestImage],
  [
    'an interlaced gray PNG',
    { format: 'png', channels: 1, depth: 'uchar', isProgressive: true },
    12,
    largestImage,
  ],
  [
    'an interlaced PNG with transparent parts',
    { format: 'png', channels: 4, depth: 'uchar', isProgressive: true },
    48,
    201_302_016,
  ],
  [
    'an interlaced PNG of 16 bits',
    { format: 'png', channels: 4, depth: 'ushort', isProgressive: true },
    96,
    100_651_008,
  ],
])(
  'decoding 12 pixels of %s (%o) needs at most %i bytes, and it may have %i pixels',
  (_, about, ...expected) => {
    const metadata = { width: 4, height: 3, ...about } as Metadata;
    expect([decodedBytes(metadata), mostPixels(metadata)]).toEqual(expected);
  },
);

const progressive = true;

// Neither can be decoded row by row.
const kinds: [string, () => Promise<Buffer>][] = [
  [
    'quay.png',
    () => flat('#33557780', 7_090).toColourspace('rgb16').png({ progressive }).toBuffer(),
  ],
  ['quay.jpg', () => flat('#335577').jpeg({ progressive }).toBuffer()],
];

// Without the budget, they need 1.15 GB.
test('a transparent interlaced PNG of 16 bits and a progressive JPEG, half as large as allowed, are fetched, cropped and published within 1 GB', {
  tags: ['slow'],
  timeout: 900_000,
}, async () => {
  const media = await cacheFolder();
  for (const [name, draw] of kinds) await writeFile(join(media, name), await draw());
  const emulator = await startEmulatorProcess({ media });
  onTestFinished(async () => void (await emulator.stop()));
  const order = {
    url: emulator.url,
    cacheDir: await cacheFolder(),
    output: await cacheFolder(),
    ids: [4711, 4712],
    crops: 'service',
    request: {
      placeholder: 'blur',
      sources: [{ media: '(width < 600px)', crop: { x: 90, y: 90, width: 6000, height: 4000 } }],
    },
  };
  const program = fileURLToPath(new URL('../../support/images/cache-process.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(order)], {
    env: childEnvironment,
  });
  expect(Number(stdout)).toBeGreaterThan(0);
  expect(Number(stdout)).toBeLessThan(1000);
});

function flat(background: string, side = 11_500) {
  const channels = background.length > 7 ? 4 : 3;
  return sharp({ create: { width: side, height: side, channels, background } });
}
