/** Builds a site with Cloudflare's adapter, and prints the figures of `workerd.ts` as JSON. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { createSite } from '../test/support/site/site.ts';
import { assertImages } from './timed-build.ts';
import type { WorkerdOrder } from './workerd.ts';

const order = JSON.parse(process.argv[2] ?? '') as WorkerdOrder;
const { prerenderEnvironment, pages, images, environment } = order;
const site = await createSite('bare');
await site.remove('src/pages');
await site.write(
  'astro.config.mjs',
  `import cloudflare from '@astrojs/cloudflare';
import mediaAsset from 'astro-media-asset';

export default {
  site: 'https://bench.example',
  adapter: cloudflare({ prerenderEnvironment: '${prerenderEnvironment}' }),
  integrations: [mediaAsset()],
};
`,
);
await site.write(
  'src/pages/[number].astro',
  `---
import { MediaAsset } from 'astro-media-asset/components';

export const getStaticPaths = () =>
  Array.from({ length: ${pages} }, (_, number) => ({ params: { number: String(number) } }));

const number = Number(Astro.params.number);
const shown = Array.from({ length: ${images} }, (_, index) => index).filter((index) => index % 2 === number % 2);
const first = 4711 + Math.floor(number / 2) * ${images};
---
<html lang="en">
  <head><title>Page {number}</title></head>
  <body>{shown.map((index) => <MediaAsset id={first + index} alt="" width={300} densities={[1]} />)}</body>
</html>
`,
);
const { exitCode, output } = await site.build({ ...environment, MEDIA_ASSET_REPORT: 'never' });
assert.equal(exitCode, 0, output);
await assertImages(site, (pages / 2) * images);
await site.delete();
process.stdout.write(JSON.stringify({ processor: timeOfChildren() }));

/** The processor time of all processes that this one has waited for, and of theirs, in ms. */
function timeOfChildren(): number {
  const [, text = ''] = /\) (.*)/.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
  const [user, system] = text.split(' ').slice(13, 15).map(Number);
  const ticksPerSecond = 100;
  return (((user ?? 0) + (system ?? 0)) * 1000) / ticksPerSecond;
}
