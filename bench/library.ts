import { strict as assert } from 'node:assert';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLibrary } from '../src/authoring/toolbar/library.ts';
import type { AssetsRequest } from '../src/authoring/toolbar/protocol.ts';
import { siteLanguages } from '../src/config/languages.ts';
import {
  type EmulatorProcess,
  startEmulatorProcess,
} from '../test/support/service/emulator-process.ts';
import { type Bench, type OpenBench, type Size, scaled } from './bench.ts';
import { openClient } from './open-client.ts';
import { drawCopies } from './photographs.ts';

/** How much longer than the service the toolbar may take, in milliseconds. */
const goal = 300;
/** How many assets the toolbar asks for at a time. */
const pageLength = 60;

const searched = 'first results of a search';
const searchAlone = 'the requests of the search, bare fetch';
const listed = 'first assets of a folder';
const listAlone = 'the requests of the folder, bare fetch';
const ofSearch = 'search alone + 300 ms';
const ofList = 'folder alone + 300 ms';

export const libraryBench: Bench = {
  name: 'library',
  about:
    "Asks for the first page of results as the toolbar's library does, in a service with 10,000 images. The peers are the same requests by bare `fetch`.",
  figures: [
    { name: searched, unit: 'ms', against: [{ peer: ofSearch, goal: 1 }, { peer: searchAlone }] },
    { name: searchAlone, unit: 'ms' },
    { name: ofSearch, unit: 'ms' },
    { name: listed, unit: 'ms', against: [{ peer: ofList, goal: 1 }, { peer: listAlone }] },
    { name: listAlone, unit: 'ms' },
    { name: ofList, unit: 'ms' },
    { name: 'processor time of both', unit: 'ms' },
  ],
  open: openLibraryBench,
};

async function openLibraryBench(size: Size): Promise<OpenBench> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-library-'));
  const media = join(folder, 'media');
  const count = scaled(10_000, size);
  await drawCopies(folder, 1);
  await mkdir(media);
  for (let index = 0; index < count; index += 1) {
    await copyFile(join(folder, 'copy-0000.jpg'), join(media, `quay-${index}.jpg`));
  }
  const emulator = await startEmulatorProcess({ media });
  return {
    async round() {
      const service = openClient(emulator.url, emulator.env);
      // The toolbar has asked for folders before anyone types.
      const [root] = await service.folders.tree();
      // A new one each time: what a library has read needs no request.
      const first = async (request: Pick<AssetsRequest, 'search' | 'folder'>) => {
        const library = openLibrary({
          languages: siteLanguages({ base: '/' }),
          service,
          images: {
            describeRecord: async () => undefined,
            listedRecords: undefined,
            original: async () => undefined,
          },
          concurrency: 8,
        });
        const asked = { ...request, limit: pageLength, again: false };
        const { assets } = await library.assets(asked);
        assert.equal(assets.length, Math.min(pageLength, count));
      };
      const before = process.cpuUsage();
      const search = await measure(emulator, () => first({ search: 'quay' }));
      const list = await measure(emulator, () => first({ folder: root?.id }));
      const { user, system } = process.cpuUsage(before);
      return {
        [searched]: search.milliseconds,
        [searchAlone]: search.alone,
        [ofSearch]: search.alone + goal,
        [listed]: list.milliseconds,
        [listAlone]: list.alone,
        [ofList]: list.alone + goal,
        'processor time of both': (user + system) / 1000,
      };
    },
    async close() {
      await emulator.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The time of the work, and of its requests alone. */
async function measure(
  emulator: EmulatorProcess,
  work: () => Promise<void>,
): Promise<{ milliseconds: number; alone: number }> {
  emulator.clearLog();
  const milliseconds = await timed(work);
  const requests = emulator.log();
  assert.ok(requests.length > 0);
  const token = await emulator.signIn();
  const alone = await timed(async () => {
    for (const { method, path, query, body } of requests) {
      const response = await fetch(`${emulator.url}${path}${query && `?${query}`}`, {
        method,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        ...(method === 'GET' ? {} : { body }),
      });
      assert.equal(response.status, 200, await response.text());
    }
  });
  return { milliseconds, alone };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
