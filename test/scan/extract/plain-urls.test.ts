import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  idOfPlainSrcset,
  idOfPlainUrl,
  parseRenditionUrl,
} from '../../../src/assets/formats/rendition-url.ts';
import { srcsetUrls } from '../../../src/scan/extract/element-urls.ts';
import { rounds } from '../../support/process/rounds.ts';

const rest = '0123456789abcdef-fedcba9876543210-boat.webp';
const url = (id: number | string, prefix = '/_astro/') => `${prefix}media-asset/${id}-${rest}`;

/** Reads the URL like a browser, and its path with the full pattern. */
function idOf(url: string, base: string): number | undefined {
  const read = URL.parse(url, base);
  return read ? parseRenditionUrl(read.pathname)?.id : undefined;
}

describe('a plain URL', () => {
  test.each([
    ['from the root', url(4711), 4711],
    ['with a host', url(4711, 'https://cdn.example.org/a/'), 4711],
    [
      'of a file that is published unchanged',
      '/_astro/media-asset/4711-0123456789abcdef-file/report.pdf',
      4711,
    ],
    ['of the largest ID', url(Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER],
    ['of the smallest ID', url(Number.MIN_SAFE_INTEGER), Number.MIN_SAFE_INTEGER],
  ])('%s names its asset', (_, written, id) => {
    expect(idOfPlainUrl(written)).toBe(id);
  });
});

describe('a plain srcset', () => {
  test.each([
    ['one candidate', `${url(4711)} 640w`],
    ['several', `${url(4711)} 640w, ${url(4711)} 1280w`],
  ])('of %s names its asset', (_, srcset) => {
    expect(idOfPlainSrcset(srcset)).toBe(4711);
  });

  test.each([
    ['of two assets', `${url(4711)} 640w, ${url(4712)} 1280w`],
    ['of two assets, one ID a prefix of the other', `${url(47)} 640w, ${url(4711)} 1280w`],
    ['of two assets, one ID the negative of the other', `${url(-47)} 640w, ${url(47)} 1280w`],
    ['of two assets, the negative ID later', `${url(47)} 640w, ${url(-47)} 1280w`],
  ])("isn't a srcset %s", (_, srcset) => {
    expect(idOfPlainSrcset(srcset)).toBeUndefined();
  });
});

describe('plain values', () => {
  const piece = fc.constantFrom(
    ...['/', '//', '\\', '.', '..', '%2e', '-', '_', ':', '@', '?', '#', ' ', '\t', ',', ', ', 'w'],
    ...['0', '1', '4711', 'a', 'xn--', 'media-asset/', 'https://', 'cdn.example', ' 640w', ' 2x'],
  );
  const written = fc.oneof(
    fc.constantFrom(url(4711), url(4711, 'https://cdn.example.org/'), url(-4711), url(47)),
    fc.array(piece, { maxLength: 3 }).map((pieces) => pieces.join('') + url(4711, '/')),
  );
  /** Inserts a piece into a text, replacing some of it. */
  const changed = (text: fc.Arbitrary<string>) =>
    fc
      .tuple(text, fc.array(fc.tuple(fc.nat(), fc.nat(3), piece), { maxLength: 2 }))
      .map(([start, changes]) =>
        changes.reduce((value, [at, length, put]) => {
          const from = at % (value.length + 1);
          return value.slice(0, from) + put + value.slice(from + length);
        }, start),
      );
  const bases = ['https://harbour.example/notes/', 'https://harbour.example/media-asset/1/'];

  test('a URL names the same asset as when a browser reads it', () => {
    let plain = 0;
    fc.assert(
      fc.property(changed(written), fc.constantFrom(...bases), (value, base) => {
        const id = idOfPlainUrl(value);
        if (id === undefined) return;
        plain += 1;
        expect(idOf(value, base)).toBe(id);
      }),
      { numRuns: rounds(3000) },
    );
    expect(plain).toBeGreaterThan(rounds(300));
  });

  test('a srcset names the same asset as each of its URLs', () => {
    let plain = 0;
    const candidates = fc
      .array(fc.tuple(written, fc.constantFrom('640w', '1280w', '01w', '0w', '2x')), {
        minLength: 1,
        maxLength: 3,
      })
      .map((pairs) => pairs.map((pair) => pair.join(' ')).join(', '));
    const same = fc
      .tuple(written, fc.integer({ min: 1, max: 4 }))
      .map(([one, count]) => Array.from({ length: count }, () => `${one} 640w`).join(', '));
    fc.assert(
      fc.property(changed(fc.oneof(candidates, same)), fc.constantFrom(...bases), (value, base) => {
        const id = idOfPlainSrcset(value);
        if (id === undefined) return;
        plain += 1;
        const urls = srcsetUrls(value);
        expect(urls[0]).toBe(value.slice(0, value.indexOf(' ')));
        expect(new Set(urls.map((one) => idOf(one, base)))).toEqual(new Set([id]));
      }),
      { numRuns: rounds(3000) },
    );
    expect(plain).toBeGreaterThan(rounds(300));
  });
});
