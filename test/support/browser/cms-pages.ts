import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
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

/** Signs in, unless the CMS remembers it. */
export async function signIn(page: Page, name: RegExp): Promise<void> {
  const button = page.getByRole('button', { name }).first();
  const collection = page.getByText('Posts').first();
  await button.or(collection).first().waitFor();
  if (await button.isVisible()) await button.click();
  await collection.waitFor();
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
