import type { Page } from 'playwright-core';
import { sideBySide, webp } from './encode.ts';
import type { Picture } from './picture.ts';
import type { Stage } from './stage.ts';

/** How long a frame of the film is shown, in milliseconds. */
const short = 1600;
const long = 3000;

/** The whole image, and a square around the boat on a phone. */
const artDirection = `---
import { MediaAsset } from 'astro-media-asset/components';
---
<html lang="en">
  <head>
    <title>The harbour</title>
    <meta name="viewport" content="width=device-width">
    <style>
      body { margin: 1.5rem; background: #f6f1e4; font: 1rem/1.5 sans-serif }
      h1 { margin: 0 0 1rem; font-size: 1.6rem }
    </style>
  </head>
  <body>
    <h1>The harbour at dawn</h1>
    <MediaAsset
      id={4718}
      alt="The harbour at dawn"
      width={1200}
      sources={[{ media: '(max-width: 40em)', aspect: '1:1', focus: { x: 0.75, y: 0.6 }, width: 640 }]}
    />
  </body>
</html>
`;

/** The image that opens in the crop editor, and a page with it. */
const cropped = { path: '/stories/half-past-five/', id: '4719' };

/** What authors see in the dev server. The last one changes the source. */
export const devPictures: readonly Picture[] = [
  {
    name: 'art-direction',
    async walk(stage, frame) {
      await stage.site.write('src/pages/art-direction.astro', artDirection);
      for (const [width, shape] of [
        [390, 'naturalWidth === image.naturalHeight'],
        [900, 'naturalWidth > image.naturalHeight'],
      ] as const) {
        const page = await stage.open('dev', '/art-direction/', [width, 560]);
        await page.addStyleTag({ content: 'astro-dev-toolbar { display: none }' });
        await page.waitForFunction(
          `(() => { const image = document.querySelector('img'); return image.${shape} })()`,
        );
        await frame(page);
      }
    },
    async files(shots) {
      const windows = await sideBySide(shots);
      return { 'art-direction.webp': await windows.webp({ quality: 82, effort: 6 }).toBuffer() };
    },
  },
  {
    name: 'crop-editor',
    async walk(stage, frame) {
      await frame(await openCropEditor(stage));
    },
    files: async (shots) => ({ 'crop-editor.webp': await webp(shots) }),
  },
  {
    name: 'focus',
    async walk(stage, frame) {
      const page = await openCropEditor(stage);
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('radio', { name: 'Cut around a focus point' }).check();
      await dialog.getByRole('radio', { name: '1:1' }).check();
      await dragAcross(page, [0.5, 0.58], [0.76, 0.52]);
      await frame(page);
    },
    files: async (shots) => ({ 'focus.webp': await webp(shots) }),
  },
  {
    name: 'forbidden',
    async walk(stage, frame) {
      await stage.uploadForbidden();
      const { page, panel } = await openToolbar(stage, '/about/');
      await panel.getByRole('tab', { name: 'Library' }).click();
      await panel.getByRole('combobox').first().selectOption({ label: 'people' });
      await panel.getByText(/^3 results(?!.* until)/).waitFor();
      await frame(page);
    },
    files: async (shots) => ({ 'forbidden.webp': await webp(shots) }),
  },
  {
    name: 'toolbar',
    walk: async (stage, frame) => {
      const page = await stage.open('dev', '/about/', [1200, 750]);
      const shown = `document.querySelector('img[data-media-asset="4724"]')`;
      await page.evaluate(`${shown}.scrollIntoView({ block: 'center', behavior: 'instant' })`);
      await frame(page, { ms: short });
      const panel = await openPanel(page);
      const outline = outlineOf(page, '4724');
      await outline.waitFor();
      await frame(page, { ms: long, pointed: outline });
      await outline.click();
      const replace = panel.getByRole('button', { name: 'Replace' });
      await panel.getByText('src/pages/about.md').waitFor();
      await frame(page, { ms: long, pointed: replace });
      await replace.click();
      await panel.getByLabel('Search assets').fill('market');
      const found = panel.getByRole('listbox').getByRole('option').first();
      await panel.getByText(/^1 result(?!.* until)/).waitFor();
      await frame(page, { ms: long, pointed: found });
      await found.click();
      await panel.getByLabel('Alt text').fill('The fish market, with a striped awning.');
      const cropAndReplace = panel.getByRole('button', { name: 'Crop and replace' });
      await frame(page, { ms: short, pointed: cropAndReplace });
      await cropAndReplace.click();
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await frame(page, { ms: short });
      await dialog.getByRole('radio', { name: 'Draw a crop' }).check();
      await dragAcross(page, [0.15, 0.22], [0.85, 0.85]);
      const save = dialog.getByRole('button', { name: 'Save' });
      await frame(page, { ms: long, pointed: save });
      await save.click();
      await panel.getByText('Saved to').waitFor();
      await page.locator('img[data-media-asset="4719"]').first().waitFor();
      await frame(page, { ms: long });
    },
    files: async (shots) => ({ 'toolbar.webp': await webp(shots, 72) }),
  },
];

async function openToolbar(stage: Stage, path: string) {
  const page = await stage.open('dev', path, [1200, 750]);
  return { page, panel: await openPanel(page) };
}

async function openPanel(page: Page) {
  const bar = page.locator('astro-dev-toolbar');
  await bar.locator('button[data-app-id="astro-media-asset"]').click();
  const panel = page.getByRole('complementary', { name: 'Media assets' });
  await panel.waitFor();
  return panel;
}

function outlineOf(page: Page, id: string) {
  const outlines = page.getByRole('group', { name: 'Images on this page' });
  return outlines.getByRole('button', { name: id }).first();
}

async function openCropEditor(stage: Stage): Promise<Page> {
  const { page, panel } = await openToolbar(stage, cropped.path);
  await outlineOf(page, cropped.id).click();
  // A number in frontmatter can be anything, so the toolbar asks.
  await panel.getByRole('radio').first().check();
  await panel.getByRole('button', { name: 'Crop', exact: true }).click();
  await page.getByRole('dialog').waitFor();
  return page;
}

/** Drags over the image of the crop editor, between two points in fractions of it. */
async function dragAcross(
  page: Page,
  from: readonly [number, number],
  to: readonly [number, number],
): Promise<void> {
  const box = await page.getByRole('dialog').locator('img').first().boundingBox();
  if (!box) throw new Error('The crop editor has no image.');
  await page.mouse.move(box.x + box.width * from[0], box.y + box.height * from[1]);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * to[0], box.y + box.height * to[1], { steps: 5 });
  await page.mouse.up();
}
