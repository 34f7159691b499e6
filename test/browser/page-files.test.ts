/** @module-tag slow */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeViolationsInBothSchemes } from '../support/browser/axe.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser-tests.ts';
import { drawMp4, drawPdf } from '../support/images/test-files.ts';
import { type DevServer, startDevServer } from '../support/site/dev-server.ts';
import { useSite } from '../support/site/site-with-service.ts';

const noteFile = 'src/pages/note.md';
const note = 'Read the [annual report](media:4716).\n\nThe end.\n';
const videoFile = 'src/pages/video.astro';
const video = `---
import { MediaVideo } from 'astro-media-asset/components';
---
<title>Video</title>
<MediaVideo id={4717} name="Voyage" />
`;

describeInBrowser('files of a page in the toolbar', () => {
  const browser = useBrowser();
  const setup = useSite('main-job', {
    files: {
      'u-plan.pdf': drawPdf('Plan'),
      'v-report.pdf': drawPdf('Report'),
      'w-voyage.mp4': drawMp4({ width: 320, height: 180 }),
    },
  });
  let server: DevServer;

  const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Media assets' });
  const button = (page: Page, name: string) =>
    panelOf(page).getByRole('button', { name, exact: true });

  async function open(path: string): Promise<Page> {
    const page = await browser.open({
      baseURL: server.url,
      viewport: { width: 1280, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.goto(path);
    await page.locator('astro-dev-toolbar button[data-app-id="astro-media-asset"]').click();
    return page;
  }

  beforeAll(async () => {
    await setup.site.write(noteFile, note);
    await setup.site.write(videoFile, video);
    server = await startDevServer(setup);
  });
  afterAll(() => server?.stop());

  test('a linked document is in the list without an alt text, and is replaced with another', async () => {
    const page = await open('/note/');
    await panelOf(page)
      .getByRole('button', { name: /4716 · Document · src\/pages\/note\.md:1$/ })
      .click();
    await panelOf(page).getByRole('heading', { name: 'v-report' }).waitFor();
    expect(await panelOf(page).getByRole('textbox').count()).toBe(0);
    expect(await button(page, 'Crop').count()).toBe(0);
    expect(await axeViolationsInBothSchemes(page, 'astro-dev-toolbar')).toEqual([]);
    await button(page, 'Replace').click();
    await panelOf(page).getByRole('option', { name: 'u-plan' }).click();
    await panelOf(page).getByRole('heading', { name: 'Replace with u-plan' }).waitFor();
    await button(page, 'Replace').click();
    await expect.poll(() => setup.site.read(noteFile)).toBe(note.replace('4716', '4715'));
    await page.locator('main a, body a').filter({ hasText: 'annual report' }).waitFor();
  });

  test('a document of the library is copied, and inserted as a link', async () => {
    const page = await open('/note/');
    await panelOf(page).getByRole('tab', { name: 'Library' }).click();
    await panelOf(page).getByRole('option', { name: 'v-report' }).click();
    expect(await axeViolationsInBothSchemes(page, 'astro-dev-toolbar')).toEqual([]);
    await button(page, 'Copy for Astro').click();
    await panelOf(page).getByText('Copied for Astro.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('<MediaFile id={4716} />');
    await button(page, 'Insert').click();
    await page
      .getByRole('group', { name: 'Places on this page' })
      .getByRole('button', { name: 'At the end' })
      .click();
    await expect
      .poll(() => setup.site.read(noteFile))
      .toMatch(/The end\.\n\n\[v-report\]\(media:4716\)\n$/);
    await page.getByRole('link', { name: 'v-report' }).waitFor();
  });

  test("a video's poster is chosen from the library, cropped, seen on the page, and undone", async () => {
    const page = await open('/video/');
    const openVideo = () =>
      panelOf(page)
        .getByRole('button', { name: /4717 · Video · src\/pages\/video\.astro:5$/ })
        .click();
    const chooseTower = async () => {
      await button(page, 'Choose a poster').click();
      await panelOf(page)
        .getByText(/^Poster of /)
        .waitFor();
      await panelOf(page).getByText('4 results').waitFor();
      await panelOf(page).getByRole('option', { name: 'tower' }).click();
      await panelOf(page).getByRole('heading', { name: 'tower' }).waitFor();
    };
    const dialog = page.getByRole('dialog', { name: 'Crop' });
    const posterSize = () =>
      page.evaluate(`(async () => {
        const image = new Image();
        image.src = document.querySelector('video').poster;
        await image.decode().catch(() => {});
        return [image.naturalWidth, image.naturalHeight];
      })()`);
    const posterUrl = () => page.locator('video').getAttribute('poster');
    const poster = (props: string) => video.replace('{4717}', `{4717} poster={${props}}`);
    const cropped = poster('{ id: 4714, crop: { x: 0, y: 65, width: 800, height: 450 } }');
    await openVideo();
    await chooseTower();
    expect(await panelOf(page).getByRole('textbox').count()).toBe(0);
    expect(await axeViolationsInBothSchemes(page, 'astro-dev-toolbar')).toEqual([]);
    await button(page, 'Use as poster').click();
    await panelOf(page).getByText('Saved to src/pages/video.astro:5').waitFor();
    expect(await setup.site.read(videoFile)).toBe(poster('4714'));
    await expect.poll(posterSize).toEqual([320, 180]);
    await button(page, 'Undo').click();
    await expect.poll(() => setup.site.read(videoFile)).toBe(video);
    await expect.poll(posterUrl).toBeNull();

    // The video's shape, from the middle.
    await chooseTower();
    await button(page, 'Crop and use as poster').click();
    await page.getByRole('application').press('Alt+ArrowUp');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => setup.site.read(videoFile)).toBe(cropped);
    await expect.poll(posterSize).toEqual([320, 180]);

    // The next crop starts from this one.
    await chooseTower();
    await button(page, 'Crop and use as poster').click();
    await page.getByRole('application').press('Alt+ArrowUp');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => setup.site.read(videoFile)).toBe(cropped.replace('65', '55'));
    await setup.site.write(videoFile, video);
  });

  /** Opens the tower as the poster of a video with this source. */
  const openTower = async (source: string) => {
    await setup.site.write(videoFile, source);
    const page = await open('/video/');
    await panelOf(page)
      .getByRole('button', { name: /4717 · Video/ })
      .click();
    await button(page, 'Choose a poster').click();
    await panelOf(page).getByRole('option', { name: 'tower' }).click();
    return page;
  };

  test("a poster's focus that draws the eye stays if nothing is drawn", async () => {
    const eye = `poster={{ id: 4714, aspect: '1:1', focus: 'attention' }}`;
    const source = video.replace('{4717}', `{4717} ${eye}`);
    const page = await openTower(source);
    await button(page, 'Crop and use as poster').click();
    const dialog = page.getByRole('dialog', { name: 'Crop' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await setup.site.read(videoFile)).toBe(source);
    await setup.site.write(videoFile, video);
  });

  test('only a video has a poster to choose, and a computed one stays', async () => {
    const computed = video.replace('{4717}', '{4717} poster={[4711][0]}');
    const page = await openTower(computed);
    await button(page, 'Use as poster').click();
    await panelOf(page).getByText('has no plain value for the poster').waitFor();
    expect(await setup.site.read(videoFile)).toBe(computed);
    expect(browser.problems()).toEqual([expect.stringMatching(/^409 .*save\.json$/)]);
    await page.goto('/note/');
    await panelOf(page)
      .getByRole('button', { name: /4716 · Document/ })
      .click();
    await button(page, 'Replace').waitFor();
    expect(await button(page, 'Choose a poster').count()).toBe(0);
    await setup.site.write(videoFile, video);
  });

  test('a video is in the list, and is never replaced with an image', async () => {
    const page = await open('/video/');
    await panelOf(page)
      .getByRole('button', { name: /4717 · Video · src\/pages\/video\.astro:5$/ })
      .click();
    await button(page, 'Replace').click();
    await panelOf(page).getByRole('option', { name: 'tower' }).click();
    await button(page, 'Insert').waitFor();
    expect(await button(page, 'Replace').count()).toBe(0);
    expect(await setup.site.read(videoFile)).toBe(video);
  });
});
