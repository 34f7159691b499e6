/**
 * The picker in the real CMSs of `test/cms`, against `astro dev` and the emulator.
 * @module-tag any-astro
 * @module-tag slow
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load as parseYaml } from 'js-yaml';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import packages from '../cms/package.json' with { type: 'json' };
import { axeViolationsInBothSchemes } from '../support/browser/axe.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser-tests.ts';
import {
  type CmsEditor,
  choose,
  closed,
  decap,
  fieldOf,
  keystatic,
  savedText,
  sveltia,
  valuesOf,
} from '../support/browser/cms-editors.ts';
import { findCmsPackages, useCmsPackages } from '../support/site/cms-packages.ts';
import { type DecapServer, startDecapServer } from '../support/site/decap-server.ts';
import { type DevServer, startDevServer } from '../support/site/dev-server.ts';
import { copyExample } from '../support/site/example-site.ts';
import type { Site } from '../support/site/site.ts';
import { outputOf, useSite } from '../support/site/site-with-service.ts';

const describeCms = findCmsPackages() ? describeInBrowser : describe.skip;

/** Values as each CMS writes them: Sveltia sorts the keys, and js-yaml quotes a `y`. */
const seeds: Record<CmsEditor['name'], string> = {
  decap: `hero:
  id: 4711
  alt: The old quay
  crop:
    x: 10
    y: 20
    width: 300
    height: 200
preset:
  id: 4714
  alt: ""
card:
  image:
    id: 4712
    alt: ""
  text: A card
gallery:
  - image:
      id: 4713
      alt: A schooner
    note: First
`,
  sveltia: `hero:
  alt: The old quay
  crop:
    height: 200
    width: 300
    x: 10
    y: 20
  id: 4711
preset:
  alt: ''
  id: 4714
card:
  text: A card
  image:
    alt: ''
    id: 4712
gallery:
  - note: First
    image:
      alt: A schooner
      id: 4713
`,
  keystatic: `hero:
  id: 4711
  alt: The old quay
  crop:
    x: 10
    'y': 20
    width: 300
    height: 200
card:
  image:
    id: 4712
    alt: ''
  text: A card
gallery:
  - image:
      id: 4713
      alt: A schooner
    note: First
`,
};

const markdown = `![An old \\[quay\\]](media:4711?crop=10,20,300,200)

Inline ![small](media:4712) image, and ![plain](/images/a.svg).
`;
const markdoc = `{% mediaAsset image={id: 4711, alt: "An old [quay]"} /%}

Inline image, and ![plain](/images/a.svg).
`;

/** The text of each value. */
const valuesIn = (seed: string) => seed.split(/^(?=\w)/m);

type ActiveElement = Readonly<Record<'textContent' | 'localName', string>>;

const bodies = { decap: markdown, sveltia: markdown, keystatic: markdoc };

