import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { plainElements } from '../../../src/scan/read/plain-elements.ts';
import { pageElements } from '../../../src/scan/read/read-page.ts';
import { RepeatedParts } from '../../../src/scan/read/repeated-parts.ts';
import { randomPart } from './random-page.ts';

const page = 'https://www.example.org/boats/';

const inPage = (body: string) =>
  `<!doctype html><html lang="en"><head><title>Boats</title></head><body>${body}</body></html>`;

/** The assets that a page's elements are marked with. */
const marked = (elements: ReturnType<typeof pageElements>) =>
  elements.flatMap(({ element }) => element.properties.dataMediaAsset ?? []);

const list = `<ul>${'<li><a href="/">Boats</a></li>'.repeat(12)}</ul>`;
const search = '<form><nobr>Find</nobr><button>Go</button></form>';
const nav = `<nav>${list}${list}${search}<svg><title>Up</title></svg></nav>`;

/** The markup around a part. A parser moves or closes some of it. */
const places: readonly (readonly [before: string, behind: string])[] = [
  ['', ''],
  ['<main>', '</main>'],
  ['<div>'.repeat(120), '</div>'.repeat(120)],
  ['<div>'.repeat(243), '</div>'.repeat(243)],
  ...[
    ...['a', 'b', 'button', 'form', 'h2', 'label', 'li', 'math', 'nobr', 'noscript', 'option', 'p'],
    ...['picture', 'select', 'span', 'style', 'svg', 'table', 'td', 'template', 'ul', 'video'],
  ].map((name) => [`<${name}>`, `</${name}>`] as const),
  ['<dl><div>', '</div></dl>'],
  ['<table><tr><td>', '</td></tr></table>'],
  ['<svg><foreignObject>', '</foreignObject></svg>'],
  ['</body>', ''],
  ['<!-- ', ' -->'],
];

test('a part that pages repeat gives the same result in any place', () => {
  const find = vi.spyOn(RepeatedParts.prototype, 'find');
  let plain = 0;
  fc.assert(
    fc.property(
      fc.oneof({ weight: 4, arbitrary: randomPart }, fc.constant(nav)),
      fc.array(fc.constantFrom(...places), { minLength: 2, maxLength: 4 }),
      (part, around) => {
        for (const [before, behind] of around) {
          const html = inPage(`${before}${part}${behind}<img data-media-asset="4711">`);
          const elements = plainElements(Buffer.from(html));
          if (!elements) continue;
          plain += 1;
          expect(marked(elements)).toEqual(marked(pageElements({ html, page })));
        }
      },
    ),
    { numRuns: Number(process.env.SCAN_RUNS ?? 1000) },
  );
  expect(plain).toBeGreaterThan(100);
  // If every part had been read again, the test would try nothing.
  expect(find.mock.results.filter(({ value }) => value > 0).length).toBeGreaterThan(100);
  find.mockRestore();
});

describe("a part that was read on one page isn't plain on another", () => {
  beforeEach(() => {
    const deep = inPage(`<div><div><div>${nav}</div></div></div>`);
    expect(plainElements(Buffer.from(deep))).toBeDefined();
  });

  test.each([
    ['in a link', `<a href="/b">${nav}</a>`],
    ['in a button', `<button>${nav}</button>`],
    ['in a form', `<form>${nav}</form>`],
    ['in a nobr', `<nobr>${nav}</nobr>`],
    ['in a paragraph', `<p>${nav}</p>`],
    ['in a table', `<table>${nav}</table>`],
    ['in an SVG', `<svg>${nav}</svg>`],
    ['too deep', `${'<div>'.repeat(247)}${nav}${'</div>'.repeat(247)}`],
    ['after the body', `</body>${nav}`],
    ['with a surplus end tag', `${nav}</nav>`],
    ['with a wrong end tag', nav.replace('</svg></nav>', '</nav>')],
    ['with a comment as its end tag', nav.replace('</nav>', '<!nav>')],
  ])('%s', (_, body) => {
    expect(plainElements(Buffer.from(inPage(body)))).toBeUndefined();
  });

  test("before the title, if the part has an SVG's title", () => {
    const html = `<html><head></head><body>${nav}<title>Boats</title></body></html>`;
    expect(plainElements(Buffer.from(html))).toBeUndefined();
  });
});

