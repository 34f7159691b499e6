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
