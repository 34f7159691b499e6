import { cp } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { emulatorClient } from '../assets/open-images.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser-tests.ts';
import { findInFiles } from '../support/process/find-in-files.ts';
import { startDevServer } from '../support/site/dev-server.ts';
import { everywhereFiles } from '../support/site/everywhere-files.ts';
import { cloudflareConfig } from '../support/site/site.ts';
import { usagePosts, useSite } from '../support/site/site-with-service.ts';

const fixture = fileURLToPath(new URL('../../fixtures/sites/everywhere/src', import.meta.url));

/** The pages of two fixtures, with the adapter or without. */
const config = (adapter: string) => `
import { fileURLToPath } from 'node:url';
import cloudflare from '@astrojs/cloudflare';
import mdx from '@astrojs/mdx';
import mediaAsset from 'astro-media-asset';

const at = (file) => fileURLToPath(new URL('./src/plain/' + file, import.meta.url));
const plain = {
  name: 'plain',
  hooks: {
    'astro:config:setup': ({ addRenderer }) =>
      addRenderer({ name: 'plain', serverEntrypoint: at('server.js'), clientEntrypoint: at('client.js') }),
  },
};

export default {
  site: 'https://harbour.example',
  base: '/museum',
  ${adapter}
  integrations: [
    mdx(),
    plain,
    mediaAsset({
      presets: { square: { aspect: 1, width: 60 } },
      record: {
        fields: ['text', 'photographer', 'licence'],
        read: ({ text, photographer, licence }) => ({
          alt: text,
          credit: photographer,
          creator: photographer,
          license: licence,
        }),
      },
    }),
  ],
};
`;

const props = `---
import { getMediaAsset, getMediaFile, MediaAsset, MediaCredit, MediaCredits } from 'astro-media-asset/components';

const page = Astro.url.pathname;
const large = { x: 0, y: 0, width: 9000, height: 1 };
const asked = [
  () => getMediaAsset({ id: 4711, width: 3n, page }),
  () => getMediaAsset({ id: 4711, crop: { x: Number.NaN, y: undefined, width: () => 1 }, page }),
  () => getMediaAsset({ id: 4711, crop: large }),
  () => getMediaAsset({ id: 4711, densities: [1, undefined], page }),
  () => getMediaFile({ id: 0 }),
];
const failures = await Promise.all(
  asked.map((ask) =>
    ask().catch((error) => {
      const { name, message, code, hint, caller, asset, place } = error;
      return [error instanceof Error, name, message, code, hint, caller, error.page, asset, place];
    }),
  ),
);
const missing = await getMediaAsset({ id: 4711 });
---
<html lang="en">
  <head><title>Props</title></head>
  <body>
    <MediaAsset id={4711} structuredData preset="square" class:list={['a', { b: true, c: false }]} style={{ color: 'red' }} />
    <MediaAsset id={4712} alt={undefined} width={undefined} data-size={new Map([['a', 1]])} onload={'x("é…")'} placeholder="blur" />
    <MediaAsset
      id={4713}
      alt="<b> & 'quotes'"
      formats={['avif', 'webp']}
      sources={[{ media: '(max-width: 600px)', crop: { x: 0, y: 0, width: 300, height: 300 } }]}
      pictureAttributes={{ class: 'picture', 'data-now': new Date(0) }}
    />
    <MediaCredit id={4711} class="credit" />
    <MediaCredits class="credits" />
    <pre>{JSON.stringify([failures, Object.keys(missing)])}</pre>
  </body>
</html>

<style>
  img {
    border: 1px solid;
  }
</style>
`;

const live = `---
import { MediaAsset } from 'astro-media-asset/components';
export const prerender = false;
---
<html lang="en"><head><title>Live</title></head><body><MediaAsset id={4714} alt="" /></body></html>
`;

const setup = useSite('markdown', { files: everywhereFiles });

