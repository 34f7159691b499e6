import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fillCredits } from '../../../src/astro/build/fill-credits.ts';
import { readFiles, rules } from '../../scan/built-output.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

type Site = Parameters<typeof fillCredits>[0];

interface Known {
  readonly record?: object;
  readonly verdict?: object;
  readonly isImage?: boolean;
  readonly isRead?: boolean;
}

const nothing = { creators: [] };
const quay = { ...nothing, credit: 'Harbour museum', creators: ['Ada Roe', 'Bo Lund'] };

const titled = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>${body}</body></html>`;
const page = (title: string, id: number) => titled(title, `<img data-media-asset="${id}">`);
const credits = titled('Credits', '<ul><li data-media-asset-credits></li></ul>');

/** The list of credits of a site with these pages. */
async function listOf(
  { record = nothing, verdict = { state: 'allowed' }, isImage = true, isRead = true }: Known,
  parts: { forbidden?: string; pages?: number; read?: () => object } = {},
) {
  const dir = await temporaryFolder('credits');
  const pages = Array.from({ length: parts.pages ?? 1 }, (_, at) => at);
  const { found } = await readFiles(dir, {
    'credits.html': credits,
    ...Object.fromEntries(pages.map((at) => [`${at}.html`, page(`Quay ${at}`, 7)])),
  });
  const site = {
    options: { record: {}, rights: { read: parts.read } },
    forbidden: parts.forbidden ?? 'fail',
    languages: { ofFile: () => ['en'], all: ['en'] },
    sourceLabel: (type?: string) => type && `Made by ${type}`,
    images: {
      people: {
        original: async () => (isImage ? {} : undefined),
        names: () => ({ 7: 'quay.png' }),
        describeRecord: async () => (isRead ? { record, verdict } : undefined),
      },
    },
  } as unknown as Site;
  await fillCredits(site, { dir, rules, files: found });
  const html = await readFile(join(dir, 'credits.html'), 'utf8');
  return /<ul>(.*)<\/ul>/s.exec(html)?.[1];
}

describe('an item of a list of credits', () => {
  test.each<[what: string, record: object, html: string]>([
    ['its name', nothing, '<strong>quay.png</strong> <small>'],
    ['its alt', { ...nothing, alt: 'A <quay>' }, '<strong>A &lt;quay&gt;</strong>'],
    ['its credit and creators', quay, ' <span>Harbour museum, Ada Roe, Bo Lund</span>'],
    [
      'each name once',
      { ...quay, creators: [], copyright: 'museum' },
      ' <span>Harbour museum</span>',
    ],
    [
      'a link to its licence',
      { ...quay, license: 'https://a.example/?b&c' },
      '<a href="https://a.example/?b&amp;c" rel="license">Harbour museum, Ada Roe, Bo Lund</a>',
    ],
    [
      'only its licence',
      { ...nothing, license: 'https://a.example/' },
      ' rel="license">https://a.example/</a>',
    ],
    [
      'how it was made',
      { ...nothing, digitalSourceType: 'AI' },
      ' <span data-media-asset-label="7">Made by AI</span>',
    ],
  ])('has %s', async (_, record, html) => {
    expect(await listOf({ record })).toContain(html);
  });

  test('names no more than what is known', async () => {
    expect(await listOf({ isImage: false })).toBe(
      '<li id="media-credit-7"><strong>quay.png</strong> <small><a href="/0.html">Quay 0</a></small></li>',
    );
  });

  test('names 20 pages at most, and counts the others', async () => {
    const links = (html = '') => [
      html.match(/<a /g)?.length,
      /<\/a>([^<]*)<\/small>/.exec(html)?.[1],
    ];
    expect(links(await listOf({}, { pages: 20 }))).toEqual([20, '']);
    expect(links(await listOf({}, { pages: 23 }))).toEqual([20, ' +3']);
  });

  test('is left out for an asset that the site hides', async () => {
    const verdict = { state: 'forbidden' };
    expect(await listOf({ verdict })).toBe('');
    expect(await listOf({ verdict }, { forbidden: 'warn' })).toContain('quay.png');
    expect(await listOf({ verdict: { state: 'unknown' } })).toContain('quay.png');
  });

  const read = () => ({ state: 'allowed' });

  test.each<[what: string, parts: Parameters<typeof listOf>[1], isListed: boolean]>([
    ["isn't listed if the site fails for forbidden ones", { read }, false],
    ["isn't listed if the site hides forbidden ones", { read, forbidden: 'hide' }, false],
    ['is listed if the site only warns of forbidden ones', { read, forbidden: 'warn' }, true],
    ['is listed if the site judges no rights', {}, true],
  ])('of an asset whose record could not be read %s', async (_, parts, isListed) => {
    expect((await listOf({ isRead: false }, parts)) !== '').toBe(isListed);
  });
});
