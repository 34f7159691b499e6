import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmulatorProcess } from '../test/support/service/emulator-process.ts';
import { type Bench, scaled } from './bench.ts';
import { drawCopies } from './photographs.ts';
import { runProcess } from './run-process.ts';

/** The input of `workerd-process.ts`. */
export interface WorkerdOrder {
  /** Where Cloudflare's adapter renders pages. */
  readonly prerenderEnvironment: 'workerd' | 'node';
  readonly pages: number;
  /** On two pages. */
  readonly images: number;
  readonly environment: Readonly<Record<string, string>>;
}

const packages = fileURLToPath(new URL('../test/cloudflare/node_modules', import.meta.url));
const inWorkerd = "in Cloudflare's runtime: processor time";
const inNode = 'in Node: processor time';
const without = "without images, in Cloudflare's runtime: processor time";

export const workerdBench: Bench = {
  name: 'workerd',
  about:
    "Builds 200 pages with 500 images and Cloudflare's adapter, with nothing in the cache: with the adapter's defaults, which render pages in its own runtime, and with `prerenderEnvironment: 'node'`. Processor time is that of all processes.",
  figures: [
    { name: inWorkerd, unit: 'ms', against: [{ peer: inNode, goal: 1.15 }] },
    { name: inNode, unit: 'ms' },
    { name: without, unit: 'ms', against: [{ peer: inWorkerd }] },
  ],
  async open(size) {
    assert.ok(existsSync(packages), 'First run: npm run test:astro-versions -- --only-install');
    const folder = await mkdtemp(join(tmpdir(), 'bench-workerd-'));
    const half = scaled(100, size);
    await drawCopies(join(folder, 'media'), half * 5);
    const emulator = await startEmulatorProcess({ media: join(folder, 'media') });
    const build = async (
      prerenderEnvironment: WorkerdOrder['prerenderEnvironment'],
      images: number,
    ) => {
      const order = { prerenderEnvironment, pages: half * 2, images, environment: emulator.env };
      const { processor = Number.NaN } = await runProcess('workerd-process.ts', order, {
        TEST_ASTRO: 'cloudflare',
      });
      return processor;
    };
    return {
      async round() {
        return {
          [inWorkerd]: await build('workerd', 5),
          [inNode]: await build('node', 5),
          [without]: await build('workerd', 0),
        };
      },
      async close() {
        await emulator.stop();
        await rm(folder, { recursive: true, force: true });
      },
    };
  },
};
