/** @module-tag slow */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { axeViolationsInBothSchemes } from '../support/browser/axe.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser-tests.ts';
import { type ActionCounter, countActions } from '../support/browser/count-actions.ts';
import { drag, numbers } from '../support/browser/crop-page.ts';
import { reloads } from '../support/browser/reloads.ts';
import {
  displayedPixels,
  patternPixels,
  pixelDifference,
  regionPixels,
} from '../support/images/test-images.ts';
import { type DevServer, startDevServer } from '../support/site/dev-server.ts';
import { openSiteWithService, useSite } from '../support/site/site-with-service.ts';

/** Astro 5 and 6 only differ in what saving needs. */
const onAnyAstro = { tags: ['any-astro'] };

/** Each test has a page of its own, with a Markdown file. */
const names = ['crop', 'tabs', 'focus', 'markdown', 'frontmatter', 'preset', 'mouse', 'library'];

const pageOf = (name: string) => `src/pages/${name}.astro`;
const markdownOf = (name: string) => `src/${name}.md`;

const pageText = (name: string) => `---
import { MediaAsset } from 'astro-media-asset/components';
import { Content, frontmatter } from '../${name}.md';
const tower = { id: 4714 };
---
<title>Tower</title>
<!-- The author's own style stays. -->
<MediaAsset
  id={4714}
  crop={{ x: 0, y: 0, width: 400, height: 300 }}
  alt="The tower"
  lang="de"
  format="png"
  densities={[1]}
/>
<MediaAsset {...tower} alt="The tower again" width={100} />
<MediaAsset {...frontmatter.hero} ${name === 'preset' ? 'preset="card"' : 'width={100}'} />
<Content />
`;

const heroes: Readonly<Record<string, number>> = { frontmatter: 4713, preset: 4711 };

const markdownText = (name: string) => `---
# The hero of the page
hero:
  id: ${heroes[name] ?? 4712}
  alt: The ship
---

![The harbour](media:4711?width=300)
`;

const config = `import { defineConfig } from 'astro/config';
import mediaAsset from 'astro-media-asset';

const read = (fields, { locale = 'en' }) => ({ alt: fields['alt_' + locale] });

export default defineConfig({
  site: 'https://harbour.example',
  // The packages of an older Astro are outside of the site's folder.
  vite: { server: { fs: { strict: false } } },
  integrations: [
    mediaAsset({
      record: { fields: ['alt_en', 'alt_de'], read },
      presets: { card: { aspect: '1:1', format: 'png', densities: [1] } },
    }),
  ],
});
`;

const quayRecord = Buffer.from(JSON.stringify({ alt_en: 'A quay', alt_de: 'Ein Kai' }));

