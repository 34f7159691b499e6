/** @module-tag slow */
import { beforeAll, describe, expect, test } from 'vitest';
import { emulatorClient } from '../../assets/open-images.ts';
import { drawMp4, drawPdf } from '../../support/images/test-files.ts';
import { astroConfig, astroPage } from '../../support/site/site-files.ts';
import { outputOf, useSite } from '../../support/site/site-with-service.ts';

const video = drawMp4({ width: 320, height: 180 });
const languages = ['de', 'en', 'it'] as const;
type Language = (typeof languages)[number];
const files = Object.fromEntries(
  languages.flatMap((language) => [
    [`x-${language}.mp4`, Buffer.concat([video, Buffer.from(language)])],
    [`y-${language}.pdf`, drawPdf(`Report ${language}`)],
  ]),
);
const setup = useSite('bare', { files });

/** The assets that one language forbids. */
const images = { de: 4711, en: 4712, it: 4713 };
const videos = { de: 4715, en: 4716, it: 4717 };
const reports = { de: 4718, en: 4719, it: 4720 };
const all = [images, videos, reports].flatMap((ids) => Object.entries(ids));

const config = (forbidden: string, settings = '') =>
  astroConfig(
    `{
  record: {
    fields: ['name'],
    read: (_, { locale }) => ({ alt: 'in ' + locale, credit: 'credit in ' + locale }),
  },
  rights: {
    fields: ['notIn'],
    optional: ['notIn'],
    read: ({ notIn }, { language }) => ({ state: notIn === language ? 'forbidden' : 'allowed' }),
    forbidden: '${forbidden}',
  },
}`,
    `site: 'https://harbour.example', base: '/docs',
  i18n: { locales: ['en', { path: 'german', codes: ['de'] }, 'it'], defaultLocale: 'en', ${settings} },`,
  );

/** Each way to show an asset, for each of these assets. */
const ways: Record<string, [ids: Record<Language, number>, code: string]> = {
  image: [images, '<MediaAsset id={ID} />'],
  'image with a language': [images, '<MediaAsset id={ID} lang="it" />'],
  video: [videos, '<MediaVideo id={ID} lang="it" />'],
  poster: [images, '<MediaVideo id={allowed} poster={ID} lang="it" />'],
  credit: [images, '<MediaCredit id={ID} lang="it" data-of={ID} />'],
  file: [reports, '<MediaFile id={ID} lang="it" />'],
  function: [images, 'ASK({ id: ID, page })'],
  'function with a locale': [images, "ASK({ id: ID, page, locale: 'it' })"],
  'function for a file': [reports, "ASK_FILE({ id: ID, page, locale: 'it' })"],
};

const functions = `const page = Astro.url.pathname;
const allowed = page.includes('german') ? 4717 : 4715;
const data = async (work) => JSON.stringify(await work);`;

const body = Object.entries(ways)
  .flatMap(([way, [ids, code]]) =>
    languages.map((language) => {
      const id = String(ids[language]);
      const shown = code
        .replaceAll('ID', id)
        .replace(/^ASK\((.*)\)$/, '<p data-json={await data(getMediaAsset($1))} />')
        .replace(/^ASK_FILE\((.*)\)$/, '<p data-json={await data(getMediaFile($1))} />')
        .replace('ASK_FILE', 'getMediaFile');
      return `<section id="${way} ${language}">${shown}</section>`;
    }),
  )
  .join('\n');

const endpoint = (call: string) => `import { getMediaAsset } from 'astro-media-asset/components';
export async function GET() {
  const ids = ${JSON.stringify(Object.values(images))};
  const assets = await Promise.all(ids.map((id) => getMediaAsset(${call})));
  return new Response(JSON.stringify(assets.map((one) => one.available && one.url)));
}
`;

const CALL = (request: string) =>
  astroPage('<p data-json={JSON.stringify(assets)} />', {
    script: `const page = Astro.url.pathname;
const ids = ${JSON.stringify(Object.values(images))};
const assets = await Promise.all(ids.map((id) => getMediaAsset(${request})));`,
  });
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: code of pages
const STYLE = (request: string) =>
  CALL(request).replace(
    /<p .*?\/>/s,
    '{assets.map(({ src }) => <p style={`background-image: url(${src})`} />)}',
  );
const sheet = endpoint('{ id }').replace(
  'JSON.stringify(assets.map((one) => one.available && one.url))',
  "assets.map(({ src }) => `p { background: url(${src}) }`).join('')",
);

// biome-ignore-end lint/suspicious/noTemplateCurlyInString: code of pages

const layout = astroPage(
  '{Astro.props.frontmatter.ids.map((id) => <MediaAsset id={id} />)}<slot />',
);
const markdown = (folder: string, text: string) =>
  `---\nlayout: ${folder}layouts/Base.astro\nids: [4711, 4712, 4713]\n---\n\n${text}\n`;
const inText = Object.values(images)
  .map((id) => `![](media:${id})`)
  .join('\n\n');

beforeAll(async () => {
  const service = emulatorClient(setup.emulator);
  for (const [notIn, id] of all) await service.files.update(id, { notIn });
  await setup.site.write('src/layouts/Base.astro', layout);
}, 120_000);

/** The assets that a file's text names. */
function namedIn(text: string): number[] {
  const found = text.matchAll(/media-asset\/(\d+)-|credit-(\d+)|data-of="(\d+)"/g);
  const ids = Array.from(found, ([, ...given]) => Number(given.find(Boolean)));
  return [...new Set(ids)].sort((one, other) => one - other);
}

const read = (file: string) => setup.site.read(`dist/${file}`);

