/** @module-tag slow */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolationsInBothSchemes } from '../support/browser/axe.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser-tests.ts';
import { reloads } from '../support/browser/reloads.ts';
import { drawTestImage } from '../support/images/test-images.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';
import { type DevServer, startDevServer } from '../support/site/dev-server.ts';
import { useSite } from '../support/site/site-with-service.ts';

const config = `import mdx from '@astrojs/mdx';
import { defineConfig } from 'astro/config';
import mediaAsset from 'astro-media-asset';

export default defineConfig({
  site: 'https://harbour.example',
  vite: { server: { fs: { strict: false } } },
  integrations: [
    mdx(),
    mediaAsset({ record: { fields: ['alttext'], read: ({ alttext }) => ({ alt: alttext }) } }),
  ],
});
`;

const collection = `import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';

export const collections = {
  notes: defineCollection({ loader: glob({ base: 'src/notes', pattern: '*.md' }) }),
};
`;

const entryPage = `---
import { getEntry, render } from 'astro:content';
export const getStaticPaths = () =>
  ['mouse', 'upload', 'list', 'drag'].map((slug) => ({ params: { slug } }));
const entry = await getEntry('notes', Astro.params.slug);
const { Content } = await render(entry);
---
<title>Note</title>
<main><Content /></main>
`;

const note = `---
title: Note
---

# The harbour
The **first** boats come in at five in the morning, long before the sun.

- Nets
- Ropes

\`\`\`js
1 + 1
\`\`\`
`;

const mdxText = `export const boats = 3;

<title>MDX</title>

There are {boats} boats.

<section>

Inner text

</section>

The end.
`;

const noteOf = (name: string) => `src/notes/${name}.md`;
const mdxFile = 'src/pages/mdx.mdx';

