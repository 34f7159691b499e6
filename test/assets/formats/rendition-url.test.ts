import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Rendition } from '../../../src/assets/formats/rendition.ts';
import {
  findRenditions,
  formatRenditionPath,
  parseRenditionUrl,
  renditionKey,
} from '../../../src/assets/formats/rendition-url.ts';
import {
  renditionAddress,
  renditionName,
} from '../../../src/assets/renditions/rendition-address.ts';

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
const address = fc.record({
  id: fc.maxSafeInteger().filter((id) => id !== 0),
  sourceHash: hex(16),
  digest: fc.oneof(hex(16), fc.constant('file')),
  name: fc.tuple(fc.string(), fc.integer({ min: 1 })).map(([alt, id]) => renditionName(alt, id)),
  extension: fc.constantFrom('webp', 'avif', 'jpg', 'pdf', '7z', 'geojson'),
});
const prefix = fc.constantFrom(
  '',
  '/_astro/',
  '/docs/_astro/',
  'https://cdn.example/site/_astro/',
  'http://127.0.0.1:4321/a%20b/',
);

describe('the URL of a rendition', () => {
  test('is parsed with any prefix, query or fragment', () => {
    fc.assert(
      fc.property(
        address,
        prefix,
        fc.constantFrom('', '?v=1', '#a', '?a=/b.png#c'),
        (one, before, after) => {
          expect(parseRenditionUrl(`${before}${formatRenditionPath(one)}${after}`)).toEqual(one);
        },
      ),
    );
  });

  test('is found in text', () => {
    fc.assert(
      fc.property(fc.array(address, { maxLength: 4 }), (all) => {
        const text = all.map((one) => `<img src="/x/${formatRenditionPath(one)}">`).join('\n');
        expect(findRenditions(text)).toEqual(all);
      }),
    );
  });

  test.each([
    ['part of another URL', encodeURIComponent],
    ['part of a URL in a URL', (url: string) => encodeURIComponent(encodeURIComponent(url))],
    ['JSON with escaped slashes', (url: string) => url.replaceAll('/', '\\/')],
    ['JSON with escaped letters', (url: string) => url.replaceAll('/', '\\u002F')],
    ['HTML with entities', (url: string) => url.replaceAll('/', '&#x2F;')],
  ])('is found as %s', (_, encode) => {
    fc.assert(
      fc.property(address, prefix, (one, before) => {
        const url = encode(`${before}${formatRenditionPath(one)}`);
        expect(findRenditions(`/image?url=${url}&w=640`)).toEqual([one]);
      }),
    );
  });

  test('names the same rendition with any readable name', () => {
    fc.assert(
      fc.property(address, fc.string(), (one, alt) => {
        expect(renditionKey({ ...one, name: renditionName(alt, one.id) } as typeof one)).toBe(
          renditionKey(one),
        );
      }),
    );
  });

  test.each([
    '/_astro/media-asset/0-0123456789abcdef-0123456789abcdef-a.webp',
    '/_astro/media-asset/-0-0123456789abcdef-0123456789abcdef-a.webp',
    '/_astro/media-asset/-9007199254740993-0123456789abcdef-0123456789abcdef-a.webp',
    '/_astro/media-asset/9007199254740993-0123456789abcdef-0123456789abcdef-a.webp',
    '/_astro/media-asset/1-0123456789abcde-0123456789abcdef-a.webp',
    '/_astro/media-asset/1-0123456789ABCDEF-0123456789abcdef-a.webp',
    '/_astro/media-asset/1-0123456789abcdef-0123456789abcdef-../a.webp',
    '/_astro/media-asset/1-0123456789abcdef-0123456789abcdef-a%00.webp',
    '/_astro/media-asset/1-0123456789abcdef-0123456789abcdef-.webp',
    '/_astro/media-asset/1-0123456789abcdef-0123456789abcdef/a.webp',
    '/_astro/media-asset/1-0123456789abcdef-file-a.pdf',
    '/_astro/other-media-asset/1-0123456789abcdef-0123456789abcdef-a.webp',
  ])('is not %s', (url) => {
    expect(parseRenditionUrl(url)).toBeUndefined();
  });
});

describe('the name of a rendition', () => {
  test.each([
    ['The quay at dusk', 'the-quay-at-dusk'],
    ['  Åland — Köpings hamn, 1903!  ', 'aland-kopings-hamn-1903'],
    ['Straße & Smørrebrød', 'strasse-smorrebrod'],
    ['Łódź’s æther', 'lodzs-aether'],
    ['ﬁsh ½ №5', 'fish-1-2-no5'],
    ['', '4711'],
    ['רציף בנמל', '4711'],
    ['港口', '4711'],
    ['🚢⚓️', '4711'],
    ['Ferry 🚢 \u202egnp.exe', 'ferry-gnp-exe'],
    ['../../etc/passwd\0', 'etc-passwd'],
    ['word '.repeat(20), 'word-word-word-word-word-word-word-word-word-word-word-word'],
    ['x'.repeat(5000), 'x'.repeat(60)],
    [`A ${'x'.repeat(80)}`, 'a'],
  ])('of alt %j is %s', (alt, name) => {
    expect(renditionName(alt, 4711)).toBe(name);
  });

  test('has at most 60 plain letters, digits and hyphens', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (alt) => {
        expect(renditionName(alt, 1)).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/);
      }),
    );
  });
});

describe('the digest of a rendition', () => {
  const base: Rendition = {
    source: {
      reference: { kind: 'original', id: 4711 },
      hash: 'ab'.repeat(32),
    },
    corner: { x: 0, y: 0 },
    rectangle: { x: 1, y: 2, width: 30, height: 40 },
    width: 15,
    height: 20,
    recipe: { format: 'webp', quality: 80, effort: 4, animated: false },
  };
  const other: readonly [what: string, rendition: Rendition][] = [
    ['corner', { ...base, rectangle: { ...base.rectangle, x: 2 } }],
    ['other corner', { ...base, rectangle: { ...base.rectangle, y: 1 } }],
    ['rectangle', { ...base, rectangle: { ...base.rectangle, width: 31 } }],
    ['size', { ...base, width: 16 }],
    ['quality', { ...base, recipe: { ...base.recipe, quality: 81 } }],
    ['effort', { ...base, recipe: { ...base.recipe, effort: 5 } }],
    ['lossless', { ...base, recipe: { ...base.recipe, quality: undefined } }],
    ['frames', { ...base, recipe: { ...base.recipe, animated: true } }],
    ['background', { ...base, recipe: { ...base.recipe, background: 'red' } }],
    ['format', { ...base, recipe: { ...base.recipe, format: 'avif' } }],
    ['version', { ...base, source: { ...base.source, hash: 'cd'.repeat(32) } }],
    [
      'asset',
      { ...base, source: { ...base.source, reference: { ...base.source.reference, id: 4712 } } },
    ],
  ];

  test('stays the same from release to release', () => {
    expect(formatRenditionPath(renditionAddress(base, 'quay'))).toBe(
      'media-asset/4711-abababababababab-a776a884b8a4b6d6-quay.webp',
    );
  });

  test.each(other)('differs with another %s', (_, rendition) => {
    expect(renditionKey(renditionAddress(rendition, 'a'))).not.toBe(
      renditionKey(renditionAddress(base, 'a')),
    );
  });
});
