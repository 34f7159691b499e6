import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openForm, serveScripts, writeInBrowser } from '../../test/support/browser/cms-pages.ts';
import { prepareExample, useCmsPackages } from '../../test/support/site/cms-packages.ts';
import { startDecapServer } from '../../test/support/site/decap-server.ts';
import { type DevServer, startDevServer } from '../../test/support/site/dev-server.ts';
import { copyExample } from '../../test/support/site/example-site.ts';
import type { Site } from '../../test/support/site/site.ts';
import { webp } from './encode.ts';
import type { Picture } from './picture.ts';
import type { Stage } from './stage.ts';

/** What editors see in the CMSs of `test/cms`, with the examples. */
export const cmsPictures: readonly Picture[] = [
  {
    name: 'decap',
    async walk(stage, frame) {
      await inExample('decap', { stage }, async (page, site) => {
        const files = await startDecapServer(site);
        try {
          const backend = `local_backend: { url: 'http://localhost:${files.port}/api/v1' }`;
          await site.edit('public/admin/config.yml', 'local_backend: true', backend);
          await openForm(page, { path: '/admin/', signIn: /login/i, hash });
          await fields(page);
          await page.frameLocator('#preview-pane').locator('img[src^=blob]').nth(1).waitFor();
          await frame(page);
        } finally {
          await files.stop();
        }
      });
    },
    files: async (shots) => ({ 'decap.webp': await webp(shots) }),
  },
  {
    name: 'sveltia',
    async walk(stage, frame) {
      const prepare = async (site: Site) => {
        const script = 'https://unpkg.com/@sveltia/cms@^0.221.1/dist/sveltia-cms.js';
        await site.edit('src/pages/admin/index.astro', /https:\/\/unpkg[^"]+/, script);
        await site.edit('public/admin/config.yml', 'name: github', 'name: test-repo');
        await site.edit('public/admin/config.yml', 'local_backend: true\n', '');
      };
      await inExample('decap', { stage, prepare }, async (page, site) => {
        const path = 'src/content/posts/quay.md';
        await page.goto('/admin/config.yml');
        await writeInBrowser(page, path, await site.read(path));
        await openForm(page, { path: '/admin/', signIn: /test/i, hash });
        await fields(page);
        // They are characters of a font that isn't there.
        await page.addStyleTag({ content: '.material-symbols-outlined { visibility: hidden }' });
        await page.getByRole('button', { name: 'Change' }).first().click();
        await page.getByRole('button', { name: 'All images' }).click();
        await page.getByText('3 results', { exact: true }).waitFor();
        await frame(page);
      });
    },
    files: async (shots) => ({ 'sveltia.webp': await webp(shots) }),
  },
  {
    name: 'keystatic',
    async walk(stage, frame) {
      await inExample('keystatic', { stage }, async (page) => {
        await page.goto('/keystatic/collection/posts/item/quay');
        await fields(page);
        await frame(page);
      });
    },
    files: async (shots) => ({ 'keystatic.webp': await webp(shots) }),
  },
];

const hash = 'collections/posts/entries/quay';

/** Waits for the image of the first field. */
const fields = (page: Page) => page.locator('media-asset-field img[src^=blob]').first().waitFor();

/** A page of the dev server of an example, which ends with the use. */
async function inExample(
  name: string,
  { stage, prepare }: { stage: Stage; prepare?: (site: Site) => Promise<void> },
  use: (page: Page, site: Site) => Promise<void>,
): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'example-'));
  let server: DevServer | undefined;
  try {
    const site = await copyExample(name, dir);
    await prepare?.(site);
    await prepareExample(site);
    await useCmsPackages(site);
    server = await startDevServer({ site, emulator: { env: {} } });
    const viewport = { width: 1200, height: 900 };
    const page = await stage.browser.open({ baseURL: server.url, viewport });
    await serveScripts(page);
    await use(page, site);
    await page.close();
  } finally {
    await server?.stop();
    await rm(dir, { recursive: true, force: true, maxRetries: 3 });
  }
}
