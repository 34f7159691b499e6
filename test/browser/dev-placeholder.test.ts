/** @module-tag slow */
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, useBrowser } from '../support/browser/browser-tests.ts';
import { displayedPixels } from '../support/images/test-images.ts';
import { type DevServer, startDevServer } from '../support/site/dev-server.ts';
import { useSite } from '../support/site/site-with-service.ts';

/** The HTML of placeholders is checked on each major in `test/e2e/dev`. */
const onAnyAstro = { tags: ['any-astro'] };

describeInBrowser('the dev server in a browser', () => {
  const browser = useBrowser();
  const setup = useSite('main-job');
  let server: DevServer;

  beforeAll(async () => {
    await setup.deleteAsset('quay.png');
    await setup.site.write(
      'src/rope.md',
      '![The tower](media:4714?format=png)\n\n![The knot](media:4712?width=240&height=160)\n\n![Boat](media:4714?corp=1)\n',
    );
    await setup.site.write(
      'src/pages/tower.astro',
      `---
import { MediaAsset, MediaVideo } from 'astro-media-asset/components';
import { Content } from '../rope.md';
---
<img src="/tower.svg" alt="A file of the site" width="80" height="60">
<MediaAsset id={4714} alt="The tower at noon" format="png" />
<Content />
<MediaVideo id={999999} width={1872} />
`,
    );
    // The audit ignores files below 20 kB.
    await setup.site.write(
      'public/tower.svg',
      `<svg xmlns="http://www.w3.org/2000/svg"><!--${'x '.repeat(20_000)}--></svg>`,
    );
    server = await startDevServer(setup);
  });

  afterAll(() => server?.stop());

  test(
    'shows a labelled placeholder for a missing asset, and the rest of the page',
    onAnyAstro,
    async () => {
      const page = await browser.open({ baseURL: server.url });
      await page.goto('/');
      const placeholder = page.getByAltText('The quay');
      expect(await placeholder.boundingBox()).toMatchObject({ width: 240, height: 160 });
      expect(await coloursOf(placeholder)).toEqual(expect.arrayContaining(labelColours));
      // The image is lazy.
      const harbour = 'document.querySelector("img[alt=\'The whole harbour\']")';
      const width = `${harbour}.decode().then(() => ${harbour}.naturalWidth)`;
      expect(await page.evaluate(width)).toBe(400);
      expect(await page.getByRole('link', { name: 'The quay' }).isVisible()).toBe(true);
      expect(await page.locator('vite-error-overlay').count()).toBe(0);
    },
  );

  test.each([
    ['a missing asset', 'The knot', { width: 240, height: 160 }],
    ['a mistake', 'src/rope.md:5: Unknown parameter `corp`', { width: 640, height: 240 }],
  ])('shows a labelled placeholder for %s in Markdown', onAnyAstro, async (_, alt, size) => {
    const page = await browser.open({ baseURL: server.url });
    await page.goto('/tower/');
    const placeholder = page.getByAltText(alt);
    expect(await placeholder.boundingBox()).toMatchObject(size);
    expect(await coloursOf(placeholder)).toEqual(expect.arrayContaining(labelColours));
  });

  test('a missing video is no wider than the page', async () => {
    const page = await browser.open({ baseURL: server.url, viewport: { width: 800, height: 600 } });
    await page.goto('/tower/');
    await page.locator('video').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(800);
  });

  test("the toolbar's audit doesn't suggest Astro's component for our images", async () => {
    const page = await browser.open({ baseURL: server.url });
    await page.goto('/tower/');
    const toolbar = page.locator('astro-dev-toolbar');
    const button = toolbar.getByRole('button', { name: 'Audit' });
    // An audit that is opened before it has run stays empty.
    await button.locator('.notification[data-active]').waitFor({ state: 'attached' });
    await button.click();
    const suggested = toolbar.locator('[data-audit-code="perf-use-image-component"]');
    await suggested.first().waitFor({ state: 'attached' });
    // The site's own `<img>`, which shows that the audit has run.
    expect(await suggested.count()).toBe(1);
  });
});

/** The background and the letters of a labelled placeholder. */
const labelColours = ['eef0f3', '343a46'];

async function coloursOf(picture: Locator): Promise<string[]> {
  const { data } = await displayedPixels(await picture.screenshot());
  const colours = new Set<string>();
  for (let at = 0; at < data.length; at += 3) {
    colours.add(Buffer.from(data.slice(at, at + 3)).toString('hex'));
  }
  return [...colours];
}
