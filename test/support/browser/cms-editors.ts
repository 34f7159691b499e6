import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Site } from '../site/site.ts';
import { firstField, inOpfs, openForm, serveScripts, writeInBrowser } from './cms-pages.ts';

/** How a test uses a CMS of `fixtures/sites/cms`. */
export interface CmsEditor {
  readonly name: 'decap' | 'sveltia' | 'keystatic';
  /** The extension of its entries. */
  readonly extension: 'md' | 'mdoc';
  /** Writes an entry that the CMS then reads, and opens it. */
  openEntry(page: Page, site: Site, entry: { slug: string; text: string }): Promise<void>;
  /** Opens an entry that it has, from the start. */
  reopen(page: Page, slug: string): Promise<void>;
  /** Opens a form for a new entry. */
  openNew(page: Page, collection: 'posts' | 'intl' | 'required'): Promise<void>;
  /** What says that there's nothing to save. */
  unchanged(page: Page): Locator;
  save(page: Page): Promise<void>;
  /** What the CMS has written of an entry, `posts/first`. Also in the site's folder afterwards. */
  read(page: Page, site: Site, path: string): Promise<string>;
  /** Inserts an image into the body, after its first paragraph, and opens its field. */
  insertImage(page: Page): Promise<Locator>;
  /** Ends what `insertImage` has opened. */
  endInsert(page: Page): Promise<void>;
  /** The list's item, whose field is visible. */
  openItem(page: Page): Promise<void>;
  closeItem(page: Page): Promise<void>;
}

/** The field of this label, and of this language if it's named. */
export const fieldOf = (page: Page, label: string, language?: string): Locator =>
  page.locator(`media-asset-field[label="${label}"]${language ? `[lang="${language}"]` : ''}`);

/** The values of all fields, by label. */
export const valuesOf = (page: Page): Promise<Record<string, unknown>> =>
  page.evaluate(`Object.fromEntries(
    [...document.querySelectorAll('media-asset-field')].map((one) => [one.getAttribute('label'), one.value]),
  )`);

/** Chooses an asset, as an editor does. */
export async function choose(
  field: Locator,
  asset: { id: number; alt: string; crop?: readonly number[] },
): Promise<void> {
  await field.getByRole('button', { name: /^(?:Choose|Change)$/ }).press('Enter');
  await chooseInDialog(field, asset);
}

/** Chooses an asset in the dialog of a field, which is open. */
export async function chooseInDialog(
  field: Locator,
  { id, alt, crop }: Parameters<typeof choose>[1],
): Promise<void> {
  const all = field.getByRole('button', { name: 'All images' });
  if (await all.isVisible()) await all.click();
  await field.locator(`[role=option][data-id="${id}"]`).click();
  const text = field.getByRole('textbox', { name: 'Alt text' });
  await text.fill('');
  // A CMS that hears the keys takes some of them for its own.
  await text.pressSequentially(alt);
  const dialog = field.getByRole('dialog');
  if (crop) {
    await dialog.getByRole('button', { name: 'Crop', exact: true }).click();
    const numbers = field.getByRole('spinbutton');
    // The size first: the place depends on it.
    for (const at of [2, 3, 0, 1]) await numbers.nth(at).fill(String(crop[at]));
    await field.getByRole('button', { name: 'Use this crop' }).click();
  }
  await dialog.getByRole('button', { name: 'Use this image' }).click();
  await closed(field);
}

/** Waits until the browser says that the picker's dialog is closed: it's hidden before, and nothing is saved. */
export const closed = (field: Locator): Promise<void> =>
  field.locator('dialog').waitFor({ state: 'detached' });

/** Puts the cursor behind the first paragraph of the body. */
async function clickBody(page: Page): Promise<void> {
  const text = page.locator('[contenteditable=true]').getByText('Hello.').first();
  await text.scrollIntoViewIfNeeded();
  const box = await text.boundingBox();
  if (box) await page.mouse.click(box.x + box.width - 1, box.y + box.height / 2);
  await page.keyboard.press('End');
}

const filePath = (name: string, path: string) => {
  const [collection, slug] = path.split(/\/(.*)/);
  return `src/content/${collection === 'posts' ? '' : `${collection}/`}${name}/${slug}`;
};

async function openDecap(page: Page, hash: string): Promise<void> {
  await serveScripts(page);
  await openForm(page, { path: '/admin/decap/', signIn: /login/i, hash });
}

