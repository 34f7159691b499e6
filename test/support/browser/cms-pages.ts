import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { cmsFile } from '../site/cms-packages.ts';

/** Answers requests for the scripts of CMSs from `test/cms`, and those for fonts with nothing. */
export async function serveScripts(page: Page): Promise<void> {
  const isOutside = ({ hostname }: URL) => !['127.0.0.1', 'localhost'].includes(hostname);
  await page.route(isOutside, async (route) => {
    const [, name, file] =
      /^https:\/\/unpkg\.com\/((?:@sveltia\/)?[\w-]+)@?[^/]*\/(.+)$/.exec(route.request().url()) ??
      [];
    const headers = { 'Access-Control-Allow-Origin': '*' };
    if (!name) return route.fulfill({ body: '', contentType: 'text/css', headers });
    const body = await readFile(cmsFile(`${name}/${file}`));
    await route.fulfill({ body, contentType: 'text/javascript', headers });
  });
}

/** In ms. */
const longestOpening = 100_000;

/** The first field of a form. */
export const firstField = (page: Page): Locator => page.locator('media-asset-field').first();

/**
 * Opens a form, and signs in if the CMS asks for it. The dev server may reload the page meanwhile, for
 * example when it has prepared a package, and a CMS that forgets its user then asks again.
 */
export async function openForm(
  page: Page,
  { path, signIn, hash }: { path: string; signIn: RegExp; hash: string },
): Promise<void> {
  const button = page.getByRole('button', { name: signIn }).first();
  const collection = page.getByText('Posts').first();
  const step = async (): Promise<boolean> => {
    if (await firstField(page).isVisible()) return true;
    if (await button.isVisible()) await button.click({ timeout: 5000 });
    else if (await collection.isVisible()) await page.evaluate(`location.hash = '#/${hash}'`);
    return false;
  };
  await page.goto(path);
  const end = performance.now() + longestOpening;
  // What a reload cuts off is asked again.
  while (!(await step().catch(() => false))) {
    if (performance.now() > end) throw new Error(`${path} doesn't show its form.`);
    await page.waitForTimeout(200);
  }
}

/** The files of Sveltia's test backend, in the browser. */
export const inOpfs = `async (folders) => {
  let folder = await navigator.storage.getDirectory();
  for (const name of ['sveltia-cms-test', ...folders])
    folder = await folder.getDirectoryHandle(name, { create: true });
  return folder;
}`;

/** Writes a file for Sveltia's test backend. The page is one of the site. */
export const writeInBrowser = (page: Page, path: string, text: string): Promise<void> => {
  const folders = path.split('/');
  const name = folders.pop();
  return page.evaluate(`(async () => {
    const folder = await (${inOpfs})(${JSON.stringify(folders)});
    const file = await folder.getFileHandle('${name}', { create: true });
    const writer = await file.createWritable();
    await writer.write(${JSON.stringify(text)});
    await writer.close();
  })()`);
};
