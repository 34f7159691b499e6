/** Publishes crops of photographs once, in its own process. Prints the figures as JSON. */
import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { createAssets } from '../src/assets/assets.ts';
import { parseRenditionUrl } from '../src/assets/formats/rendition-url.ts';
import { askingOf } from '../src/assets/request/asking.ts';
import { writeBuiltFile } from '../src/astro/build/built-files.ts';
import { defaultOptions } from '../test/support/images/default-options.ts';
import { type CropOrder, cropsOfEach } from './crops.ts';
import { openClient } from './open-client.ts';

const { crops, url, environment, cacheDir, output, ids } = JSON.parse(
  process.argv[2] ?? '',
) as CropOrder;
const start = performance.now();
const usedBefore = process.cpuUsage();
const { pages, publisher } = createAssets({
  ...defaultOptions,
  service: openClient(url, environment),
  ...{ cacheDir, crops, delivery: 'static', mode: 'build' },
  toUrl: (path) => `/_astro/${path}`,
  onFinding: ({ message }) => {
    throw new Error(message);
  },
});
const { languages } = defaultOptions;
const urls: string[] = [];
for (let number = 0; number < cropsOfEach; number += 1) {
  for (const id of ids) {
    const crop = {
      x: 60 * number,
      y: 40 * number,
      width: 960 + 80 * number,
      height: 640 + 40 * number,
    };
    const { renditions } = await pages.getMediaAsset(
      { id, alt: 'Part of a photograph', crop, widths: [320, 640, 960] },
      askingOf({ id, page: `/${number}/` }, { languages, caller: 'getMediaAsset()' }),
    );
    urls.push(...renditions.map((one) => one.url));
  }
}
const addresses = urls
  .map((one) => parseRenditionUrl(one))
  .filter((address) => address !== undefined)
  .map((address) => ({ address, page: '/' }));
await publisher.emit({
  addresses,
  assets: ids.map((id) => ({ id, page: '/' })),
  languagesOf: () => languages.all,
  write: (path, content) => writeBuiltFile(join(output, path), content),
});
await publisher.save();
assert.equal(publisher.counts().made, 3 * ids.length * cropsOfEach);
const milliseconds = performance.now() - start;
const { user, system } = process.cpuUsage(usedBefore);
const { downloads } = publisher.counts();
process.stdout.write(
  JSON.stringify({ milliseconds, processorTime: (user + system) / 1000, downloads }),
);
