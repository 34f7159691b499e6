import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatRenditionPath } from '../../src/assets/formats/rendition-url.ts';
import { assetUrlReader } from '../../src/scan/extract/asset-url.ts';
import { pageElements } from '../../src/scan/read/read-page.ts';
import { scanPage } from '../../src/scan/scan-page.ts';
import { rounds } from '../support/process/rounds.ts';

const page = 'https://www.example.org/boats/';
const service = 'https://media.example.org/api';

function scan(html: string) {
  return scanPage({
    elements: pageElements({ html, page }),
    page,
    isUtf8: true,
    assetUrls: assetUrlReader({ site: page, service }),
  });
}

const shown = (html: string) => scan(html)?.usage.assets ?? [];

const id = fc.oneof(
  fc.integer({ min: 1, max: 30 }),
  fc.maxSafeInteger().filter((n) => n > 0),
);
const hex = fc.stringMatching(/^[0-9a-f]{16}$/);

/** A URL of an asset, without commas and quotes. */
const assetUrl = fc.tuple(id, hex, hex, fc.nat(3)).map(([id, sourceHash, digest, kind]) => {
  const path = formatRenditionPath({ id, sourceHash, digest, name: 'harbour', extension: 'webp' });
  const url = [
    `/_astro/${path}`,
    `https://cdn.example.net/docs/_astro/${path}`,
    `${service}/1/file/${id}/download/0`,
    `${service}/1/file/${id}/download/-1?x1=1&amp;y1=2&amp;w=30&amp;h=40`,
  ][kind];
  return { id, url: url ?? '' };
});

/** IDs in order, without repeats. */
const sorted = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b);

/** Each place where an element can name an asset, with one element each. */
const places = [
  (id: number) => `<div data-media-asset="${id}"></div>`,
  (id: number) => `<b class=x data-media-asset=${id} >a</b>`,
  (_: number, url: string) => `<img alt="" src="${url}">`,
  (_: number, url: string) => `<img alt='' srcset='${url} 1x, /other.webp 2x'>`,
  (_: number, url: string) =>
    `<picture><source srcset="/a.avif 1x,${url} 2x"><img src="${url}"></picture>`,
  (id: number, url: string) =>
    `<video poster="${url}" data-media-asset="${id}"><track src="/a"></video>`,
  (_: number, url: string) => `<a href="${url}">Plan</a>`,
  (_: number, url: string) => `<meta property="og:image" content="${url}">`,
  (_: number, url: string) => `<p style="background: url(&quot;${url}&quot;)">a</p>`,
  (_: number, url: string) =>
    `<style>a { background: url('${url.replaceAll('&amp;', '&')}') }</style>`,
  (_: number, url: string) =>
    `<script type="application/ld+json">{"image":["${url.replaceAll('&amp;', '&')}"]}</script>`,
  (_: number, url: string) =>
    `<astro-island props="{&quot;a&quot;:[0,&quot;${url}&quot;]}"></astro-island>`,
  (_: number, url: string) => `<noscript><img src="${url}"></noscript>`,
  (id: number) => `<template><i data-media-asset="${id}"></i></template>`,
  (_: number, url: string) => `<svg><image href="${url}" /></svg>`,
  (_: number, url: string) => `<svg><path fill="url(${url}#a)" /></svg>`,
  (_: number, url: string) => `<b style="--a: '${url}'">a</b>`,
  (_: number, url: string) => `<object data="${url}"></object>`,
];

const named = fc
  .tuple(assetUrl, fc.nat(places.length - 1))
  .map(([{ id, url }, place]) => ({ id, html: places[place]?.(id, url) ?? '' }));

const nothing = fc.constantFrom(
  '<p>Boats in the harbour.</p>',
  '<!-- <img data-media-asset="999"> -->',
  '<script>const a = `<img data-media-asset="999">`;</script>',
  '<img src="/_astro/boat.webp" alt="a > b">',
  '<h2>Harbour</h2>',
  '\n',
);

describe('the laws of the scan', () => {
  test('it finds every ID in every place', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(named, nothing)), (parts) => {
        const ids = parts.flatMap((part) => (typeof part === 'string' ? [] : part.id));
        const html = parts.map((part) => (typeof part === 'string' ? part : part.html)).join('');
        expect(shown(`<title>Boats</title>${html}`)).toEqual(sorted(ids));
      }),
    );
  });

  test("the order, quotes, case and whitespace of attributes don't matter", () => {
    const attributes = fc.tuple(id, assetUrl, assetUrl).map(([id, first, second]) => [
      ['data-media-asset', `${id}`],
      ['src', first.url],
      ['srcset', `${first.url} 1x, ${second.url} 2x`],
      ['alt', 'a > b'],
    ]);
    const style = fc.record({
      quote: fc.constantFrom('"', "'"),
      blank: fc.constantFrom(' ', '\n', '\t \r\n', ' / '),
      around: fc.constantFrom('', ' ', '\n'),
      capital: fc.boolean(),
    });
    fc.assert(
      fc.property(
        attributes.chain((all) =>
          fc.tuple(
            fc.constant(all),
            fc.shuffledSubarray(all, { minLength: all.length }),
            fc.array(style, { minLength: all.length, maxLength: all.length }),
          ),
        ),
        ([plain, shuffled, styles]) => {
          const simple = plain.map(([name, value]) => ` ${name}="${value}"`).join('');
          const varied = shuffled.map(([name = '', value], index) => {
            const { quote = '"', blank = ' ', around = '', capital } = styles[index] ?? {};
            const written = capital ? name.toUpperCase() : name;
            return `${blank}${written}${around}=${around}${quote}${value}${quote}`;
          });
          expect(scan(`<img${varied.join('')}>`)).toEqual(scan(`<img${simple}>`));
        },
      ),
    );
  });

  test('a page in a comment shows nothing', () => {
    const inside = fc.array(
      fc.oneof(
        named,
        fc.string().map((html) => ({ html })),
      ),
    );
    fc.assert(
      fc.property(inside, (parts) => {
        const html = parts.map((part) => part.html).join('');
        // Anything that would end the comment or start another one.
        const safe = html.replace(/--!?>|^-?>|<!--/g, '').replace(/[-!<]+$/, '');
        fc.pre(!/--!?>|^-?>/.test(safe));
        expect(shown(`<!--${safe}-->`)).toEqual([]);
      }),
    );
  });

  test('no text makes it throw, and every page has a name', () => {
    const pieces = fc.constantFrom(
      ...'< > " \' = / <!-- --> <script> <template> <svg> <style> <title>'.split(' '),
      ...'data-media-asset srcset style url( \\ 1 , props &# ; { 0;url= http://[ %'.split(' '),
      ...['<base href=', '<meta http-equiv=refresh content=', '<iframe srcdoc=', ' ', '\u0000'],
      ...['<link rel=stylesheet href=', '<astro-island props=', service],
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc
        .array(fc.oneof(pieces, fc.string({ maxLength: 5 })), { maxLength: 60 })
        .map((all) => all.join('')),
    );
    fc.assert(
      fc.property(text, (html) => {
        const name = scan(html)?.usage.pageName;
        expect(name).not.toBe('');
      }),
      { numRuns: rounds(2000) },
    );
  });
});
