/**
 * One of several processes that share an image cache. Works like a build with three sizes of each
 * asset, and writes the published files into the folder `output`. Prints its peak memory in MB.
 */
// Imported first, because the cache keeps references to the file system's functions.
import '../process/act-at-file-change.ts';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { memoryPeak } from '../../../bench/process-memory.ts';
import { createAssets } from '../../../src/assets/assets.ts';
import type { AssetsOptions } from '../../../src/assets/assets-options.ts';
import { findRenditions } from '../../../src/assets/formats/rendition-url.ts';
import { askingOf } from '../../../src/assets/request/asking.ts';
import type { MediaAssetRequest } from '../../../src/assets/request/media-asset.ts';
import { createMediaService } from '../../../src/service/index.ts';
import { actAtFileChange } from '../process/act-at-file-change.ts';
import { defaultOptions } from './default-options.ts';

const { url, cacheDir, output, ids, crops, request, change, dies } = JSON.parse(
  process.argv[2] ?? '{}',
) as {
  url: string;
  cacheDir: string;
  output: string;
  ids: number[];
  crops: AssetsOptions['crops'];
  request?: Partial<MediaAssetRequest>;
  /** At this change of the cache, it dies, or tells its parent. */
  change?: number;
  dies?: boolean;
};
if (change) {
  actAtFileChange(cacheDir, change, () => {
    if (dies) process.kill(process.pid, 'SIGKILL');
    else process.send?.(change);
  });
}
const service = createMediaService({
  baseUrl: url,
  clientId: 'emulator',
  clientSecret: 'emulator-secret',
  credentials: { kind: 'password', username: 'editor', password: 'harbour' },
});
const { pages, publisher } = createAssets({
  ...defaultOptions,
  service,
  cacheDir,
  crops,
  delivery: 'static',
  mode: 'build',
  toUrl: (path) => `/_astro/${path}`,
  onFinding: (found) => console.error(found),
});
const page = '/page/';
const { languages } = defaultOptions;
const assets = await Promise.all(
  ids.map((id) =>
    pages.getMediaAsset(
      { ...{ id, alt: '', format: 'png', widths: [100, 200, 300] }, ...request },
      askingOf({ id, page }, { languages, caller: 'getMediaAsset()' }),
    ),
  ),
);
const urls = assets.flatMap(({ renditions }) => renditions.map((one) => one.url));
await publisher.emit({
  addresses: findRenditions(urls.join('\n')).map((address) => ({ address, page })),
  assets: ids.map((id) => ({ id, page })),
  languagesOf: () => languages.all,
  async write(path, content) {
    await mkdir(dirname(join(output, path)), { recursive: true });
    await writeFile(join(output, path), content);
  },
});
await publisher.save();
process.stdout.write(String(Math.round(memoryPeak())));
