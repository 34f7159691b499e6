/** @module-tag slow */
import { beforeAll, describe, expect, test } from 'vitest';
import { emulatorClient } from '../../assets/open-images.ts';
import { findInFiles } from '../../support/process/find-in-files.ts';
import { startDevServer } from '../../support/site/dev-server.ts';
import { astroConfig, astroPage, twoLanguages } from '../../support/site/site-files.ts';
import { outputOf, useSite } from '../../support/site/site-with-service.ts';

const options = `{
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
}`;
const config = astroConfig(options, twoLanguages);

const pageWith = (title: string, ids: readonly number[]) => {
  const images = ids.map((id) => `<MediaAsset id={${id}} alt="" width={80} />`);
  return astroPage(images.join(''), { title: `{${JSON.stringify(title)}}` });
};

const creditsPage = (props = '') =>
  astroPage(`<h1>Credits</h1><MediaCredits class="credits" ${props} />`, { title: 'Credits' });

const setup = useSite('bare');
/** They depend on our code alone. Other tests show dev servers, places of calls and built lists on each major. */
const onAnyAstro = { tags: ['any-astro'] };

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
  await setup.site.write('src/pages/a-credits.astro', creditsPage());
  await setup.site.write('src/pages/de/a-credits.astro', creditsPage());
  await setup.site.write('src/pages/index.astro', pageWith('Harbour', [4712, 4711]));
  await setup.site.write('src/pages/quay.astro', pageWith(`${hostile}\u001b`, [4711]));
  await setup.site.write('src/pages/hidden/draft.astro', pageWith('Draft', [4713]));
  const service = emulatorClient(setup.emulator);
  await service.files.update(4711, {
    ...{ text_en: 'The harbour & <quay>', text_de: 'Der Hafen' },
    ...{ photographer: `${hostile}\u001b`, licence: 'https://licence.example/by?a="b"&c' },
  });
  await service.files.update(4712, { origin: 'trainedAlgorithmicMedia' });
  await outputOf(setup.build());
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

test('an unknown prop fails the build, and names the page', onAnyAstro, async () => {
  await setup.site.write('src/pages/wrong.astro', creditsPage('thumbnail={64}'));
  const output = await outputOf(setup.build(), 1);
  await setup.site.remove('src/pages/wrong.astro');
  expect(output).toMatch(/`thumbnail` on <MediaCredits> on \/wrong.*src\/pages\/wrong\.astro/);
});

test(
  "an asset that only a page's HTML names is listed without a download; a hidden one isn't, and minified pages are filled",
  onAnyAstro,
  async () => {
    const minified = '<ul class=credits><li data-media-asset-credits=0 lang=de></ul>';
    await setup.site.write('public/minified.html', minified);
    const named = '<title>Elsewhere</title><p data-media-asset=4712><video data-media-asset=4714>';
    await setup.site.write('public/named.html', named);
    const rule = `rights: {
    fields: ['consent'],
    optional: ['consent'],
    read: ({ consent }) => ({ state: consent ?? 'allowed' }),
    forbidden: 'hide',
  }, report:`;
    await setup.site.edit('astro.config.mjs', 'report:', rule);
    const { files } = emulatorClient(setup.emulator);
    await files.update(4712, { consent: 'forbidden' });
    setup.requests();
    await outputOf(setup.build());
    await setup.site.remove('public');
    await setup.site.write('astro.config.mjs', config);
    const list = await items('a-credits');
    expect([...list.keys()]).toEqual([4711, 4713, 4714]);
    expect(list.get(4714)).toContain('<a href="/named.html">Elsewhere</a>');
    const paths = setup.requests().map(({ path }) => path);
    expect(paths.filter((path) => path.includes('/4714/download'))).toEqual([]);
    const html = await setup.site.read('dist/minified.html');
    expect(html).toMatch(/^<ul class=credits><li id="media-credit-4711">.*Der Hafen.*<\/ul>$/);
  },
);

test('a list of credits needs records', onAnyAstro, async () => {
  await setup.site.edit('astro.config.mjs', /record: \{.*?\n {2}\},\n/s, '');
  expect(await outputOf(setup.build(), 1)).toContain('record-unread');
  await setup.site.write('astro.config.mjs', config);
});

test('in dev, a note says that a build fills in the list', onAnyAstro, async () => {
  const server = await startDevServer(setup);
  const html = await (await fetch(`${server.url}/a-credits`)).text();
  await server.stop();
  expect(html).toContain('`astro build` lists');
});
