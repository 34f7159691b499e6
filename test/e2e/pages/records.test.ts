/**
 * @module-tag any-astro
 * @module-tag slow
 */
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { emulatorClient } from '../../assets/open-images.ts';
import { findInFiles } from '../../support/process/find-in-files.ts';
import { startDevServer } from '../../support/site/dev-server.ts';
import { astroConfig, astroPage, twoLanguages } from '../../support/site/site-files.ts';
import { outputOf, useSite } from '../../support/site/site-with-service.ts';

const config = (forbidden: string, settings: string) =>
  astroConfig(
    `{
  record: {
    fields: ['text_en', 'text_de', 'photographer', 'licence', 'origin'],
    read: (fields, { locale }) => ({
      alt: fields['text_' + locale],
      credit: fields.photographer && 'Photo: ' + fields.photographer,
      creator: fields.photographer,
      license: fields.licence,
      source: fields.origin,
    }),
  },
  sourceLabels: { trainedAlgorithmicMedia: { en: 'AI-generated', de: 'KI-generiert' } },
  rights: {
    fields: ['consent', 'licenceTo'],
    optional: ['consent', 'licenceTo'],
    read: ({ consent, licenceTo }) => ({
      state: consent === 'no' ? 'forbidden' : 'allowed',
      until: licenceTo,
    }),
    ${forbidden}
  },
}`,
    settings,
  );

const page = `---
import { MediaAsset, getMediaAsset } from 'astro-media-asset/components';
const harbour = await getMediaAsset({ id: 4711, page: '/' });
const article = { '@type': 'Article', image: harbour.available ? harbour.url : undefined };
---
<!doctype html>
<html lang="en">
  <head>
    <title>Harbour</title>
    {harbour.available && <meta property="og:image" content={harbour.url} />}
    <script is:inline type="application/ld+json" set:html={JSON.stringify(article)} />
  </head>
  <body style={harbour.available ? \`background: url(\${harbour.src})\` : undefined}>
    <MediaAsset id={4711} class="harbour" />
    <MediaAsset id={4712} class="quay" />
  </body>
</html>
`;

const feed = `import { getMediaAsset } from 'astro-media-asset/components';

export async function GET() {
  const harbour = await getMediaAsset({ id: 4711, page: '/feed.xml' });
  const image = harbour.available ? '<enclosure url="' + harbour.url + '"/>' : '';
  return new Response('<rss><channel>' + image + '</channel></rss>');
}
`;

const setup = useSite('bare');

beforeAll(async () => {
  await setup.site.write('src/pages/index.astro', page);
  await setup.site.write('src/pages/de/index.astro', page);
  await setup.site.write('src/pages/feed.xml.ts', feed);
  await setup.site.write('src/pages/de/notes.md', '# Notizen\n\n![](media:4712)\n');
  const service = emulatorClient(setup.emulator);
  await service.files.update(4711, { text_en: 'The harbour', text_de: 'Der Hafen' });
  await service.files.update(4712, { text_en: 'The quay', text_de: 'Der Kai' });
}, 120_000);

async function build(forbidden = '', settings = '') {
  await setup.site.write('astro.config.mjs', config(forbidden, twoLanguages + settings));
  return setup.build();
}