describeInBrowser('the toolbar in a browser', () => {
  const browser = useBrowser();
  const setup = useSite('main-job', { files: { 'quay.png.json': quayRecord } });
  let server: DevServer;
  let counter: ActionCounter;

  const source = (file: string) => setup.site.read(file);

  /** Opens a page with the app. */
  async function open(name: string, { url } = server): Promise<Page> {
    const viewport = { width: 1280, height: 800 };
    const page = await browser.open({ baseURL: url, viewport });
    counter = await countActions(page);
    await page.goto(`/${name}/`);
    const toolbar = page.locator('astro-dev-toolbar');
    await toolbar.locator('button[data-app-id="astro-media-asset"]').click();
    await panelOf(page).waitFor();
    return page;
  }

  const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Media assets' });
  const shows = (page: Page, text: string) => panelOf(page).getByText(text).first().waitFor();
  /** The one asset that a search finds. Until it's answered, what was shown before takes no click. */
  async function search(page: Page, text: string): Promise<Locator> {
    const results = panelOf(page).getByRole('listbox', { name: 'Assets' }).getByRole('option');
    // The dev server may reload the page after another test's change, and the text is gone then.
    const count = async () => {
      await panelOf(page).getByLabel('Search assets').fill(text);
      return results.count();
    };
    await expect.poll(count, { interval: 2000 }).toBe(1);
    return results;
  }

  const outlines = (page: Page) => page.getByRole('group', { name: 'Images on this page' });
  const focusedLabel = (page: Page) =>
    page.evaluate(`(function labelOf(active) {
      return active?.shadowRoot ? labelOf(active.shadowRoot.activeElement) : active?.ariaLabel;
    })(document.activeElement)`);
  const undo = (page: Page) => panelOf(page).getByRole('button', { name: 'Undo' }).click();
  const select = (page: Page, index: number) =>
    outlines(page).getByRole('button').nth(index).press('Enter');

  /** Builds the site, and reads the image that a page has with this alt text. */
  async function published(name: string, alt: string) {
    await setup.build();
    const html = await source(`dist/${name}/index.html`);
    const [, url = ''] = new RegExp(`src="([^"]+)"[^>]*alt="${alt}"`).exec(html) ?? [];
    return displayedPixels(await setup.site.readOutput(url));
  }

  beforeAll(async () => {
    await setup.site.write('astro.config.mjs', config);
    for (const name of names) {
      await setup.site.write(pageOf(name), pageText(name));
      await setup.site.write(markdownOf(name), markdownText(name));
    }
    server = await startDevServer(setup);
  });

  afterAll(() => server?.stop());

  test('signs images that need a look, also below a base', onAnyAstro, async () => {
    const signs: [image: string, sign: string][] = [
      ['<MediaAsset id={4711} alt="" width={900} />', 'The page asks for 900 px'],
      ['<MediaAsset id={9001} alt="" />', "The service doesn't know asset 9001"],
      ['<Content />', 'No alt text'],
    ];
    const [start = ''] = pageText('signs').split('<title>');
    const images = signs.map(([image]) => image).join('\n');
    const other = await openSiteWithService('main-job');
    onTestFinished(() => other.close());
    const ofFixture = await other.site.read('astro.config.mjs');
    const withBase = ofFixture.replace('site:', "base: '/port',\n  site:");
    await other.site.write('astro.config.mjs', withBase);
    await other.site.write(markdownOf('signs'), '![](media:4713)\n');
    await other.site.write(pageOf('signs'), `${start}<title>Signs</title>\n${images}\n`);
    const server = await startDevServer(other);
    onTestFinished(() => server.stop());
    const page = await open('port/signs', server);
    for (const [index, [, sign]] of signs.entries()) {
      await expect
        .poll(() => outlines(page).getByRole('button').nth(index).getAttribute('aria-label'))
        .toContain(sign);
    }
    await select(page, 2);
    await shows(page, 'src/signs.md:1');
    // From the server.
    await shows(page, 'Used by no page until now.');
  });

  test('saves a crop into the component, and the published image is that part', async () => {
    const page = await open('crop');
    await select(page, 0);
    await shows(page, `${pageOf('crop')}:8`);
    await panelOf(page).getByRole('button', { name: 'Crop', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('X', { exact: true }).fill('40');
    await dialog.getByLabel('X', { exact: true }).press('Tab');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const crop = { x: 40, y: 0, width: 400, height: 300 };
    await expect.poll(() => source(pageOf('crop'))).toBe(pageText('crop').replace('x: 0', 'x: 40'));
    await showsCrop(page, { id: 4714, width: 400 });
    // The page has reloaded, and the app stays open with the image.
    await shows(page, `${pageOf('crop')}:8`);
    const tower = { path: 'tower.jpg', width: 800, height: 600, seed: 3 };
    const region = regionPixels(patternPixels(tower), crop);
    expect(pixelDifference(await published('crop', 'The tower'), region).mean).toBeLessThan(4);
    await reloads(page, () => undo(page));
    await expect.poll(() => source(pageOf('crop'))).toBe(pageText('crop'));
  });

  test(
    'what another tab has saved is said before it is replaced, and undo leads back to it',
    onAnyAstro,
    async () => {
      const [one, other] = [await open('tabs'), await open('tabs')];
      const dialog = (page: Page) => page.getByRole('dialog');
      const crop = async (page: Page, side: string, value: string) => {
        await select(page, 0);
        await panelOf(page).getByRole('button', { name: 'Crop', exact: true }).click();
        await dialog(page).getByLabel(side, { exact: true }).fill(value);
        await dialog(page).getByLabel(side, { exact: true }).press('Tab');
      };
      const save = (page: Page) => dialog(page).getByRole('button', { name: 'Save' }).click();
      await crop(one, 'X', '40');
      await crop(other, 'Y', '30');
      await save(other);
      const ofOther = pageText('tabs').replace('y: 0', 'y: 30');
      await expect.poll(() => source(pageOf('tabs'))).toBe(ofOther);
      // Its page has reloaded.
      await dialog(one).getByRole('alert').filter({ hasText: 'The source has changed' }).waitFor();
      expect(await numbers(one)).toEqual([40, 0, 400, 300]);
      await reloads(one, () => save(one));
      await expect
        .poll(() => source(pageOf('tabs')))
        .toBe(pageText('tabs').replace('x: 0', 'x: 40'));
      await reloads(one, () => undo(one));
      await expect.poll(() => source(pageOf('tabs'))).toBe(ofOther);
    },
  );

  test('saves a focus point in a drawn crop, and shows what both leave in the shape of a preset', async () => {
    const page = await open('focus');
    await select(page, 0);
    await shows(page, `${pageOf('focus')}:8`);
    await panelOf(page).getByRole('button', { name: 'Crop', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await drag(page, { from: { x: 500, y: 400 }, to: { x: 750, y: 550 }, width: 800 });
    const [x = 0, y = 0, width = 0, height = 0] = await numbers(page);
    await dialog.getByRole('radio', { name: 'Cut around a focus point' }).check();
    await dialog.getByRole('radio', { name: '4:5' }).check();
    const card = dialog.getByRole('listitem').filter({ hasText: 'card 1:1' });
    const pictured = () => card.locator('.part-image').getAttribute('style');
    const before = await pictured();
    await drag(page, { from: { x: 625, y: 475 }, to: { x: 790, y: 475 }, width: 800 });
    expect(await pictured()).not.toBe(before);
    await dialog.getByRole('button', { name: 'Save' }).click();
    const written = /crop=\{\{ (.*) \}\}\n {2}aspect="4:5"\n {2}focus=\{\{ x: 1, y: (.*) \}\}\n/;
    await expect
      .poll(async () => written.exec(await source(pageOf('focus')))?.[1])
      .toBe(`x: ${x}, y: ${y}, width: ${width}, height: ${height}`);
    const cut = Math.round((height * 4) / 5);
    await showsCrop(page, { id: 4714, width: cut });
    const tower = { path: 'tower.jpg', width: 800, height: 600, seed: 3 };
    const part = { x: x + width - cut, y, width: cut, height };
    const region = regionPixels(patternPixels(tower), part);
    expect(pixelDifference(await published('focus', 'The tower'), region).mean).toBeLessThan(4);
    await reloads(page, () => undo(page));
    await expect.poll(() => source(pageOf('focus'))).toBe(pageText('focus'));
  });

  const choosePlace = (page: Page, file: string) =>
    panelOf(page).getByRole('radio', { name: file }).check();

  const byKeyboard = async (name: string, index: number, before: string, after: string) => {
    const page = await open(name);
    await select(page, index);
    // Another value can have the same asset.
    if (name === 'frontmatter') await choosePlace(page, markdownOf(name));
    await panelOf(page).getByRole('button', { name: 'Replace' }).press('Enter');
    await expect.poll(() => focusedLabel(page)).toBe('Search assets');
    await page.keyboard.type('quay');
    counter.restart();
    // The first result, its alt text, the crop, and saving.
    await page.keyboard.press('Enter');
    await expect.poll(() => panelOf(page).getByLabel('Alt text').inputValue()).toBe('A quay');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => source(markdownOf(name)))
      .toBe(markdownText(name).replace(before, after));
    await showsCrop(page, { id: 4712, width: 639 });
    expect(counter.actions).toEqual(['Enter', 'Enter', 'ArrowLeft', 'Enter']);
  };

  const inAddress = '![](media:4712?crop=0,0,639,480&width=300)';

  test.each([['markdown', 3, '![The harbour](media:4711?width=300)', inAddress]] as const)(
    'finds, crops and places an asset in %s by keyboard alone',
    byKeyboard,
  );

  test.each([
    [
      'frontmatter',
      2,
      '  id: 4713\n  alt: The ship',
      '  id: 4712\n  crop: { x: 0, y: 0, width: 639, height: 480 }',
    ],
  ] as const)('finds, crops and places an asset in %s by keyboard alone', onAnyAstro, byKeyboard);

  test('saves a focus point into the chosen frontmatter, whose shape comes from a preset', async () => {
    await setup.site.write('src/other.yaml', 'hero: { id: 4711 }\n');
    const page = await open('preset');
    await select(page, 2);
    await expect.poll(() => panelOf(page).getByRole('radio').count()).toBe(2);
    await choosePlace(page, markdownOf('preset'));
    await panelOf(page).getByRole('button', { name: 'Crop', exact: true }).press('Enter');
    await page.getByRole('dialog').waitFor();
    for (let times = 0; times < 5; times += 1) await page.keyboard.press('Control+ArrowRight');
    await page.keyboard.press('Enter');
    const saved = markdownText('preset').replace(
      'id: 4711',
      'id: 4711\n  focus: { x: 0.58, y: 0.5 }',
    );
    await expect.poll(() => source(markdownOf('preset'))).toBe(saved);
    expect(await source('src/other.yaml')).toBe('hero: { id: 4711 }\n');
    const harbour = { path: 'harbour.jpg', width: 640, height: 480 };
    const region = regionPixels(patternPixels(harbour), { x: 131, y: 0, width: 480, height: 480 });
    expect(pixelDifference(await published('preset', 'The ship'), region).mean).toBeLessThan(4);
  });

  test(
    'finds, crops and places an asset by mouse in four actions after the search',
    onAnyAstro,
    async () => {
      const page = await open('mouse');
      await outlines(page).getByRole('button').nth(0).click();
      await shows(page, `${pageOf('mouse')}:8`);
      await panelOf(page).getByRole('button', { name: 'Replace' }).click();
      const found = await search(page, 'quay');
      counter.restart();
      await found.click();
      await panelOf(page).getByRole('button', { name: 'Crop and replace' }).click();
      const quay = { path: 'quay.png', width: 640, height: 480, seed: 1 };
      await drag(page, { from: { x: 160, y: 120 }, to: { x: 480, y: 360 }, width: quay.width });
      const [x = 0, y = 0, width = 0, height = 0] = await numbers(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      const saved = pageText('mouse')
        .replace('id={4714}', 'id={4712}')
        // The record has one in the language of the page.
        .replace(/\n +alt="The tower"/, '')
        .replace('x: 0, y: 0, width: 400, height: 300', () =>
          Object.entries({ x, y, width, height })
            .map(([name, value]) => `${name}: ${value}`)
            .join(', '),
        );
      await expect.poll(() => source(pageOf('mouse'))).toBe(saved);
      await showsCrop(page, { id: 4712, width });
      expect(counter.actions).toEqual(['pointer', 'pointer', 'pointer', 'pointer']);
      expect([x, y]).toEqual([expect.closeTo(160, -1), expect.closeTo(120, -1)]);
      const region = regionPixels(patternPixels(quay), { x, y, width, height });
      expect(pixelDifference(await published('mouse', 'Ein Kai'), region).mean).toBeLessThan(4);
    },
  );

  test('lists the library of the service, and where an asset is used', onAnyAstro, async () => {
    await setup.build();
    const page = await open('library');
    await panelOf(page).getByRole('tab', { name: 'Library' }).click();
    await (await search(page, 'tower')).click();
    await shows(page, '/library/');
    expect(await axeViolationsInBothSchemes(page, 'astro-dev-toolbar')).toEqual([]);
  });
});

/** Waits until the page has loaded again with a crop. */
async function showsCrop(page: Page, { id, width }: { id: number; width: number }): Promise<void> {
  const images = page.locator(
    `img[data-media-asset="${id}"][data-media-asset-toolbar*='"width":${width},']`,
  );
  await images.first().waitFor({ state: 'attached' });
}
