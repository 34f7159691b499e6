/** @module-tag slow */
import { beforeAll, describe, expect, test } from 'vitest';
import { emulatorClient } from '../../assets/open-images.ts';
import { findInFiles } from '../../support/process/find-in-files.ts';
import { startDevServer } from '../../support/site/dev-server.ts';
import { useSite } from '../../support/site/site-with-service.ts';

const config = `
import { defineConfig } from 'astro/config';
import mediaAsset from 'astro-media-asset';

export default defineConfig({
  site: 'https://harbour.example',
  i18n: { locales: ['en', 'de'], defaultLocale: 'en' },
  integrations: [
    mediaAsset({
      record: {
        fields: ['text_en', 'text_de', 'photographer', 'licence', 'origin'],
        read: (fields, { locale }) => ({
          alt: fields['text_' + locale] ?? '',
          credit: fields.photographer && 'Photo: ' + fields.photographer,
          creator: fields.photographer,
          license: fields.licence,
          source: fields.origin,
        }),
      },
      sourceLabels: { trainedAlgorithmicMedia: { en: 'AI-generated', de: 'KI-generiert' } },
      report: { when: 'always', exclude: ['/hidden/**'] },
    }),
  ],
});
`;

const pageWith = (title: string, ids: readonly number[]) => `---
import { MediaAsset } from 'astro-media-asset/components';
---
<html lang="en">
  <head><title>{${JSON.stringify(title)}}</title></head>
  <body>${ids.map((id) => `<MediaAsset id={${id}} alt="" width={80} />`).join('')}</body>
</html>
`;

const creditsPage = (props: string) => `---
import { MediaCredits } from 'astro-media-asset/components';
---
<html lang="en">
  <head><title>Credits</title></head>
  <body><h1>Credits</h1><MediaCredits class="credits" ${props} /></body>
</html>
`;

const setup = useSite('bare');
const hostile = '</li><script>alert("1")</script>';

/** The items of a list, by asset. */
async function items(page: string): Promise<Map<number, string>> {
  const html = await setup.site.read(`dist/${page}/index.html`);
  const [, list = ''] = /<ul class="credits">(.*?)<\/ul>/s.exec(html) ?? [];
  const found = list.matchAll(/<li id="media-credit-(\d+)">(.*?)<\/li>/gs);
  return new Map(Array.from(found, ([, id, item = '']) => [Number(id), item]));
}

beforeAll(async () => {
  await setup.site.write('astro.config.mjs', config);
  // Astro renders pages in this order: the list comes first.
  await setup.site.write('src/pages/a-credits.astro', creditsPage(''));
  await setup.site.write('src/pages/de/a-credits.astro', creditsPage(''));
  await setup.site.write('src/pages/index.astro', pageWith('Harbour', [4712, 4711]));
  await setup.site.write('src/pages/quay.astro', pageWith(hostile, [4711]));
  await setup.site.write('src/pages/hidden/draft.astro', pageWith('Draft', [4713]));
  const service = emulatorClient(setup.emulator);
  await service.files.update(4711, {
    ...{ text_en: 'The harbour & <quay>', text_de: 'Der Hafen' },
    ...{ photographer: hostile, licence: 'https://licence.example/by?a="b"&c' },
  });
  await service.files.update(4712, { origin: 'trainedAlgorithmicMedia' });
  const { exitCode, output } = await setup.build();
  expect(exitCode, output).toBe(0);
}, 120_000);

describe('a list of credits', () => {
  test('has each asset of the site once, also of pages that are rendered later or not reported', async () => {
    expect([...(await items('a-credits')).keys()]).toEqual([4711, 4712, 4713]);
  });

  test('names the asset, its credit with the license, and its pages', async () => {
    const escaped = '&lt;/li&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;';
    const list = await items('a-credits');
    expect(list.get(4711)).toBe(
      `<strong>The harbour &amp; &lt;quay&gt;</strong> <span><a href="https://licence.example/by?a=&quot;b&quot;&amp;c" rel="license">Photo: ${escaped}</a></span> <small><a href="/">Harbour</a>, <a href="/quay/">${escaped}</a></small>`,
    );
    expect(list.get(4712)).toBe(
      '<strong>quay</strong> <span data-media-asset-label="4712">AI-generated</span> <small><a href="/">Harbour</a></small>',
    );
  });

  test("has the page's language", async () => {
    const list = await items('de/a-credits');
    expect(list.get(4711)).toContain('<strong>Der Hafen</strong>');
    expect(list.get(4712)).toContain('KI-generiert');
  });

  test("isn't a usage of what it lists", () => {
    expect(setup.pairs().filter((pair) => pair.includes('credits'))).toEqual([]);
    expect(setup.pairs()).toHaveLength(3);
  });

  test('leaves no placeholder', async () => {
    expect(await findInFiles(setup.site.dist, 'data-media-asset-credits')).toEqual([]);
  });
});

