/**
 * The picker in the real CMSs of `test/cms` on a built site, whose handler asks the emulator.
 * @module-tag any-astro
 * @module-tag slow
 */
import { load as parseYaml } from 'js-yaml';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { describeInBrowser, useBrowser } from '../support/browser/browser-tests.ts';
import {
  type CmsEditor,
  chooseInDialog,
  decap,
  fieldOf,
  keystatic,
  savedText,
  sveltia,
} from '../support/browser/cms-editors.ts';
import { expectNoToken, signInToService } from '../support/browser/editor-session.ts';
import { type HandlerServer, serveHandler, tokensOf } from '../support/service/serve-handler.ts';
import { startAstroServer } from '../support/site/astro-server.ts';
import { findCmsPackages, useCmsPackages } from '../support/site/cms-packages.ts';
import { type DecapServer, startDecapServer } from '../support/site/decap-server.ts';
import { serveBuilt } from '../support/site/serve-folder.ts';
import type { Site } from '../support/site/site.ts';
import { outputOf, useSite } from '../support/site/site-with-service.ts';

const describeCms = findCmsPackages() ? describeInBrowser : describe.skip;

/** What an editor does who isn't signed in, until the site shows the image that they chose. */
async function expectSignInAndSave(
  cms: CmsEditor,
  page: Page,
  given: { server: HandlerServer; site: Site; build(): Promise<unknown> },
): Promise<void> {
  const { server, site } = given;
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
  await dialog.getByRole('button', { name: 'Sign out' }).click();
  await signInToService(page, () => signIn.click());
  // A field that has waited for the sign-in too.
  if (cms !== keystatic) await fieldOf(page, 'Preset').locator('img[src^=blob]').waitFor();
  const [x, y, width, height] = [300, 150, 240, 320] as const;
  await chooseInDialog(hero, { id: 4714, alt: 'The tower', crop: [x, y, width, height] });
  await expectNoToken(page, server);

  const path = 'posts/signed-in';
  const text = await savedText(cms, { page, site, path, has: 'The tower' });
  expect(parseYaml(text.split('---\n')[1] ?? '')).toMatchObject({
    hero: { id: 4714, alt: 'The tower', crop: { x, y, width, height } },
  });
  await expectNoToken(page, server);
  const tokens = await tokensOf(server, await page.context().cookies());
  for (const token of tokens) expect(requested.join('\n')).not.toContain(token);

  await given.build();
  await page.goto(`/${cms.name}/signed-in/`);
  const shown = page.getByAltText('The tower');
  await shown.evaluate((one: { decode(): Promise<void> }) => one.decode());
  const shape = await shown.evaluate(
    (one: { naturalWidth: number; naturalHeight: number }) => one.naturalWidth / one.naturalHeight,
  );
  expect(shape).toBeCloseTo(width / height, 2);
}

const viewport = { width: 1500, height: 1100 };

/** Requests without a session are expected here. */
function expectOnlyRefusals(problems: readonly string[]): void {
  const isUnknown = (problem: string) => !/^401 \S+\/api\/media\//.test(problem);
  expect(problems.filter(isUnknown)).toEqual([]);
}

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
  afterEach(() => expectOnlyRefusals(browser.problems()));
  afterAll(async () => {
    await server?.close();
    await files?.stop();
  });

  test.each([decap, sveltia])(
    'asks editors of $name to sign in, goes on where it was, and saves what the site shows',
    async (cms) => {
      const page = await browser.open({ baseURL: server.url, viewport });
      const build = () => outputOf(setup.build());
      await expectSignInAndSave(cms, page, { server, site: setup.site, build });
    },
  );
});

describeCms('the picker in Keystatic on a site with an adapter', () => {
  const browser = useBrowser();
  const setup = useSite('cms');
  const build = () => outputOf(setup.build({ SITE_HOST: 'node' }));
  let server: HandlerServer;

  beforeAll(async () => {
    await useCmsPackages(setup.site);
    server = await startAstroServer(setup, build);
  });
  afterEach(() => expectOnlyRefusals(browser.problems()));
  afterAll(() => server?.close());

  test('asks editors to sign in, goes on where it was, and saves what the site shows', async () => {
    const page = await browser.open({ baseURL: server.url, viewport });
    await expectSignInAndSave(keystatic, page, { server, site: setup.site, build });
  });
});
