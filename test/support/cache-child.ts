/**
 * One process of several that share a picture cache: does what a build with three sizes of each
 * asset does, and writes the published files into the folder `output`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createImages } from '../../src/images/images.ts';
import { parseRenditionUrl } from '../../src/images/rendition-url.ts';
import { createMediaService } from '../../src/service/index.ts';

const { url, cacheDir, output, ids } = JSON.parse(process.argv[2] ?? '{}') as {
  url: string;
  cacheDir: string;
  output: string;
  ids: number[];
};
const service = createMediaService({
  baseUrl: url,
  clientId: 'emulator',
  clientSecret: 'emulator-secret',
  credentials: { kind: 'password', username: 'editor', password: 'harbour' },
});
const images = createImages({
  service,
  cacheDir,
  crops: 'local',
  delivery: 'static',
  mode: 'build',
  toUrl: (path) => `/_astro/${path}`,
  onFinding: (found) => console.error(found),
});
const page = '/page/';
const assets = await Promise.all(
  ids.map((id) =>
    images.getMediaAsset({ id, alt: '', page, format: 'png', widths: [100, 200, 300] }),
  ),
);
const addresses = assets
  .flatMap(({ renditions }) => renditions.map((one) => parseRenditionUrl(one.url)))
  .filter((address) => address !== undefined)
  .map((address) => ({ address, page }));
await images.emit({
  addresses,
  async write(path, content) {
    await mkdir(dirname(join(output, path)), { recursive: true });
    await writeFile(join(output, path), content);
  },
});
await images.save();