describe('the record of an asset', () => {
  const credited = `<figure>
  <MediaAsset id={4711} structuredData />
  <figcaption><MediaCredit id={4711} class="credit" /></figcaption>
</figure>
<p><MediaCredit id={4712} class="none" /></p>
<p><MediaCredit id={4713} class="label" lang="de" /></p>
<MediaAsset id={4712} structuredData />`;
  let html: string;

  beforeAll(async () => {
    await emulatorClient(setup.emulator).files.update(4711, {
      photographer: 'Ada </script> Holm',
      licence: 'https://licence.example/by',
      origin: 'trainedAlgorithmicMedia',
    });
    await emulatorClient(setup.emulator).files.update(4713, { origin: 'trainedAlgorithmicMedia' });
    await setup.site.write('src/pages/credits.astro', astroPage(credited));
    await outputOf(build());
    html = await setup.site.read('dist/credits/index.html');
  });

  test('has the alt texts for pages and Markdown in two languages', async () => {
    const harbour = (alt: string) => new RegExp(`alt="${alt}"[^>]*class="harbour"`);
    expect(await setup.site.read('dist/index.html')).toMatch(harbour('The harbour'));
    expect(await setup.site.read('dist/de/index.html')).toMatch(harbour('Der Hafen'));
    expect(await setup.site.read('dist/de/notes/index.html')).toContain('alt="Der Kai"');
  });

  test('has a credit that links to the license, with a label, and nothing if there is neither', () => {
    expect(html).toMatch(
      /<span class="credit">\s*<a href="https:\/\/licence.example\/by" rel="license">\s*Photo: Ada &lt;\/script&gt; Holm\s*<\/a>\s*<span data-media-asset-label="4711">AI-generated<\/span>\s*<\/span>/,
    );
    expect(html).toMatch(
      /<span class="label" lang="de">\s*<span data-media-asset-label="4713">KI-generiert<\/span>\s*<\/span>/,
    );
    expect(html).not.toContain('class="none"');
  });

  test('is also structured data with what search engines need for a licensable image', () => {
    const scripts = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
    expect(scripts).toHaveLength(1);
    expect(JSON.parse(scripts[0]?.[1] ?? '')).toEqual({
      '@context': 'https://schema.org',
      '@type': 'ImageObject',
      contentUrl: expect.stringMatching(
        /^https:\/\/harbour\.example\/_astro\/media-asset\/4711-[\w-]+\.webp$/,
      ),
      creator: { '@type': 'Person', name: 'Ada </script> Holm' },
      creditText: 'Photo: Ada </script> Holm',
      license: 'https://licence.example/by',
      digitalSourceType: 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia',
    });
  });
});

describe('an asset whose consent was withdrawn', () => {
  beforeAll(async () => {
    await emulatorClient(setup.emulator).files.update(4711, { consent: 'no' });
  });

  test('only warns if the site says so, and else fails the build, which leaves none of its files even if the output is never emptied', async () => {
    // A page of the site is next to our files.
    await setup.site.write('src/pages/pictures/media-asset/quay.astro', '<title>Quay</title>');
    const settings = `build: { assets: 'pictures' }, vite: { build: { emptyOutDir: false } },`;
    await setup.site.remove('dist');
    const first = await outputOf(build("forbidden: 'warn',", settings));
    expect(first).toMatch(/shows forbidden asset 4711 on/);
    expect(setup.pairs().filter((pair) => pair.startsWith('4711 '))).not.toEqual([]);
    expect(await setup.site.files('dist/pictures/media-asset/4711-*')).not.toEqual([]);
    const output = await outputOf(build('', settings), 1);
    expect(output).toContain('asset-forbidden');
    expect(output).toMatch(/may not show asset 4711 on \/[^\n]*, \/de\/[^\n]*, \/feed\.xml/);
    expect(await setup.site.files('dist/**/4711-*')).toEqual([]);
    expect(await setup.site.files('dist/pictures/media-asset/quay/*')).not.toEqual([]);
    await setup.site.remove('src/pages/pictures');
    await setup.site.remove('dist');
  });

  test('with `hide`, leaves no byte and no address, and its usages are removed', async () => {
    await outputOf(build("forbidden: 'hide',"));
    expect(await setup.site.files('dist/**/4711-*')).toEqual([]);
    expect(await findInFiles(setup.site.dist, 'media-asset/4711-')).toEqual([]);
    expect(await findInFiles(setup.site.dist, 'file/4711/')).toEqual([]);
    expect(await setup.site.read('dist/index.html')).toContain(
      'data-media-asset-unavailable="4711"',
    );
    expect(await setup.site.files('dist/**/4712-*')).not.toEqual([]);
    expect(setup.pairs().filter((pair) => pair.startsWith('4711 '))).toEqual([]);
  });

  test('is shown in dev, where the toolbar names it', async () => {
    await setup.site.write('astro.config.mjs', config('', twoLanguages));
    const dev = await startDevServer(setup);
    onTestFinished(() => dev.stop());
    const html = await (await fetch(`${dev.url}/de/`)).text();
    const shown = /data-media-asset-toolbar="([^"]*)"[^>]*class="harbour"/.exec(html)?.[1] ?? '';
    expect(JSON.parse(shown.replaceAll('&#34;', '"').replaceAll('&quot;', '"'))).toMatchObject({
      record: { alt: 'Der Hafen', rights: 'forbidden' },
      problems: ['The site may not show this asset.'],
    });
  });
});
