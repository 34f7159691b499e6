/**
 * The picker in real CMSs of `test/cms` on a built site, whose handler asks the emulator.
 * @module-tag any-astro
 * @module-tag slow
 */
import { load as parseYaml } from 'js-yaml';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { describeInBrowser, useBrowser } from '../support/browser/browser-tests.ts';
import {
  chooseInDialog,
  decap,
  fieldOf,
  savedText,
  sveltia,
} from '../support/browser/cms-editors.ts';
import { expectNoToken, signInToService } from '../support/browser/editor-session.ts';
import { type HandlerServer, serveHandler } from '../support/service/serve-handler.ts';
import { findCmsPackages, useCmsPackages } from '../support/site/cms-packages.ts';
import { type DecapServer, startDecapServer } from '../support/site/decap-server.ts';
import { serveBuilt } from '../support/site/serve-folder.ts';
import { outputOf, useSite } from '../support/site/site-with-service.ts';

const describeCms = findCmsPackages() ? describeInBrowser : describe.skip;

describeCms('the picker in a CMS that is deployed with the site', () => {
  const browser = useBrowser();
  const setup = useSite('cms');
  let server: HandlerServer;
  let files: DecapServer;

  beforeAll(async () => {
    await useCmsPackages(setup.site);
    files = await startDecapServer(setup.site);
    await setup.site.edit('public/admin/decap.yml', '8081', files.port);
    await outputOf(setup.build());
    server = await serveHandler(setup.emulator, serveBuilt(setup.site.dist));
  });

  afterAll(async () => {
    await server?.close();
    await files?.stop();
  });

  afterEach(() => {
    const isUnknown = (problem: string) => !/^401 \S+\/api\/media\//.test(problem);
    expect(browser.problems().filter(isUnknown)).toEqual([]);
  });

  test.each([decap, sveltia])(
    'asks editors of $name to sign in, goes on where it was, and saves what the site shows',
    async (cms) => {
      const viewport = { width: 1500, height: 1100 };
      const page = await browser.open({ baseURL: server.url, viewport });
      const requested: string[] = [];
      page.on('request', (request) => requested.push(request.url()));
      await cms.openNew(page, 'posts');
      await page.getByRole('textbox').first().fill('Signed in');

      const hero = fieldOf(page, 'Hero');
      await hero.getByRole('button', { name: 'Choose' }).click();
      const dialog = hero.getByRole('dialog');
      const search = dialog.getByLabel('Search assets');
      await search.fill('tower');
      const signIn = dialog.getByRole('button', { name: 'Sign in', exact: true });
      await signInToService(page, () => signIn.click());
      await dialog.getByText('1 result', { exact: true }).waitFor();
      expect(await search.inputValue()).toBe('tower');
      // A field that has waited for the sign-in too.
      await fieldOf(page, 'Preset').locator('img[src^=blob]').waitFor();
      const [x = 0, y = 0, width = 0, height = 0] = [300, 150, 240, 320];
      await chooseInDialog(hero, { id: 4714, alt: 'The tower', crop: [x, y, width, height] });
      await expectNoToken(page, server);

      const path = 'posts/signed-in';
      const text = await savedText(cms, { page, site: setup.site, path, has: 'The tower' });
      expect(parseYaml(text.split('---\n')[1] ?? '')).toMatchObject({
        hero: { id: 4714, alt: 'The tower', crop: { x, y, width, height } },
      });
      await expectNoToken(page, server);
      const tokens = await server.tokensOf(await page.context().cookies());
      for (const token of tokens) expect(requested.join('\n')).not.toContain(token);

      await outputOf(setup.build());
      await page.goto(`/${cms.name}/signed-in/`);
      const shown = page.getByAltText('The tower');
      await shown.evaluate((one: { decode(): Promise<void> }) => one.decode());
      const shape = await shown.evaluate(
        (one: { naturalWidth: number; naturalHeight: number }) =>
          one.naturalWidth / one.naturalHeight,
      );
      expect(shape).toBeCloseTo(width / height, 2);
    },
  );
});
