/** @module-tag slow */
import { expect, test } from 'vitest';
import { siteLanguages } from '../../../src/config/languages.ts';
import { astroMajor } from '../../support/site/astro-major.ts';
import { astroConfig, astroPage } from '../../support/site/site-files.ts';
import { outputOf, useSite } from '../../support/site/site-with-service.ts';

const options = `{
  record: { fields: ['name'], read: (_, { locale }) => ({ alt: 'in ' + locale }) },
  report: { when: 'never' },
}`;
const shows = '<MediaAsset id={4711} /><i>{Astro.currentLocale}</i>';
const page = astroPage(shows);
const tagPage = astroPage(shows, {
  script: "export const getStaticPaths = () => [{ params: { tag: 'it' } }];",
});
const german = { path: 'german', codes: ['de', 'de-AT'] };
const english = { path: 'english', codes: ['en', 'en-GB'] };

const setup = useSite('bare');

/** Built files with the language of their page, and with Astro's own, if it's another. */
type Pages = Readonly<Record<string, string>>;

test.each<[string, object, sources: string, Pages]>([
  [
    'locales with a path, below a base',
    { base: '/docs', i18n: { locales: ['en', german, 'it', 'pt-BR'], defaultLocale: 'en' } },
    'index 404 it english/index blog/it german/index german/x de-AT/index de_at/index de/tag/[tag] pt-BR/x pt-br/index',
    {
      '404': 'en',
      index: 'en',
      it: 'it',
      english: 'en',
      'blog/it': 'en (it)',
      german: 'de',
      'german/x': 'de',
      'de-AT': 'de-AT',
      de_at: 'de-AT',
      'de/tag/it': astroMajor < 6 ? 'de' : 'de (it)',
      'pt-BR/x': 'pt-BR',
      'pt-br': 'pt-BR (en)',
    },
  ],
  [
    'a prefix for the default locale, and files instead of folders',
    {
      build: { format: 'file' },
      i18n: {
        ...{ locales: [english, german, 'it'], defaultLocale: 'english' },
        routing: { prefixDefaultLocale: true, redirectToDefaultLocale: false },
      },
    },
    'index english/index english/x german/index german/x it de en/x en-gb/x',
    {
      index: 'en',
      english: 'en',
      'english/x': 'en',
      german: 'de',
      'german/x': 'de',
      it: 'it',
      de: 'de',
      'en/x': 'en',
      'en-gb/x': 'en-GB',
    },
  ],
  [
    'files as in the source, below a base, without slashes',
    {
      ...{ base: 'docs', trailingSlash: 'never', build: { format: 'preserve' } },
      i18n: { locales: ['en', german, 'it'], defaultLocale: 'en' },
    },
    'index x it german/index german/x notes/v1.2',
    { index: 'en', x: 'en', it: 'it', german: 'de', 'german/x': 'de', 'notes/v1.2': 'en' },
  ],
  [
    'its own router',
    { i18n: { locales: ['en', german, 'it'], defaultLocale: 'en', routing: 'manual' } },
    'index x it german/index blog/it',
    { index: 'en', x: 'en', it: 'it', german: 'de', 'blog/it': 'en (it)' },
  ],
  ['no languages', { base: '/' }, 'index de/index', { index: 'undefined', de: 'undefined' }],
])(
  'on a site with %s, each page has the language of its file',
  async (_, settings, sources, pages) => {
    await setup.site.remove('src');
    await setup.site.remove('dist').catch(() => {});
    const given = `site: 'https://a.example', ${JSON.stringify(settings).slice(1, -1)},`;
    await setup.site.write('astro.config.mjs', astroConfig(options, given));
    await setup.site.write('src/middleware.ts', 'export const onRequest = (_, next) => next();');
    for (const name of sources.split(' '))
      await setup.site.write(`src/pages/${name}.astro`, name.includes('[') ? tagPage : page);
    await outputOf(setup.build());
    const languages = siteLanguages({ base: '/', ...settings });
    const found: Record<string, string> = {};
    for (const path of await setup.site.files('dist/**/*.html')) {
      const file = path.slice('dist/'.length);
      const html = await setup.site.read(path);
      // What a component gets when it's rendered, before there's a file.
      const own = /alt="in (.*?)"/.exec(html)?.[1] ?? '';
      const astro = /<i>(.*?)<\/i>/.exec(html)?.[1] || 'undefined';
      expect(languages.ofFile(file).join() || 'undefined').toBe(own);
      found[file.replace(/(?:\/index)?\.html$/, '')] = own === astro ? own : `${own} (${astro})`;
    }
    expect(found).toEqual(pages);
  },
);