describeCms('the picker', () => {
  const browser = useBrowser();
  const setup = useSite('cms');
  let server: DevServer;
  let files: DecapServer;
  let example: Site;
  let named: Readonly<Record<string, string>>;

  beforeAll(async () => {
    example = await copyExample('keystatic', await mkdtemp(join(tmpdir(), 'example-')));
    named = JSON.parse(await example.read('package.json')).dependencies;
    for (const site of [setup.site, example]) await useCmsPackages(site);
    files = await startDecapServer(setup.site);
    await setup.site.edit('public/admin/decap.yml', '8081', files.port);
    server = await startDevServer(setup);
  });

  afterAll(async () => {
    await server?.stop();
    await files?.stop();
    await example.delete();
  });

  afterEach(() => {
    // Decap's preview gives the addresses of images to the browser, and it rejects an invalid entry.
    const known = /UNKNOWN_URL_SCHEME media:\d|^exception: Uncaught \(in promise\) undefined$/;
    const isUnknown = (problem: string) => !known.test(problem);
    expect(browser.problems().filter(isUnknown)).toEqual([]);
  });

  const open = (viewport = { width: 1500, height: 1100 }): Promise<Page> =>
    browser.open({ baseURL: server.url, viewport });

  const entryOf = ({ name }: CmsEditor, slug: string) => ({
    slug,
    text: `---\ntitle: ${slug}\n${seeds[name]}---\nHello.\n\n${bodies[name]}`,
  });

  const readEntry = (text: string) => {
    const [, data = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
    return { text: data, data: parseYaml(data) as Record<string, unknown>, body };
  };

  describe.each([decap, sveltia, keystatic])('in $name', (cms) => {
    const saved = async (page: Page, path: string, has: string) =>
      readEntry(await savedText(cms, { page, site: setup.site, path, has }));

    test('has nothing to save in an entry that is only opened, and leaves all images under a new title', async () => {
      const page = await open();
      await cms.openEntry(page, setup.site, entryOf(cms, 'opened'));
      await cms.unchanged(page).waitFor();
      await page.getByRole('textbox').first().fill('Another title');
      const { text, data, body } = await saved(page, 'posts/opened', 'Another title');
      expect(data.title).toBe('Another title');
      for (const value of valuesIn(seeds[cms.name])) expect(`${text}\n`).toContain(value);
      expect(body.trim()).toBe(`Hello.\n\n${bodies[cms.name].trim()}`);
    });

    test('adds an image to the body, and leaves all else as it is', async () => {
      const page = await open();
      await cms.openEntry(page, setup.site, entryOf(cms, 'kept'));
      await choose(await cms.insertImage(page), { id: 4713, alt: 'A [new] *one*' });
      await cms.endInsert(page);
      const { text, body } = await saved(page, 'posts/kept', 'new');
      for (const value of valuesIn(seeds[cms.name])) expect(`${text}\n`).toContain(value);
      const added =
        cms === keystatic
          ? '{% mediaAsset image={id: 4713, alt: "A [new] *one*"} /%}'
          : '![A \\[new\\] \\*one\\*](media:4713)';
      expect(body.trim()).toBe(`Hello.\n\n${added}\n\n${bodies[cms.name].trim()}`);
    });

    test('saves an image with its crop, another without the old crop, and none', async () => {
      const page = await open();
      await cms.openEntry(page, setup.site, entryOf(cms, 'changed'));
      await choose(fieldOf(page, 'Hero'), { id: 4714, alt: 'The tower' });
      const crop = [40, 30, 320, 240];
      await choose(fieldOf(page, 'Teaser'), { id: 4712, alt: 'A "quay" # yes', crop });
      await fieldOf(page, 'Card image').getByRole('button', { name: 'Remove' }).click();

      // In a list, which Keystatic opens in a modal of its own.
      await cms.openItem(page);
      const item = fieldOf(page, 'Gallery image');
      await item.getByRole('button', { name: 'Change' }).click();
      const alt = item.getByRole('textbox', { name: 'Alt text' });
      await alt.fill('');
      await alt.pressSequentially('Sails /?');
      expect(await alt.inputValue()).toBe('Sails /?');
      await page.keyboard.press('Escape');
      await closed(item);
      expect(await item.isVisible()).toBe(true);
      await choose(item, { id: 4711, alt: 'In a list' });
      await cms.closeItem(page);

      const { data } = await saved(page, 'posts/changed', 'In a list');
      const [x, y, width, height] = crop;
      expect(data).toMatchObject({
        hero: { id: 4714, alt: 'The tower' },
        teaser: { id: 4712, alt: 'A "quay" # yes', crop: { x, y, width, height } },
        gallery: [{ image: { id: 4711, alt: 'In a list' }, note: 'First' }],
      });
      expect(data.hero).not.toHaveProperty('crop');
      expect((data.card as { image?: unknown }).image ?? null).toBeNull();
      await page.goto('about:blank');
      await cms.reopen(page, 'changed');
      await expect.poll(() => valuesOf(page)).toMatchObject({ Hero: { id: 4714 } });
      expect((await valuesOf(page))['Card image']).toBeUndefined();
    });

    test('leads by keyboard alone from a field in a list to a saved crop', async () => {
      const page = await open();
      await cms.openEntry(page, setup.site, entryOf(cms, 'keyboard'));
      await cms.openItem(page);
      const item = fieldOf(page, 'Gallery image');
      const focused = () =>
        item.evaluate((one: { shadowRoot: { activeElement: ActiveElement | null } }) => {
          const { activeElement: active } = one.shadowRoot;
          return active?.textContent || active?.localName;
        });
      const accessible = async () =>
        expect(await axeViolationsInBothSchemes(page, 'media-asset-field')).toEqual([]);
      await item.getByText('ship').waitFor();
      await accessible();
      await item.getByRole('button', { name: 'Change' }).focus();
      await page.keyboard.press('Enter');
      await expect.poll(focused).toBe('input');
      await accessible();
      for (let count = 0; count < 3; count += 1) await page.keyboard.press('Tab');
      expect(await focused()).toBe('Crop');
      await page.keyboard.press('Enter');
      await item.getByRole('application').waitFor();
      await accessible();
      // From the right, by ten pixels.
      await page.keyboard.press('Alt+Shift+ArrowLeft');
      await page.keyboard.press('Enter');
      await item.getByText('The crop is set.').waitFor();
      await page.keyboard.press('Shift+Tab');
      expect(await focused()).toBe('Use this image');
      await page.keyboard.press('Enter');
      await closed(item);
      expect(await focused()).toBe('Change');
      await cms.closeItem(page);
      const { data } = await saved(page, 'posts/keyboard', 'width: 470');
      const crop = { x: 0, y: 0, width: 470, height: 640 };
      expect(data.gallery).toEqual([
        { image: { id: 4713, alt: 'A schooner', crop }, note: 'First' },
      ]);
    });

    test('asks for a required image, and starts with the default', async () => {
      const page = await open();
      await cms.openNew(page, 'posts');
      if (cms !== keystatic)
        await expect
          .poll(async () => (await valuesOf(page)).Preset)
          .toEqual({ id: 4713, alt: 'By default' });
      expect((await valuesOf(page)).Hero).toBeUndefined();
      await page.getByRole('textbox').first().fill('Second');
      await cms.save(page);
      const missing = cms === keystatic ? 'Hero is required' : 'Choose an image.';
      await page.getByText(missing).first().waitFor();
      await choose(fieldOf(page, 'Hero'), { id: 4711, alt: 'Chosen' });
      expect((await saved(page, 'posts/second', 'Chosen')).data).toMatchObject({
        title: 'Second',
        hero: { id: 4711, alt: 'Chosen' },
      });
    });
  });

  test('Decap asks for a required image in an object and in a list item', async () => {
    const page = await open();
    await decap.openNew(page, 'required');
    const path = 'required/inside';
    await page.getByRole('textbox').first().fill('Inside');
    await page.getByRole('button', { name: /^Add gallery$/i }).click();
    await fieldOf(page, 'Gallery image').waitFor();
    await decap.save(page);
    const missing = page.getByText('Choose an image.');
    await expect.poll(() => missing.count()).toBe(2);
    await choose(fieldOf(page, 'Gallery image'), { id: 4712, alt: 'In a list' });
    await decap.save(page);
    await expect.poll(() => missing.count()).toBe(1);
    await expect(decap.read(page, setup.site, path)).rejects.toThrow('ENOENT');
    await choose(fieldOf(page, 'Card image'), { id: 4711, alt: 'In an object' });
    const text = await savedText(decap, { page, site: setup.site, path, has: 'In an object' });
    expect(readEntry(text).data).toMatchObject({
      card: { image: { id: 4711, alt: 'In an object' } },
      gallery: [{ image: { id: 4712, alt: 'In a list' } }],
    });
  });

  test('Decap keeps languages apart, and duplicates', async () => {
    const cms = decap;
    const page = await open();
    await cms.openNew(page, 'intl');
    await page.getByRole('textbox').first().fill('Both');
    await choose(fieldOf(page, 'Hero', 'en'), { id: 4711, alt: 'The harbour' });
    await choose(fieldOf(page, 'Hero', 'de'), { id: 4712, alt: 'Der Kai' });
    await choose(fieldOf(page, 'Same', 'en'), { id: 4713, alt: 'A schooner' });
    const path = 'intl/both';
    await savedText(cms, { page, site: setup.site, path: `${path}.de`, has: 'A schooner' });
    for (const [language, hero] of [
      ['en', { id: 4711, alt: 'The harbour' }],
      ['de', { id: 4712, alt: 'Der Kai' }],
    ] as const) {
      const read = () => cms.read(page, setup.site, `${path}.${language}`);
      await expect
        .poll(async () => readEntry(await read()).data)
        .toMatchObject({ hero, same: { id: 4713, alt: 'A schooner' } });
    }
  });

  test.each([decap, sveltia])("$name's preview shows the crop of a field's image", async (cms) => {
    const page = await open({ width: 1900, height: 1100 });
    await cms.openEntry(page, setup.site, entryOf(cms, 'field-previewed'));
    const preview = cms === decap ? page.frameLocator('#preview-pane') : page;
    const image = preview.locator('img[alt="The old quay"]').first();
    const shape = async () => {
      const { width, height } = (await image.boundingBox()) ?? { width: 0, height: 1 };
      return width / height;
    };
    await expect.poll(shape).toBeCloseTo(300 / 200, 2);
  });

  test("Decap's preview shows the crop of an image in the body, and keeps it while a title is typed", async () => {
    const page = await open();
    await decap.openEntry(page, setup.site, entryOf(decap, 'previewed'));
    const image = page.frameLocator('#preview-pane').getByAltText('An old [quay]');
    const shape = async () => {
      const { width, height } = (await image.boundingBox()) ?? { width: 0, height: 1 };
      return width / height;
    };
    await expect.poll(shape).toBeCloseTo(300 / 200, 2);
    const src = await image.getAttribute('src');
    await page.getByRole('textbox').first().fill('Another title');
    await page.frameLocator('#preview-pane').getByText('Another title').waitFor();
    expect(await image.getAttribute('src')).toBe(src);
    expect(await shape()).toBeCloseTo(300 / 200, 2);
  });

  test('what the CMSs have saved is shown by the site', async () => {
    await outputOf(setup.build());
    for (const { name } of [decap, sveltia, keystatic]) {
      const page = await setup.site.read(`dist/${name}/changed/index.html`);
      expect(page.match(/data-media-asset="\d+"/g)).toContain('data-media-asset="4714"');
      const image = /<img[^>]*alt="A &quot;quay&quot; # yes"[^>]*>/.exec(page)?.[0] ?? '';
      const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(image) ?? [];
      expect(Number(width) / Number(height), image).toBeCloseTo(320 / 240, 2);
    }
  });

  describe('examples/keystatic', () => {
    test('names the packages that it is tested with', () => {
      const ours = { [manifest.name]: `^${manifest.version}` };
      expect({ ...packages.dependencies, ...ours }).toMatchObject(named);
    });

    test('builds with the service that its config starts, and reports to it', async () => {
      const output = await outputOf(example.build());
      expect(output).toContain('2 scanned');
      expect(output).toContain('3 reported, 0 removed');
      expect(output).not.toMatch(/\[ERROR\]|\[WARN\] \[media-asset\]/);
      expect(await example.read('dist/quay/index.html')).toContain('alt="A schooner under sail"');
    });
  });
});