export const decap: CmsEditor = {
  name: 'decap',
  extension: 'md',
  async openEntry(page, site, { slug, text }) {
    await site.write(`src/content/decap/${slug}.md`, text);
    await decap.reopen(page, slug);
  },
  reopen: (page, slug) => openDecap(page, `collections/posts/entries/${slug}`),
  openNew: (page, collection) => openDecap(page, `collections/${collection}/new`),
  unchanged: (page) => page.getByRole('button', { name: 'Published', exact: true }),
  async save(page) {
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Publish now' }).click();
  },
  read: (_page, site, path) => site.read(filePath('decap', `${path}.md`)),
  async insertImage(page) {
    await clickBody(page);
    await page.getByRole('button', { name: 'Add Component' }).click();
    await page.getByRole('menuitem', { name: 'Media asset' }).click();
    return fieldOf(page, 'Image').filter({ has: page.getByRole('button', { name: 'Choose' }) });
  },
  endInsert: async () => {},
  openItem: async () => {},
  closeItem: async () => {},
};

const openSveltia = (page: Page, hash: string) =>
  openForm(page, { path: '/admin/sveltia/', signIn: /test/i, hash });

export const sveltia: CmsEditor = {
  name: 'sveltia',
  extension: 'md',
  async openEntry(page, _site, { slug, text }) {
    await serveScripts(page);
    await page.goto('/admin/sveltia.yml');
    await writeInBrowser(page, `src/content/sveltia/${slug}.md`, text);
    await sveltia.reopen(page, slug);
  },
  reopen: (page, slug) => openSveltia(page, `collections/posts/entries/${slug}`),
  async openNew(page, collection) {
    await serveScripts(page);
    await openSveltia(page, `collections/${collection}/new`);
  },
  unchanged: (page) => page.getByRole('button', { name: 'Save', exact: true, disabled: true }),
  save: (page) => page.getByRole('button', { name: 'Save' }).first().click(),
  async read(page, site, path) {
    const file = filePath('sveltia', `${path}.md`);
    const folders = file.split('/');
    const name = folders.pop();
    const text: string = await page.evaluate(`(async () => {
      const folder = await (${inOpfs})(${JSON.stringify(folders)});
      return (await (await folder.getFileHandle('${name}')).getFile()).text();
    })()`);
    await site.write(file, text);
    return text;
  },
  async insertImage(page) {
    await clickBody(page);
    await page
      .getByRole('button', { name: /insert/i })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Media asset' }).click();
    return fieldOf(page, 'Image').filter({ has: page.getByRole('button', { name: 'Choose' }) });
  },
  endInsert: async () => {},
  openItem: async () => {},
  closeItem: async () => {},
};

export const keystatic: CmsEditor = {
  name: 'keystatic',
  extension: 'mdoc',
  async openEntry(page, site, { slug, text }) {
    await site.write(`src/content/keystatic/${slug}.mdoc`, text);
    await serveScripts(page);
    await keystatic.reopen(page, slug);
  },
  async reopen(page, slug) {
    await page.goto(`/keystatic/collection/keystatic/item/${slug}`);
    await firstField(page).waitFor();
  },
  async openNew(page) {
    await serveScripts(page);
    await page.goto('/keystatic/collection/keystatic/create');
    await firstField(page).waitFor();
  },
  unchanged: (page) => page.getByRole('button', { name: 'Reset changes', disabled: true }),
  save: (page) => page.getByRole('button', { name: /^(?:Save|Create)$/ }).click(),
  read: (_page, site, path) => site.read(filePath('keystatic', `${path}.mdoc`)),
  async insertImage(page) {
    await clickBody(page);
    await page.keyboard.press('Enter');
    await page.locator('button[aria-haspopup]').last().click();
    await page.getByRole('menuitem', { name: 'Media asset' }).click();
    await page.getByRole('button', { name: 'Edit' }).first().click();
    return page.getByRole('dialog').locator('media-asset-field').first();
  },
  endInsert: (page) => page.getByRole('button', { name: 'Done' }).click(),
  async openItem(page) {
    await page.getByText('Asset 4713').first().click();
    await fieldOf(page, 'Gallery image').waitFor();
  },
  closeItem: (page) => page.getByRole('button', { name: 'Done' }).click(),
};

/** Saves, and waits until the CMS has written a text that the caller expects. */
export async function savedText(
  { save, read }: CmsEditor,
  { page, site, path, has }: { page: Page; site: Site; path: string; has: string },
): Promise<string> {
  await save(page);
  await expect.poll(() => read(page, site, path).catch(() => '')).toContain(has);
  return read(page, site, path);
}