describeInBrowser('new images in a browser', () => {
  const browser = useBrowser();
  const record = Buffer.from(JSON.stringify({ alttext: 'A quay' }));
  const setup = useSite('main-job', { files: { 'quay.png.json': record } });
  let server: DevServer;

  const source = (file: string) => setup.site.read(file);
  const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Media assets' });
  const shows = (page: Page, text: string) => panelOf(page).getByText(text).first().waitFor();
  const places = (page: Page) => page.getByRole('group', { name: 'Places on this page' });
  const focused = (page: Page) =>
    page.evaluate<string>(`(function labelOf(active) {
      return active?.shadowRoot ? labelOf(active.shadowRoot.activeElement) : active?.ariaLabel ?? active?.textContent;
    })(document.activeElement)`);

  /** Opens the library on a page. */
  async function open(path: string): Promise<Page> {
    const viewport = { width: 1280, height: 800 };
    const page = await browser.open({ baseURL: server.url, viewport });
    await page.goto(path);
    const toolbar = page.locator('astro-dev-toolbar');
    await toolbar.locator('button[data-app-id="astro-media-asset"]').click();
    await panelOf(page).getByRole('tab', { name: 'Library' }).click();
    return page;
  }

  beforeAll(async () => {
    await setup.site.write('astro.config.mjs', config);
    await setup.site.write('src/content.config.ts', collection);
    await setup.site.write('src/pages/notes/[slug].astro', entryPage);
    await setup.site.write(mdxFile, mdxText);
    for (const name of ['mouse', 'upload', 'list', 'drag'])
      await setup.site.write(noteOf(name), note);
    server = await startDevServer(setup);
  });

  afterAll(() => server?.stop());

  describe('insert', () => {
    test('by mouse, between two blocks of an entry, with the text of the record', async () => {
      const page = await open('/notes/mouse/');
      await panelOf(page).getByRole('option', { name: 'quay' }).click();
      await panelOf(page).getByRole('button', { name: 'Insert' }).click();
      const names = places(page).getByRole('button');
      await expect
        .poll(() => names.evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel)))
        .toEqual([
          'At the start, before “The harbour”',
          'Before “The first boats come in at five in the …”',
          'Before “Nets Ropes”',
          'At the end, after “Nets Ropes”',
        ]);
      expect(await axeViolationsInBothSchemes(page, 'astro-dev-toolbar')).toEqual([]);
      await places(page).getByRole('button', { name: 'Before “The first boats' }).click();
      const saved = note.replace('harbour\nThe', 'harbour\n\n![](media:4712)\n\nThe');
      await expect.poll(() => source(noteOf('mouse'))).toBe(saved);
      const image = page.locator('main h1 + p img[data-media-asset="4712"]');
      await image.waitFor();
      expect(await image.getAttribute('alt')).toBe('A quay');
      // The page has reloaded, and the app shows the new image.
      await shows(page, `Saved to ${noteOf('mouse')}`);
      await shows(page, `${noteOf('mouse')}:7`);
    });

    test('by keyboard, at the end of an MDX page, with a crop and a text', async () => {
      const page = await open('/mdx/');
      await expect.poll(() => focused(page)).toBe('Search assets');
      await page.keyboard.type('tower');
      await shows(page, '1 result');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Shift+ArrowLeft');
      await page.keyboard.press('Enter');
      await expect.poll(() => focused(page)).toBe('Crop');
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Enter');
      // There's no text yet.
      await page.keyboard.type('The {tower}');
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Enter');
      await expect.poll(() => focused(page)).toBe('At the start, before “There are 3 boats.”');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      expect(await focused(page)).toBe('At the end, after “The end.”');
      // A second one while it's saved does nothing.
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      const line = '![The \\{tower\\}](media:4714?crop=0,0,799,600)';
      await expect.poll(() => source(mdxFile)).toBe(`${mdxText}\n${line}\n`);
      await page.getByRole('img', { name: 'The {tower}' }).waitFor();
    });

    test('several as a list, and the page asks for the texts that records lack', async () => {
      const page = await open('/notes/list/');
      await panelOf(page).getByRole('button', { name: 'Choose several' }).click();
      const list = panelOf(page).getByRole('listbox', { name: 'Assets' });
      await list.getByRole('option', { name: 'tower' }).click();
      await list.getByRole('option', { name: 'quay' }).press('Enter');
      expect(await list.getByRole('option', { selected: true }).count()).toBe(2);
      expect(await axeViolationsInBothSchemes(page, 'astro-dev-toolbar')).toEqual([]);
      await panelOf(page).getByRole('button', { name: 'Insert 2 as a list' }).click();
      await places(page).getByRole('button', { name: 'Before “Nets' }).click();
      const lines = '* ![](media:4714)\n* ![](media:4712)\n\n- Nets';
      await expect.poll(() => source(noteOf('list'))).toBe(note.replace('- Nets', lines));
      await page.locator('main ul').first().getByRole('img', { name: 'A quay' }).waitFor();
      await shows(page, 'One image has no alt text.');
      await panelOf(page).getByRole('button', { name: 'Write it' }).click();
      await page.keyboard.type('The tower');
      await reloads(page, () => page.keyboard.press('Enter'));
      await expect
        .poll(() => source(noteOf('list')))
        .toBe(note.replace('- Nets', lines.replace('![]', '![The tower]')));
      // What was used last comes first, where the author was.
      await panelOf(page).getByRole('tab', { name: 'Library' }).click();
      await expect
        .poll(async () => (await list.getByRole('option').allTextContents()).slice(0, 2))
        .toEqual([expect.stringContaining('tower'), expect.stringContaining('quay')]);
    });

    test('by dragging a card to a place on the page, and another one onto the image there', async () => {
      const page = await open('/notes/drag/');
      const card = (name: string) => panelOf(page).getByRole('option', { name });
      /** Drops a card at the middle of what appears on the page meanwhile. */
      const drag = async (name: string, target: Locator) => {
        await card(name).hover();
        await page.mouse.down();
        await page.mouse.move(300, 300, { steps: 5 });
        const { x = 0, y = 0, width = 0, height = 0 } = (await target.boundingBox()) ?? {};
        await page.mouse.move(x + width / 2, y + height / 2, { steps: 5 });
        await page.mouse.up();
      };
      await drag('quay', places(page).getByRole('button', { name: 'At the end' }));
      const inserted = note.replace('- Ropes\n', '- Ropes\n\n![](media:4712)\n');
      await expect.poll(() => source(noteOf('drag'))).toBe(inserted);
      await page.locator('main').getByRole('img', { name: 'A quay' }).waitFor();
      await panelOf(page).getByRole('tab', { name: 'Library' }).click();
      await drag('tower', places(page).getByRole('button', { name: /^Image 4712/ }));
      await panelOf(page).getByRole('heading', { name: 'Replace with tower' }).waitFor();
      await panelOf(page).getByLabel('Alt text').fill('The tower');
      const replace = panelOf(page).getByRole('button', { name: 'Replace', exact: true });
      await reloads(page, () => replace.click());
      await expect
        .poll(() => source(noteOf('drag')))
        .toBe(inserted.replace('![](media:4712)', '![The tower](media:4714)'));
    });

    test('says that a page without Markdown has no place', async () => {
      const page = await open('/');
      await panelOf(page).getByRole('option', { name: 'quay' }).click();
      await panelOf(page).getByRole('button', { name: 'Insert' }).click();
      await shows(page, 'This page has no Markdown.');
    });
  });

  describe('upload', () => {
    const file = (name: string, seed: number) =>
      drawTestImage({ path: name, width: 320, height: 200, seed });

    /** Drops a file on the library. */
    async function drop(page: Page, name: string, bytes: Buffer): Promise<void> {
      const dataTransfer = await page.evaluateHandle(`(() => {
        const data = new DataTransfer();
        const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (one) => one.charCodeAt(0));
        data.items.add(new File([bytes], '${name}', { type: 'image/png' }));
        return data;
      })()`);
      await panelOf(page).dispatchEvent('drop', { dataTransfer });
      await panelOf(page)
        .getByRole('heading', { name: `Upload ${name}` })
        .waitFor();
    }

    test('by mouse, from the drop to a place on the page in three actions', async () => {
      const page = await open('/notes/upload/');
      await drop(page, 'pier.png', await file('pier.png', 7));
      expect(await axeViolationsInBothSchemes(page, 'astro-dev-toolbar')).toEqual([]);
      await panelOf(page).getByLabel('Alt text').fill('The pier');
      await panelOf(page).getByRole('button', { name: 'Upload and insert' }).click();
      await places(page).getByRole('button', { name: 'At the end' }).click();
      // The record has the text.
      const saved = note.replace('- Ropes\n', '- Ropes\n\n![](media:4715)\n');
      await expect.poll(() => source(noteOf('upload'))).toBe(saved);
      await page.locator('main').getByRole('img', { name: 'The pier' }).waitFor();
      await panelOf(page).getByRole('tab', { name: 'Library' }).click();
      await panelOf(page).getByRole('option', { name: 'pier' }).waitFor();

      // The same bytes again are the same asset.
      await drop(page, 'copy.png', await file('pier.png', 7));
      await panelOf(page).getByLabel('Alt text').fill('A copy');
      await panelOf(page).getByRole('button', { name: 'Upload', exact: true }).click();
      await shows(page, 'pier is asset 4715 already. Nothing was uploaded.');
      await panelOf(page).getByRole('button', { name: 'Insert' }).waitFor();
    });

    /** Drops files and folders of this machine, as a person does. */
    async function dropPaths(page: Page, files: readonly string[], at: { x: number; y: number }) {
      const devtools = await page.context().newCDPSession(page);
      const data = { items: [], files: [...files], dragOperationsMask: 1 };
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
        await devtools.send('Input.dispatchDragEvent', { type, ...at, data });
    }

    test('by keyboard, with the reason if the service refuses it, and again', async () => {
      const page = await open('/notes/upload/');
      const chosen = page.waitForEvent('filechooser');
      await panelOf(page).getByRole('button', { name: 'Upload files' }).press('Enter');
      const mole = { name: 'mole.png', mimeType: 'image/png', buffer: await file('mole.png', 8) };
      await (await chosen).setFiles(mole);
      await panelOf(page).getByRole('heading', { name: 'Upload mole.png' }).waitFor();
      await page.keyboard.type('The mole');
      await setup.emulator.setFaults([{ call: 'upload', kind: 'status', status: 507 }]);
      await page.keyboard.press('Enter');
      const alert = panelOf(page).getByRole('alert').filter({ hasText: 'mole.png' });
      await alert.getByText(/asset 4716 exists in the service/).waitFor();
      await alert.getByText('Look at the record in the service.').waitFor();
      expect(browser.problems()).toEqual([expect.stringMatching(/^409 .*upload\.json/)]);
      await setup.emulator.clearFaults();
      await page.keyboard.press('Enter');
      await expect.poll(() => focused(page)).toMatch(/^At the start/);
      await page.keyboard.press('Enter');
      await expect.poll(() => source(noteOf('upload'))).toContain('---\n\n![](media:4717)\n\n# ');
      await page.locator('main').getByRole('img', { name: 'The mole' }).waitFor();
    });

    test('several at once, one after another, dropped anywhere on the panel, but no folder', async () => {
      const folder = await temporaryFolder('dropped');
      await mkdir(join(folder, 'more'));
      const names = ['buoy.png', 'crane.png', 'empty.png'];
      for (const [index, name] of names.entries()) {
        await writeFile(
          join(folder, name),
          name === 'empty.png' ? '' : await file(name, 20 + index),
        );
      }
      const page = await open('/notes/upload/');
      await panelOf(page).getByRole('tab', { name: 'Page' }).click();
      const { x = 0, y = 0, width = 0 } = (await panelOf(page).boundingBox()) ?? {};
      const corner = { x: x + width - 20, y: y + 20 };
      await dropPaths(page, [join(folder, 'more')], corner);
      await shows(page, 'Folders can’t be dropped.');
      // Next to the panel, the browser doesn't open it.
      await dropPaths(page, [join(folder, 'buoy.png')], { x: 100, y: 100 });
      await dropPaths(
        page,
        names.map((name) => join(folder, name)),
        corner,
      );
      await panelOf(page).getByRole('heading', { name: 'Upload 2 files' }).waitFor();
      expect(await axeViolationsInBothSchemes(page, 'astro-dev-toolbar')).toEqual([]);
      await panelOf(page).getByLabel('Alt text of buoy.png').fill('A buoy');
      await setup.emulator.setFaults([{ call: 'upload', kind: 'status', status: 507, times: 1 }]);
      await panelOf(page).getByRole('button', { name: 'Upload' }).click();
      await shows(page, '1 of 2 files are in the library.');
      expect(browser.problems()).toEqual([expect.stringMatching(/^409 .*upload\.json/)]);
      await panelOf(page).getByRole('alert').filter({ hasText: 'buoy.png' }).waitFor();
      await panelOf(page).getByRole('button', { name: 'Try again' }).click();
      await shows(page, '2 of 2 files are in the library.');
      await panelOf(page).getByRole('button', { name: 'Back' }).click();
      for (const name of ['buoy', 'crane'])
        await panelOf(page).getByRole('option', { name }).first().waitFor();
    });
  });
});
