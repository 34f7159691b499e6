import { cp, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { createMediaService } from '../../src/service/client.ts';
import { findChromium, openBrowser } from '../../test/support/browser/browser.ts';
import { startDevServer } from '../../test/support/site/dev-server.ts';
import { openPlaygroundSite } from '../../test/support/site/playground-site.ts';
import { serveFolder } from '../../test/support/site/serve-folder.ts';

/** The playground, its service, its dev server and a browser, for all pictures. */
export type Stage = Awaited<ReturnType<typeof openStage>>;

const playground = fileURLToPath(new URL('../../playground', import.meta.url));

interface StageOptions {
  /** The service's port. Default: a free one. */
  readonly port?: number;
  /**
   * Whether builds make the files of images. That takes most of their time, and the facts of pictures are
   * the same without.
   */
  readonly withFiles: boolean;
}

/** Opens the built and reported playground. */
export async function openStage({ port, withFiles }: StageOptions) {
  const chromium = findChromium();
  if (chromium === undefined) throw new Error('The pictures need a Chromium.');
  const { site, emulator, close } = await openPlaygroundSite(port);
  const config = await site.read('astro.config.ts');
  const delivery = withFiles ? 'static' : 'service';
  await site.write(
    'astro.build.ts',
    config.replace('mediaAsset({', `mediaAsset({ delivery: '${delivery}',`),
  );
  const build = async (report: string) => {
    const env = { ...emulator.env, MEDIA_ASSET_REPORT: report };
    const { exitCode, output } = await site.build(env, '--config', 'astro.build.ts');
    if (exitCode !== 0) throw new Error(output);
  };
  await build('always');
  const host = await serveFolder(site.dist);
  const dev = await startDevServer({ site, emulator });
  const browser = await openBrowser(chromium);
  let ended: Promise<void> | undefined;
  const endDev = () => {
    ended ??= dev.stop();
    return ended;
  };
  return {
    site,
    emulator,
    build,
    browser,
    /** Opens a page of the built site, of the service or of the dev server, and waits until it's idle. */
    async open(
      from: 'site' | 'service' | 'dev',
      path: string,
      [width, height, deviceScaleFactor = 1]: readonly [number, number, number?],
    ): Promise<Page> {
      const { url: baseURL } = { site: host, service: emulator, dev }[from];
      const viewport = { width, height };
      const page = await browser.open({ baseURL, viewport, deviceScaleFactor });
      await page.goto(path, { waitUntil: 'networkidle' });
      return page;
    },
    /** Adds an asset without consent to the library. */
    async uploadForbidden(): Promise<void> {
      const service = createMediaService({
        baseUrl: emulator.url,
        clientId: 'emulator',
        clientSecret: 'emulator-secret',
        credentials: { kind: 'password', username: 'editor', password: 'harbour' },
      });
      const people = (await service.folders.tree()).find(({ name }) => name === 'people');
      if (!people) throw new Error('The library has no folder `people`.');
      const bytes = await readFile(`${playground}/media/people/net-maker.jpg`);
      const fields = { consent: 'withdrawn', alttext: 'An apprentice in a red headscarf.' };
      await service.files.upload(bytes, { filename: 'apprentice.jpg', folder: people.id, fields });
    },
    /** Takes back all changes of the source. */
    async restore(): Promise<void> {
      await site.remove('src');
      await cp(`${playground}/src`, site.path('src'), { recursive: true });
    },
    endDev,
    async close(): Promise<void> {
      await browser.close();
      await endDev();
      host.close();
      await close();
    },
  };
}
