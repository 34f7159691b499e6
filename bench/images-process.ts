/**
 * Publishes photographs once, in its own process, so that only the order's cache is warm. Prints
 * the figures as JSON.
 */
import { strict as assert } from 'node:assert';
import { cp, readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import eleventyImage from '@11ty/eleventy-img';
import pLimit from 'p-limit';
import sharp, { type OutputInfo } from 'sharp';
import { type Assets, createAssets } from '../src/assets/assets.ts';
import { parseRenditionUrl } from '../src/assets/formats/rendition-url.ts';
import { askingOf } from '../src/assets/request/asking.ts';
import type { MediaAsset } from '../src/assets/request/media-asset.ts';
import { writeBuiltFile } from '../src/astro/build/built-files.ts';
import { defaultOptions } from '../test/support/images/default-options.ts';
import { effort, type Format, quality, type WorkOrder } from './images.ts';
import { openClient } from './open-client.ts';

const order = JSON.parse(process.argv[2] ?? '') as WorkOrder;
const pixels = order.side === 'encoding' ? await decodeAll(order) : [];
const start = performance.now();
const usedBefore = process.cpuUsage();
const downloads = await run(order);
const milliseconds = performance.now() - start;
const { user, system } = process.cpuUsage(usedBefore);
const processorTime = (user + system) / 1000;
process.stdout.write(JSON.stringify({ milliseconds, processorTime, downloads }));

async function run(order: WorkOrder): Promise<number> {
  switch (order.side) {
    case 'ours':
      return publish(order);
    case 'ours, downloads':
      return fetchAll(order);
    case 'eleventy-img':
      return publishWithEleventy(order);
    case 'encoding':
      await encodeAll(pixels, order.formats);
      return 0;
    case 'copy':
      await cp(order.from, order.output, { recursive: true });
      return 0;
  }
}

function asking(id: number) {
  return askingOf({ id, page: '/' }, { ...defaultOptions, caller: 'getMediaAsset()' });
}

async function publish({
  ids,
  formats,
  widths,
  output,
  ...place
}: Extract<WorkOrder, { side: 'ours' }>): Promise<number> {
  const { pages, publisher } = open({ ...place, delivery: 'static' });
  await publisher.checkUsed();
  publisher.prefetch(async () => ids);
  const assets: MediaAsset[] = [];
  for (const id of ids) {
    assets.push(
      await pages.getMediaAsset(
        {
          ...{ id, alt: `Photograph ${id}`, widths, quality, effort },
          formats: formats.filter((format) => format !== 'jpeg'),
        },
        asking(id),
      ),
    );
  }
  const addresses = assets
    .flatMap(({ renditions, sources }) => [...sources.map((one) => one.renditions), renditions])
    .flat()
    .map(({ url }) => parseRenditionUrl(url))
    .filter((address) => address !== undefined)
    .map((address) => ({ address, page: '/' }));
  await publisher.emit({
    addresses,
    assets: ids.map((id) => ({ id, page: '/' })),
    languagesOf: () => defaultOptions.languages.all,
    write: (path, content) => writeBuiltFile(join(output, path), content),
  });
  await publisher.save();
  await assertFiles(output, ids.length * formats.length * widths.length);
  return publisher.counts().downloads;
}

/** Downloads every asset and encodes nothing, because pages show the service's URLs. */
async function fetchAll({
  ids,
  ...place
}: Extract<WorkOrder, { side: 'ours, downloads' }>): Promise<number> {
  const { pages, publisher } = open({ ...place, delivery: 'service' });
  publisher.prefetch(async () => ids);
  for (const id of ids) await pages.getMediaAsset({ id, alt: '' }, asking(id));
  await publisher.save();
  return publisher.counts().downloads;
}

function open(place: {
  url: string;
  environment: Readonly<Record<string, string>>;
  cacheDir: string;
  delivery: 'static' | 'service';
}): Assets {
  const { url, environment, cacheDir, delivery } = place;
  const service = openClient(url, environment);
  return createAssets({
    ...defaultOptions,
    service,
    cacheDir,
    crops: 'service',
    delivery,
    mode: 'build',
    toUrl: (path) => `/_astro/${path}`,
    onFinding: ({ code, message }) => {
      if (code !== 'tokenless-refused') throw new Error(message);
    },
  });
}

async function publishWithEleventy({
  files,
  formats,
  widths,
  output,
}: Extract<WorkOrder, { side: 'eleventy-img' }>): Promise<number> {
  await Promise.all(
    files.map((file) =>
      eleventyImage(file, {
        widths: [...widths],
        formats: [...formats],
        outputDir: output,
        useCache: false,
        sharpAvifOptions: { quality },
        sharpWebpOptions: { quality },
        sharpJpegOptions: { quality, progressive: true },
      }),
    ),
  );
  await assertFiles(output, files.length * formats.length * widths.length);
  return 0;
}

type Pixels = { data: Buffer; info: OutputInfo };

async function decodeAll({
  files,
  widths,
}: Extract<WorkOrder, { side: 'encoding' }>): Promise<Pixels[]> {
  const sizes: Pixels[] = [];
  for (const file of files) {
    for (const width of widths) {
      const picture = sharp(file).resize(width).raw();
      sizes.push(await picture.toBuffer({ resolveWithObject: true }));
    }
  }
  return sizes;
}

async function encodeAll(sizes: readonly Pixels[], formats: readonly Format[]): Promise<void> {
  const limit = pLimit(availableParallelism());
  const encode = ({ data, info }: Pixels, format: Format) =>
    sharp(data, { raw: info })
      .toFormat(format, { quality, progressive: format === 'jpeg' })
      .toBuffer();
  await Promise.all(
    sizes.flatMap((size) => formats.map((format) => limit(() => encode(size, format)))),
  );
}

async function assertFiles(folder: string, count: number): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  assert.equal(entries.filter((entry) => entry.isFile()).length, count);
}
