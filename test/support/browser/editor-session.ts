import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type HandlerServer, tokensOf } from '../service/serve-handler.ts';

/** Signs in to the service, in the window that a button opens. */
export async function signInToService(page: Page, begin: () => Promise<unknown>): Promise<void> {
  const [popup] = await Promise.all([page.context().waitForEvent('page'), begin()]);
  await popup.getByLabel('User').fill('editor');
  await popup.getByLabel('Password').fill('harbour');
  const closed = popup.waitForEvent('close');
  await popup.getByRole('button', { name: 'Allow' }).click();
  await closed;
}

/** What scripts of the page can read: its cookies, address, elements and storage. */
const readableText = `(async () => {
  const done = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = reject;
    });
  const rowsOf = async ({ name }) => {
    const database = await done(indexedDB.open(name));
    const stores = Array.from(database.objectStoreNames, (store) =>
      done(database.transaction(store).objectStore(store).getAll()),
    );
    return Promise.all(stores).finally(() => database.close());
  };
  const fields = [...document.querySelectorAll('media-asset-field')];
  return JSON.stringify([
    ...[document.cookie, location.href, { ...localStorage }, { ...sessionStorage }],
    await Promise.all((await indexedDB.databases()).map(rowsOf)),
    ...[document.documentElement.outerHTML, fields.map((field) => field.shadowRoot.innerHTML)],
  ]);
})()`;

/** Expects that no script can read a token or a cookie of the editor. Returns what scripts can read. */
export async function expectNoToken(page: Page, server: HandlerServer): Promise<string> {
  const readable = await page.evaluate<string>(readableText);
  const held = await page.context().cookies();
  const tokens = await tokensOf(server, held);
  for (const token of tokens) expect(token.length).toBeGreaterThan(10);
  for (const { httpOnly, secure } of held)
    expect({ httpOnly, secure }).toEqual({ httpOnly: true, secure: true });
  for (const secret of [...tokens, ...held.map(({ value }) => value.slice(0, 40))])
    expect(readable).not.toContain(secret);
  return readable;
}
