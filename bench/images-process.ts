/** Works on photographs in its own process. Prints the figures as JSON. */
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import sharp from 'sharp';
import { createAssets } from '../src/assets/assets.ts';
import { formatFacts } from '../src/assets/formats/output-formats.ts';
import { askingOf } from '../src/assets/request/asking.ts';
import { defaultOptions } from '../test/support/images/default-options.ts';
import type { PublishedFile, WorkOrder } from './images.ts';
import { openClient } from './open-client.ts';

const order = JSON.parse(process.argv[2] ?? '') as WorkOrder;
const start = performance.now();
const usedBefore = process.cpuUsage();
const downloads = order.side === 'downloads' ? await fetchAll(order) : await makeAll(order.files);
const milliseconds = performance.now() - start;
const { user, system } = process.cpuUsage(usedBefore);
const processorTime = (user + system) / 1000;
process.stdout.write(JSON.stringify({ milliseconds, processorTime, downloads }));

/** Makes each file from its photograph, as many at once as there are cores. */
async function makeAll(files: readonly PublishedFile[]): Promise<number> {
  const limit = pLimit(availableParallelism());
  const make = ({ source, width, format }: PublishedFile) => {
    const { defaultQuality: quality = 80, effort } = formatFacts[format];
    const settings = { quality, ...(effort && { effort: effort.default }) };
    return sharp(source).autoOrient().resize(width).toFormat(format, settings).toBuffer();
  };
  await Promise.all(files.map((file) => limit(make, file)));
  return 0;
}

/** Downloads every asset and encodes nothing, because pages show the service's URLs. */
async function fetchAll({
  url,
  environment,
  cacheDir,
  ids,
}: Extract<WorkOrder, { side: 'downloads' }>): Promise<number> {
  const { pages, publisher } = createAssets({
    ...defaultOptions,
    service: openClient(url, environment),
    cacheDir,
    crops: 'service',
    delivery: 'service',
    mode: 'build',
    toUrl: (path) => `/_astro/${path}`,
    onFinding: ({ message }) => {
      throw new Error(message);
    },
  });
  publisher.prefetch(async () => ids);
  const asking = (id: number) =>
    askingOf({ id, page: '/' }, { ...defaultOptions, caller: 'getMediaAsset()' });
  for (const id of ids) await pages.getMediaAsset({ id, alt: '' }, asking(id));
  await publisher.save();
  return publisher.counts().downloads;
}
