import { strict as assert } from 'node:assert';
import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type EmulatorProcess,
  startEmulatorProcess,
} from '../test/support/service/emulator-process.ts';
import type { Site } from '../test/support/site/site.ts';
import { type Bench, type OpenBench, type Size, scaled } from './bench.ts';
import { assetsPerPage, makeNotes } from './overhead-site.ts';
import { drawCopies } from './photographs.ts';
import { timedBuild, timedRebuild } from './timed-build.ts';

const assetsPerFolder = 25;
/** In milliseconds. */
const latency = 100;
/** Concurrent requests: the client's default. */
const concurrency = 8;

const withRecords = 'astro build with records';
const without = 'astro build without';
const watching = 'media-asset watch';
const limit = '10 s';
const ideal = 'assets × latency ÷ concurrency';

export const recordsBench: Bench = {
  name: 'records',
  about:
    'Builds 2,000 pages of Markdown with 500 assets in 20 folders of the service, when nothing has changed since the last build, with and without the option `record`. Then watches these assets, in a service 100 ms away.',
  figures: [
    { name: withRecords, unit: 'ms', against: [{ peer: without, goal: 1.03 }] },
    { name: without, unit: 'ms' },
    {
      name: 'processor time with records',
      unit: 'ms',
      against: [{ peer: 'processor time without' }],
    },
    { name: 'processor time without', unit: 'ms' },
    { name: 'requests for records', unit: 'requests' },
    { name: watching, unit: 'ms', against: [{ peer: limit, goal: 1 }, { peer: ideal }] },
    { name: limit, unit: 'ms' },
    { name: ideal, unit: 'ms' },
  ],
  open: openRecordsBench,
};

async function openRecordsBench(size: Size): Promise<OpenBench> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-records-'));
  const folders = Math.max(2, scaled(20, size));
  const assets = folders * assetsPerFolder;
  const media = join(folder, 'media');
  await drawInFolders(media, { assets, folders });
  const emulator = await startEmulatorProcess({ media });
  const notes = { pages: scaled(2000, size), assets, seed: size.seed };
  const reading = await makeNotes(notes, 'ours');
  const plain = await makeNotes(notes, 'ours');
  await reading.write('astro.config.mjs', config);
  for (const site of [reading, plain]) await timedBuild(site, emulator.env);
  assert.ok(notes.pages * assetsPerPage >= assets);
  return {
    async round() {
      const one = await timedRebuild(plain, emulator.env);
      emulator.clearLog();
      const other = await timedRebuild(reading, emulator.env);
      const requests = emulator.log();
      const lists = requests.filter(({ path }) => path.endsWith('/files'));
      assert.equal(lists.length, folders);
      assert.equal(requests.filter(({ status }) => status === 304).length, assets);
      return {
        [withRecords]: other.milliseconds,
        [without]: one.milliseconds,
        'processor time with records': other.processor,
        'processor time without': one.processor,
        'requests for records': lists.length,
        [watching]: await watch(reading, { emulator, assets }),
        [limit]: 10_000 * size.scale,
        [ideal]: (assets * latency) / concurrency,
      };
    },
    async close() {
      await emulator.stop();
      for (const site of [reading, plain]) await site.delete();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function drawInFolders(
  media: string,
  { assets, folders }: { assets: number; folders: number },
): Promise<void> {
  const drawn = `${media}-drawn`;
  await drawCopies(drawn, assets);
  for (const [index, name] of (await readdir(drawn)).sort().entries()) {
    const folder = join(media, `folder-${index % folders}`);
    await mkdir(folder, { recursive: true });
    await copyFile(join(drawn, name), join(folder, name));
  }
  await rm(drawn, { recursive: true });
}

const config = `import mediaAsset from 'astro-media-asset';

export default {
  site: 'https://bench.example',
  integrations: [
    mediaAsset({
      record: {
        fields: ['name', 'alttext', 'photographer'],
        read: (fields) => ({ alt: fields.alttext, credit: fields.photographer }),
      },
      rights: {
        fields: ['gdprStatus', 'licenceTo'],
        optional: ['gdprStatus', 'licenceTo'],
        read: (fields) => ({
          state: fields.gdprStatus === 'no' ? 'forbidden' : 'allowed',
          until: fields.licenceTo,
        }),
      },
    }),
  ],
};
`;

/** Returns milliseconds. */
async function watch(
  site: Site,
  { emulator, assets }: { emulator: EmulatorProcess; assets: number },
): Promise<number> {
  await emulator.setFaults([{ kind: 'latency', call: 'any', ms: latency }]);
  const start = performance.now();
  const { exitCode, stdout } = await site.command(emulator.env, 'watch', '--json');
  const milliseconds = performance.now() - start;
  await emulator.clearFaults();
  assert.equal(exitCode, 0, stdout);
  assert.equal(JSON.parse(stdout).assets, assets);
  return milliseconds;
}