test('a part that differs in one letter is another part', () => {
  const quiet = nav.replace('<ul>', '<ul xata-media-asset="7">');
  const named = quiet.replace('xata', 'data');
  for (const body of [quiet, named, quiet]) {
    const elements = plainElements(Buffer.from(inPage(body))) ?? [];
    expect(marked(elements)).toEqual(body === named ? ['7'] : []);
  }
});

test('a part whose start tag names an asset names it on each page', () => {
  const named = inPage(nav.replace('<nav>', '<nav data-media-asset="7">'));
  for (const html of [named, named]) {
    expect(marked(plainElements(Buffer.from(html)) ?? [])).toEqual(['7']);
  }
});

test("a part in which a page was given up isn't known to the next page", () => {
  const start = '<title>Boats</title><main>';
  expect(plainElements(Buffer.from(`${start}<nav></p>`))).toBeUndefined();
  const html = `${start}${nav}</main>`;
  for (const page of [html, html]) expect(plainElements(Buffer.from(page))).toHaveLength(1);
});

describe('known parts', () => {
  const text = Buffer.from(`${nav}<p>${nav}`);
  const endName = nav.length - 'nav>'.length;
  const parts = (found = 0) => {
    const known = new RepeatedParts();
    known.begin({ from: 0, depth: 5, found: 0 });
    known.end(text, { endName, to: nav.length, found });
    return known;
  };
  const second = nav.length + '<p>'.length;

  test('are found by their bytes', () => {
    expect(parts().find(text, second, 5)).toBe(second + endName);
    expect(parts().find(text, second + 1, 5)).toBe(-1);
    expect(parts().find(text.subarray(0, -1), second, 5)).toBe(-1);
  });

  test('are only found at the depth that they had', () => {
    expect(parts().find(text, second, 4)).toBe(second + endName);
    expect(parts().find(text, second, 6)).toBe(-1);
  });

  test("don't include a part that an earlier page has started", () => {
    const known = new RepeatedParts();
    known.begin({ from: 0, depth: 5, found: 0 });
    known.beginPage();
    expect(known.depth).toBe(0);
    known.end(text, { endName, to: nav.length, found: 0 });
    expect(known.find(text, 0, 5)).toBe(-1);
  });

  test("don't include a part in which an element was found", () => {
    expect(parts(1).find(text, second, 5)).toBe(-1);
  });

  test('outlive the page that they were read on', () => {
    const first = Buffer.from(text);
    const known = new RepeatedParts();
    known.begin({ from: 0, depth: 5, found: 0 });
    known.end(first, { endName, to: nav.length, found: 0 });
    first.fill(0);
    expect(known.find(text, 0, 5)).toBe(endName);
  });

  test('have 256 bytes or more, and no more than 64 KiB', () => {
    const isKnown = (length: number) => {
      const long = Buffer.alloc(length, 'a');
      const known = new RepeatedParts();
      known.begin({ from: 0, depth: 5, found: 0 });
      known.end(long, { endName: 250, to: length, found: 0 });
      return known.find(long, 0, 5) === 250;
    };
    expect([255, 256, 65_536, 65_537].map(isKnown)).toEqual([false, true, true, false]);
  });

  test('include an inner part and the part around it', () => {
    const both = Buffer.from(`<header>${nav}</header>`);
    const from = '<header>'.length;
    const inner = { endName: from + endName, to: from + nav.length, found: 0 };
    const outer = { endName: both.length - 'header>'.length, to: both.length, found: 0 };
    const known = new RepeatedParts();
    known.begin({ from: 0, depth: 5, found: 0 });
    known.begin({ from, depth: 6, found: 0 });
    known.end(both, inner);
    expect(known.depth).toBe(5);
    known.end(both, outer);
    expect(known.find(both, from, 6)).toBe(inner.endName);
    expect(known.find(both, 0, 5)).toBe(outer.endName);
  });

  test('are kept until eight others are more recent', () => {
    const known = parts();
    const learn = (number: number) => {
      const other = Buffer.from(nav.replace('Boats', `${number}`.repeat(5)));
      known.begin({ from: 0, depth: 5, found: 0 });
      known.end(other, { endName, to: other.length, found: 0 });
    };
    for (const number of [1, 2, 3, 4, 5, 6, 7]) learn(number);
    expect(known.find(text, 0, 5)).toBe(endName);
    for (const number of [1, 2, 3, 4, 5, 6, 7]) learn(number);
    expect(known.find(text, 0, 5)).toBe(endName);
    for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) learn(number);
    expect(known.find(text, 0, 5)).toBe(-1);
  });
});
