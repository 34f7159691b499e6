/** @module-tag any-astro */
/** @module-tag slow */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PausableProxy, startPausableProxy } from '../../support/service/pausable-proxy.ts';
import { astroPage } from '../../support/site/site-files.ts';
import { outputOf, useSite } from '../../support/site/site-with-service.ts';

const setup = useSite('main-job');
let proxy: PausableProxy;

/**
 * One site. Its builds depend on each other. Vite's bundling and the tower page wait for the test.
 */
beforeAll(async () => {
  proxy = await startPausableProxy(setup.emulator.url);
  await setup.site.edit(
    'astro.config.mjs',
    'integrations:',
    `vite: {
    plugins: [{
      name: 'gate',
      // Not where Astro starts Vite for content.
      apply: 'build',
      async buildStart() {
        const { ok } = await fetch(process.env.MEDIA_ASSET_BASE_URL + '/gate/bundling');
        if (!ok) throw new Error('Nothing was fetched while Vite was bundling.');
      },
    }],
  },
  integrations:`,
  );
  const script = "await fetch(process.env.MEDIA_ASSET_BASE_URL + '/gate/tower');";
  const tower = astroPage('<MediaAsset id={4714} alt="The tower" width={300} />', { script });
  await setup.site.write('src/pages/tower.astro', tower);
});

afterAll(() => proxy.close());

async function build(): Promise<void> {
  const variables = { MEDIA_ASSET_BASE_URL: proxy.url, MEDIA_ASSET_REPORT: 'never' };
  await outputOf(setup.build(variables));
}

test('assets in the sources are fetched while Vite bundles, and a page only waits for its own assets', async () => {
  const tower = '200 /1/file/4714/download/0';
  const release = proxy.hold(/\/4714\/download\//);
  const fetched = proxy.answeredAll([4711, 4712, 4713].map((id) => `200 /1/file/${id}/download/0`));
  proxy.gate('bundling', () => fetched);
  let before: { pages: string[]; answered: string[] } | undefined;
  proxy.gate('tower', async () => {
    const pages = await setup.site.files('dist/**/*.html');
    before ??= { pages, answered: proxy.answered() };
    release();
    return true;
  });
  await build();

  expect(before?.answered).not.toContain(tower);
  // Astro 5 renders the start page before the tower's page, later versions after it.
  const earlier = before?.pages.filter((file) => file !== 'dist/index.html');
  expect(earlier).toEqual(['dist/404.html', 'dist/notes/rope/index.html', 'dist/quay/index.html']);
  expect(proxy.answered()).toContain(tower);
  expect(await setup.site.files('dist/_astro/media-asset/4714-*')).not.toEqual([]);
});

test("the last build's assets are checked while Vite bundles", async () => {
  const ids = [4711, 4712, 4713, 4714];
  const fetched = proxy.answeredAll(ids.map((id) => `304 /1/file/${id}/download/0`));
  proxy.gate('bundling', () => fetched);
  await build();
});