test('thumbnails are published, and are usages of their page', async () => {
  await setup.site.write('src/pages/thumbnails.astro', creditsPage('thumbnail={64}'));
  const { exitCode, output } = await setup.build();
  expect(exitCode, output).toBe(0);
  const list = await items('thumbnails');
  expect([...list.keys()]).toEqual([4711, 4712, 4713]);
  for (const [id, item] of list) {
    const [, src = ''] =
      /<img src="([^"]+)" srcset="[^"]+" width="64" height="\d+" alt=""/.exec(item) ?? [];
    expect(src).toContain(`/${id}-`);
    expect(await setup.site.files(`dist${src}`)).toHaveLength(1);
    expect(setup.pairs()).toContain(`${id} https://harbour.example/thumbnails/`);
  }
  await setup.site.remove('src/pages/thumbnails.astro');
});

test('a wrong width of thumbnails fails the build, and names the page', async () => {
  await setup.site.write('src/pages/wrong.astro', creditsPage('thumbnail={-3}'));
  const { exitCode, output } = await setup.build();
  await setup.site.remove('src/pages/wrong.astro');
  expect(exitCode).toBe(1);
  expect(output).toMatch(/\/wrong.*width/);
});

test('a wrong prop fails the build', async () => {
  await setup.site.write('src/pages/wrong.astro', creditsPage('thumbnails={64}'));
  const { exitCode, output } = await setup.build();
  await setup.site.remove('src/pages/wrong.astro');
  expect(exitCode).toBe(1);
  expect(output).toMatch(/`thumbnails` on <MediaCredits> on \/wrong.*src\/pages\/wrong\.astro/);
});

test('an asset that no page gets from the service is listed without a download', async () => {
  const page = pageWith('Elsewhere', []).replace(
    '<body>',
    '<body><video data-media-asset="4714" />',
  );
  await setup.site.write('src/pages/elsewhere.astro', page);
  setup.requests();
  const { exitCode, output } = await setup.build();
  await setup.site.remove('src/pages/elsewhere.astro');
  expect(exitCode, output).toBe(0);
  expect((await items('a-credits')).get(4714)).toContain('<a href="/elsewhere/">Elsewhere</a>');
  const downloads = setup.requests().filter(({ path }) => path.includes('/4714/download'));
  expect(downloads).toEqual([]);
});

test("a hidden asset isn't named, also if a page names its ID, and minified pages are filled", async () => {
  const minified = '<ul class=credits><li data-media-asset-credits=0 lang=de></ul>';
  await setup.site.write('public/minified.html', minified);
  await setup.site.write('public/named.html', '<p data-media-asset=4712>No image');
  await setup.site.edit('astro.config.mjs', 'alt: fields', 'rights: fields.consent, alt: fields');
  await setup.site.edit('astro.config.mjs', "'origin']", "'origin', 'consent']");
  await setup.site.edit(
    'astro.config.mjs',
    'sourceLabels:',
    "rights: { forbidden: 'hide' }, sourceLabels:",
  );
  const { files } = emulatorClient(setup.emulator);
  await files.update(4712, { consent: 'forbidden' });
  const { exitCode, output } = await setup.build();
  await setup.site.remove('public/minified.html');
  await setup.site.remove('public/named.html');
  await setup.site.write('astro.config.mjs', config);
  await files.update(4712, { consent: null });
  expect(exitCode, output).toBe(0);
  expect([...(await items('a-credits')).keys()]).toEqual([4711, 4713]);
  const html = await setup.site.read('dist/minified.html');
  expect(html).toMatch(/^<ul class=credits><li id="media-credit-4711">.*Der Hafen.*<\/ul>$/);
});

test('a list of credits needs records', async () => {
  await setup.site.edit('astro.config.mjs', /record: \{.*?\n {6}\},\n/s, '');
  const { exitCode, output } = await setup.build();
  await setup.site.write('astro.config.mjs', config);
  expect(exitCode).toBe(1);
  expect(output).toContain('record-unread');
});

test('in dev, a note says that a build fills in the list', async () => {
  const server = await startDevServer(setup);
  const html = await (await fetch(`${server.url}/a-credits`)).text();
  await server.stop();
  expect(html).toContain('`astro build` lists');
});
