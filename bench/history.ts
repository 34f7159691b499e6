import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatRenditionPath, type RenditionAddress } from '../src/assets/formats/rendition-url.ts';
import { fileStateStore } from '../src/usage/ledger/open-state-store.ts';
import { changeHistory, type Published } from '../src/usage/ledger/publication-history.ts';
import { seededRandom } from '../test/support/bends/faults/seeded-random.ts';
import { type Bench, type Size, scaled } from './bench.ts';
import { site } from './make-manifest.ts';
import { runProcess } from './run-process.ts';

/** The input of `history-process.ts`. */
export interface HistoryOrder {
  readonly path: string;
  readonly service: string;
}

const service = 'https://media.example';
const time = 'limit (50 ms at full size)';
const megabytes = 'limit (2 MB at full size)';

export const historyBench: Bench = {
  name: 'history',
  about:
    'Reads a publication history of 10,000 images of 1,000 assets on 2,000 pages, from five builds, in a new process. The facts of originals are sealed and read apart from it.',
  figures: [
    { name: 'size', unit: 'MB', against: [{ peer: megabytes, goal: 1 }] },
    { name: 'read', unit: 'ms', against: [{ peer: time, goal: 1 }] },
    { name: time, unit: 'ms' },
    { name: megabytes, unit: 'MB' },
  ],
  async open(size) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-history-'));
    const order: HistoryOrder = { path: join(folder, 'history.json'), service };
    const store = fileStateStore(order);
    const history = makeHistory(size);
    await changeHistory({ store, service }, (known) => ({ ...known, history }));
    return {
      async round() {
        return {
          size: (await stat(order.path)).size / 1e6,
          ...(await runProcess('history-process.ts', order)),
          [time]: 50 * size.scale,
          [megabytes]: 2 * size.scale,
        };
      },
      close: () => rm(folder, { recursive: true }),
    };
  },
};

function makeHistory(size: Size): Published[] {
  const random = seededRandom(size.seed, 0);
  const digits = (count: number) =>
    Array.from({ length: count }, () => Math.floor(random() * 16).toString(16)).join('');
  const build = (number: number) => `2026-11-0${1 + number}T08:00:00.000Z`;
  const images = Array.from({ length: scaled(10_000, size) }, (_, index): Published => {
    const id = 4711 + Math.floor(index / 10);
    const address: RenditionAddress = {
      ...{ id, name: 'harbour-at-dawn', sourceHash: digits(16), digest: digits(16) },
      extension: 'webp',
    };
    const url = `${site}/_astro/${formatRenditionPath(address)}`;
    return { kind: 'file', url, id, hash: digits(32), first: build(0), last: build(index % 5) };
  });
  const pages = Array.from({ length: scaled(2000, size) * 4 }, (_, index): Published => {
    const url = `${site}/notes/note-${Math.floor(index / 4)}/`;
    return {
      ...{ kind: 'page', url, id: 4711 + (index % 1000), hash: '' },
      ...{ first: build(0), last: build(4) },
    };
  });
  return [...images, ...pages];
}
