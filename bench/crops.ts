import { strict as assert } from 'node:assert';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmulatorProcess } from '../test/support/service/emulator-process.ts';
import { type Bench, type OpenBench, type Size, scaled } from './bench.ts';
import { drawPhotographs } from './photographs.ts';
import { runProcess } from './run-process.ts';

/** The crops of each photograph. */
export const cropsOfEach = 12;

/** The input of `crops-process.ts`. */
export interface CropOrder {
  readonly crops: 'service' | 'local';
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly cacheDir: string;
  readonly output: string;
  readonly ids: readonly number[];
}

const sides = [
  ['service', 'crops from the service'],
  ['local', 'crops cut on this machine'],
] as const;

export const cropsBench: Bench = {
  name: 'crops',
  about: `Publishes ${cropsOfEach} crops of each of 8 photographs of 8 to 23 megapixels, as WebP in up to 3 widths, with nothing in the cache. The service's crops are downloaded, checked and compared with their originals. Only our own process counts, not the emulator that cuts them.`,
  figures: sides.flatMap(([side, name]) => [
    {
      name: `${name}: processor time`,
      unit: 'ms',
      ...(side === 'service' && {
        against: [{ peer: `${sides[1][1]}: processor time`, goal: 1.15 }],
      }),
    } as const,
    {
      name,
      unit: 'ms',
      ...(side === 'service' && { against: [{ peer: sides[1][1] }] }),
    } as const,
  ]),
  open: openCropsBench,
};

async function openCropsBench(size: Size): Promise<OpenBench> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-crops-'));
  const media = join(folder, 'media');
  const names = await drawPhotographs(media, { count: scaled(8, size), seed: size.seed });
  const emulator = await startEmulatorProcess({ media });
  const ids = names.map((_, index) => 4711 + index);
  return {
    async round() {
      const figures: Record<string, number> = {};
      for (const [crops, name] of sides) {
        const work = await mkdtemp(join(folder, 'work-'));
        const order: CropOrder = {
          ...{ crops, url: emulator.url, environment: emulator.env, ids },
          ...{ cacheDir: join(work, 'cache'), output: join(work, 'output') },
        };
        const done = await runProcess('crops-process.ts', order);
        assert.equal(done.downloads, ids.length * (crops === 'service' ? 1 + cropsOfEach : 1));
        figures[name] = done.milliseconds ?? Number.NaN;
        figures[`${name}: processor time`] = done.processorTime ?? Number.NaN;
        await rm(work, { recursive: true });
      }
      return figures;
    },
    async close() {
      await emulator.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