describe('with `hide`, a page leaves out what its own language forbids', () => {
  beforeAll(async () => {
    await setup.site.write('astro.config.mjs', config('hide'));
    for (const folder of ['', 'german/']) {
      await setup.site.write(
        `src/pages/${folder}ways.astro`,
        astroPage(body, { script: functions }),
      );
      await setup.site.write(
        `src/pages/${folder}list.astro`,
        astroPage('<MediaCredits lang="it" />'),
      );
      await setup.site.write(
        `src/pages/${folder}with.json.ts`,
        endpoint(`{ id, page: '/docs/${folder}with.json' }`),
      );
      await setup.site.write(
        `src/pages/${folder}with.xml.ts`,
        endpoint(`{ id, page: '/docs/${folder}with.xml', locale: 'it' }`),
      );
    }
    await setup.site.write('src/pages/german/text.md', markdown('../../', inText));
    await setup.site.write('src/pages/front.md', markdown('../', 'Nothing.'));
    await outputOf(setup.build());
  }, 240_000);

  const table = Object.entries(ways).flatMap(([way, [ids]]) =>
    (['en', 'de'] as const).flatMap((page) =>
      languages.map((forbidden) => ({ way, page, forbidden, id: ids[forbidden] })),
    ),
  );

  test.each(table)('$way of an asset that $forbidden forbids, on a page in $page', async (row) => {
    const { way, page, forbidden, id } = row;
    const html = await read(`${page === 'de' ? 'german/' : ''}ways/index.html`);
    const [, section = ''] =
      new RegExp(`<section id="${way} ${forbidden}">(.*?)</section>`, 's').exec(html) ?? [];
    expect(html).toContain(`id="${way} ${forbidden}"`);
    expect(namedIn(section).includes(id)).toBe(forbidden !== page);
    if (forbidden === page || !/lang|locale/.test(ways[way]?.[1] ?? '')) return;
    if (/image|credit/.test(way)) expect(section).toContain('in it');
  });

  test.each([
    ['list/index.html', [4711, 4713]],
    ['german/list/index.html', [4712, 4713]],
    ['german/text/index.html', [4712, 4713]],
    ['front/index.html', [4711, 4713]],
    ['german/with.json', [4712, 4713]],
    ['german/with.xml', [4712, 4713]],
    ['with.json', []],
    ['with.xml', []],
  ])('%s has %j', async (file, ids) => {
    const shown = namedIn(await read(file)).filter((id) => id < 4715);
    expect(shown).toEqual(ids);
  });

  test('lists of credits and images have the texts of their own `lang`', async () => {
    expect(await read('german/list/index.html')).toContain('<strong>in it</strong>');
  });
});

/** Files that show every image, and the images that aren't allowed in them. */
const left: [file: string, code: string, forbidden: number[]][] = [
  // The verdict on a call without a page is provisional.
  ['call.astro', CALL('{ id }'), [4712]],
  ['german/call.astro', CALL('{ id }'), [4711]],
  ['german/locale.astro', CALL("{ id, locale: 'en' }"), [4711]],
  ['german/named.astro', CALL("{ id, page: 'the footer', locale: 'it' }"), [4711]],
  ['german/style.astro', STYLE('{ id }'), [4711]],
  ['text.md', inText, [4712]],
  ['data.json.ts', endpoint('{ id }'), [4711, 4712, 4713]],
  ['feed.xml.ts', endpoint("{ id, locale: 'it' }"), [4711, 4712, 4713]],
  ['list.txt.ts', endpoint("{ id, page: '/docs/' }"), [4711, 4713]],
  ['german/data.json.ts', endpoint('{ id }'), [4711]],
  // The pages of both languages load it.
  ['both.css.ts', sheet, [4711, 4712]],
  ['german.css.ts', sheet, [4711]],
  ['german/english.css.ts', sheet, [4712]],
  ['unused.css.ts', sheet, [4711, 4712, 4713]],
  // Astro renders it as the Italian page.
  ['it/fallback.astro', CALL('{ id, page }'), []],
];

const names = [
  ...left.map(
    ([file, , forbidden]) => [file.replace(/\.(?:astro|md|ts)$/, ''), forbidden] as const,
  ),
  ['german/fallback', [4711]] as const,
];

describe('what a file has although its own language forbids it fails the build', () => {
  let output: string;

  beforeAll(async () => {
    await setup.site.remove('src/pages');
    await setup.site.remove('dist');
    const fallback = "fallback: { german: 'it' }, routing: { fallbackType: 'rewrite' }";
    await setup.site.write('astro.config.mjs', config('hide', fallback));
    for (const [file, code] of left) await setup.site.write(`src/pages/${file}`, code);
    const loads = (...sheets: string[]) =>
      astroPage(sheets.map((one) => `<link rel="stylesheet" href="/docs/${one}.css">`).join(''), {
        script: 'getMediaAsset;',
      });
    await setup.site.write('src/pages/loads.astro', loads('both', 'german/english'));
    await setup.site.write('src/pages/german/loads.astro', loads('both', 'german'));
    output = await outputOf(setup.build(), 1);
  }, 240_000);

  test.each(names)('%s: %j', (name, forbidden) => {
    const lines = output.match(/asset 47\d\d on .*/g) ?? [];
    const found = lines.filter((line) => {
      const [, listed = ''] = / on (.*)/.exec(line) ?? [];
      return listed.split(', ').some((page) => page.replace(/^\/docs\/|\/$/g, '') === name);
    });
    expect(found.map((line) => Number(line.slice(6, 10)))).toEqual(forbidden);
  });

  test('the error says what a fallback page needs', () => {
    expect(output).toContain('forbidden-address');
    expect(output).toContain('A fallback page of Astro');
  });
});