/** Cloudflare's runtime would ask for its own data. */
const offline = { CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false' };

beforeAll(async () => {
  const { site, emulator } = setup;
  await site.remove(cloudflareConfig);
  await cp(fixture, site.path('src'), { recursive: true });
  await site.edit('src/pages/gallery.astro', "data.name !== 'report'", 'data.id < 4715');
  await site.write('src/pages/props.astro', props);
  const record = { text: 'The harbour', photographer: 'Ada </script> Holm' };
  const service = emulatorClient(emulator);
  await service.files.update(4711, { ...record, licence: 'https://licence.example/by' });
  await service.files.update(4712, { text: 'The quay' });
});

/** The built texts by their path on the site. Names of Astro's own scripts have no hash. */
async function texts(folder: string): Promise<Map<string, string>> {
  const found = await setup.site.files(`${folder}/**/*.{html,xml,json,css}`);
  // It names the build.
  const files = found.filter((file) => !file.endsWith('/media-asset.json'));
  const read = async (file: string) => {
    const text = await setup.site.read(file);
    return [file.slice(folder.length), text.replace(/\.[\w-]{8}\.js/g, '.js')] as const;
  };
  return new Map(await Promise.all(files.map(read)));
}

describe('a build', () => {
  let inNode: Map<string, string>;

  beforeAll(async () => {
    await setup.site.write('astro.config.mjs', config('').replace(/.*@astrojs\/cloudflare.*/, ''));
    const plain = await setup.build();
    expect(plain.exitCode, plain.output).toBe(0);
    inNode = await texts('dist');
    setup.requests();
    await setup.site.write('src/pages/live.astro', live);
    await setup.site.write(
      'astro.config.mjs',
      config('adapter: cloudflare({ inspectorPort: false }),'),
    );
    const { exitCode, output } = await setup.buildAlone(offline);
    expect(exitCode, output).toBe(0);
    expect(output).toContain('nothing changed, no request sent');
  }, 240_000);

  test('renders the same pages and files as in Node, and reports nothing new', async () => {
    expect(await texts('dist/client/museum')).toEqual(inNode);
    expect(inNode.get('/props/index.html')).toContain('crop-outside');
    expect(usagePosts(setup.requests())).toEqual([]);
  });

  test('leaves neither the address of the build nor what asks it in the output', async () => {
    expect(await findInFiles(setup.site.path('dist/server'), 'http://127.0.0.1')).toEqual([]);
    expect(await findInFiles(setup.site.dist, 'Bearer')).toEqual([]);
    expect(await findInFiles(setup.site.dist, 'component-on-demand')).not.toEqual([]);
  });
});

describeInBrowser('the dev server', () => {
  const browser = useBrowser();

  test('shows images, a changed crop, the toolbar, and an error over the page', async () => {
    await setup.site.write('src/pages/live.astro', live);
    const tower = (crop: string) => `---
import { MediaAsset } from 'astro-media-asset/components';
---
<html lang="en"><head><title>Tower</title></head><body><h1>Tower</h1>
<MediaAsset id={4714} alt="The tower" crop={{ x: 0, y: 0, ${crop} }} densities={[1]} loading="eager" /></body></html>
`;
    await setup.site.write('src/pages/tower.astro', tower('width: 400, height: 300'));
    const { site, emulator } = setup;
    const server = await startDevServer({
      site,
      emulator: { env: { ...emulator.env, ...offline } },
    });
    onTestFinished(() => server.stop());
    const page = await browser.open({ baseURL: server.url });
    await page.goto('/museum/tower');
    // When Vite finds a new package, it loads the page again.
    await expect.poll(() => sizeOf(page)).toEqual([400, 300]);
    await page.locator('astro-dev-toolbar button[data-app-id="astro-media-asset"]').click();
    const panel = page.getByRole('complementary', { name: 'Media assets' });
    await panel.getByText('src/pages/tower.astro:5').first().waitFor();

    await site.write('src/pages/tower.astro', tower('width: 200, height: 300'));
    await expect.poll(() => sizeOf(page)).toEqual([200, 300]);

    await site.write('src/pages/tower.astro', tower('width: 200'));
    const overlay = page.locator('vite-error-overlay');
    await overlay.getByText('invalid crop of asset 4714: height missing').first().waitFor();
    await overlay.getByText('Write { x, y, width, height }').first().waitFor();
    expect(server.output()).toMatch(
      /\/museum\/tower \(src\/pages\/tower\.astro:5:1\): invalid crop .*\[crop-invalid\]/,
    );

    await fetch(`${server.url}/museum/live`).then((response) => response.text());
    await expect
      .poll(() => server.output())
      .toContain(
        '/museum/live (src/pages/live.astro:5:55): <MediaAsset id={4714}> is rendered on demand. It only works on prerendered pages. Add `export const prerender = true` to the page.',
      );
  }, 240_000);

  const sizeOf = (page: Page) =>
    page.evaluate(`(async () => {
      const image = document.querySelector('img[alt="The tower"]');
      await image?.decode();
      return [image?.naturalWidth, image?.naturalHeight];
    })()`);
});
