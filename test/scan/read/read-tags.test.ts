import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assetUrlReader } from '../../../src/scan/extract/asset-url.ts';
import type { PageElement } from '../../../src/scan/read/page-element.ts';
import { decodePage, pageElements } from '../../../src/scan/read/read-page.ts';
import { readTags } from '../../../src/scan/read/read-tags.ts';
import { scanPage } from '../../../src/scan/scan-page.ts';
import { rounds } from '../../support/process/rounds.ts';
import { randomPage } from './random-page.ts';

const page = 'https://www.example.org/boats/';
const rendition = '4711-0123456789abcdef-fedcba9876543210-harbour.webp';
const fixtures = join(import.meta.dirname, '../../../fixtures/html');

/** All results of a page's scan, in which order doesn't matter. Each linked stylesheet names a different asset. */
function scan(elements: readonly PageElement[]) {
  const links = new Set<string>();
  const found = scanPage({
    elements,
    page,
    isUtf8: true,
    assetUrls: assetUrlReader({ site: page, service: 'https://media.example.org' }),
    readStylesheet(url) {
      links.add(url);
      const index = stylesheetNumbers.get(url) ?? stylesheetNumbers.size;
      stylesheetNumbers.set(url, index);
      const fetched = rendition.replace('4711', `${1000 + index}`);
      return { urls: [`/media-asset/${fetched}`], files: [] };
    },
  });
  return { found, links: [...links].sort() };
}

/**
 * The attributes of ours that each start tag has, by the tag's text. A parser makes two elements of some
 * tags: the second has no place.
 */
function tagsWithOurs(elements: readonly PageElement[], text: string): string[] {
  const tags = elements.flatMap(({ element, at }) => {
    const ours = Object.entries(element.properties).filter(([name]) =>
      /^dataMediaAsset/.test(name),
    );
    if (ours.length === 0 || !at) return [];
    return JSON.stringify([at, text.slice(...at), ours.sort(), element.properties.lang]);
  });
  return [...new Set(tags)].sort();
}

const stylesheetNumbers = new Map<string, number>();

/** Whether tags decide a page. If they do, its result must equal the parser's. */
function agrees(html: string): boolean {
  const { text } = decodePage(Buffer.from(html));
  const elements = readTags(text);
  if (!elements) return false;
  const parsed = pageElements({ html: text, page });
  expect(scan(elements)).toEqual(scan(parsed));
  const tags = tagsWithOurs(elements, text);
  expect(tags).toEqual(tagsWithOurs(parsed, text));
  for (const tag of tags) expect(JSON.parse(tag)[1]).toMatch(/^<[a-z].*>$/is);
  return true;
}

const style = `<style>a{background:url("/_astro/media-asset/${rendition}")}</style>`;
const inPage = (body: string) =>
  `<!doctype html><html lang="en"><head><title>Boats</title></head><body>${body}</body></html>`;

describe('a plain page', () => {
  test("gives the parser's result in every fixture", () => {
    const files = readdirSync(fixtures, { recursive: true, encoding: 'utf8' });
    const pages = files.filter((file) => file.endsWith('.html'));
    const plain = pages.filter((file) =>
      agrees(decodePage(readFileSync(join(fixtures, file))).text),
    );
    expect(plain.length / pages.length).toBeGreaterThan(0.8);
  });

  test("gives the parser's result in random pages", () => {
    let plain = 0;
    let all = 0;
    fc.assert(
      fc.property(randomPage, (html) => {
        fc.pre(!html.includes('\u0000'));
        all += 1;
        if (agrees(html)) plain += 1;
      }),
      { numRuns: Number(process.env.SCAN_RUNS ?? rounds(3000)) },
    );
    // Without any plain pages, the test would compare nothing.
    expect(plain / all).toBeGreaterThan(0.1);
  });

  test.each([
    ['lists', '<header><nav><ul><li><a href="/">Home</a></li></ul></nav></header>'],
    ['a <picture>', '<picture><source srcset="/a 1x"><img src="/a" alt="a > b"></picture>'],
    [
      'a table',
      '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td><p>b</p></td></tr></tbody></table>',
    ],
    ['rows without a tbody', '<table>\n<tr>\n<td>a</td>\n</tr>\n</table>'],
    ['grouped terms', '<dl><div><dt>a</dt><dd>b</dd></div></dl>'],
    ['a form', '<form><label>a <input name=a></label><select><option>b</option></select></form>'],
    ['an SVG', '<svg viewBox="0 0 1 1"><title>a</title><g><path d="M0 0"/></g></svg>'],
    ['SVGs without content', '<svg/><svg viewBox="0 0 1 1"/><svg viewBox="0 0 1 1" />'],
    [
      'symbols and comments in an SVG',
      '<svg><symbol id="a"><use href="#b"/></symbol><!-- <img> --></svg>',
    ],
    ['MathML', '<math><mrow><mi>a</mi><mo>=</mo></mrow></math>'],
    ['a script', '<script type="module">if (a < b) c("<img>")</script>'],
    [
      'an island',
      '<astro-island props="{}"><template data-astro-template>a</template></astro-island>',
    ],
    ['comments', '<!-- <img data-media-asset=1> --><!----><!-->'],
    ['Windows line endings', '<p\r\nclass="a"\r\n>a\r\n</p\r\n>'],
    ['unquoted attributes', '<a href=/b/ class=c>a</a>'],
  ])('supports %s', (_, body) => {
    expect(agrees(inPage(body))).toBe(true);
  });

  test.each([
    ['http-equiv in an SVG', '<svg http-equiv="/_astro/media-asset/1-a-b/c.webp"></svg>'],
    ['an end tag without a start tag', '<div></p></div>'],
    ['a wrong end tag', '<b><i>a</b></i>'],
    ['a longer end tag', '<div></divs>'],
    ['a tag in an end tag', '<div></div title="<img data-media-asset=1>">'],
    ['a start tag without an end tag', '<div><span></div>'],
    ['a paragraph that a block closes', '<p>a<div>b</div>'],
    ['a block in a link in a paragraph', '<p><a href="/b"><figure>a</figure></a></p>'],
    ['a heading in a heading', '<h1>a<h3>b</h3></h1>'],
    ['a list item outside of a list', '<div><li>a</li></div>'],
    ['an rt in an rp', '<ruby><rp>(<rt>a</rt></rp></ruby>'],
    ['a nobr in a nobr', '<nobr>a<nobr>b</nobr></nobr>'],
    ['HTML in the title of an SVG', '<svg><title><img data-media-asset=1></title></svg>'],
    ['an end tag of HTML in an SVG', '<svg></p><img data-media-asset=1></svg>'],
    ['an unclosed title in an SVG', '<svg><title>a</svg><img data-media-asset=1></title></svg>'],
    ['a stylesheet behind HTML in an SVG', '<svg><br><link rel="stylesheet" href="/b.css"></svg>'],
    ['a title in the title of an SVG', `<svg><title><title></svg>${style}</title></title></svg>`],
    ['HTML in MathML', '<math><mi><img data-media-asset="1"></mi></math>'],
    [
      'annotated HTML in MathML',
      '<math><annotation-xml encoding="text/html"><p>a</p></annotation-xml></math>',
    ],
    ['an SVG in MathML', '<math><svg><g></g></svg></math>'],
    ["an image after the body's end tag", '</body><img data-media-asset="1">'],
    ['an unclosed element', '<div>'],
    ['a srcset in an SVG', '<svg><image srcset="/b.webp 1x"/></svg>'],
    ['a charset in an SVG', '<svg><a charset="/_astro/media-asset/1-a-b/c.webp"></a></svg>'],
    ['a link in a link', '<a href="/a"><b><a href="/b">c</a></b></a>'],
    ['text in a table', '<table>a<tr><td>b</td></tr></table>'],
    ['an image in a table', '<table><tr><img data-media-asset="1"></tr></table>'],
    ['an image in a select', '<select><img data-media-asset="1"></select>'],
    ['a second body', '<body data-media-asset="1">'],
    ['a cell without a table', '<td data-media-asset="1"></td>'],
    ['HTML in an SVG', '<svg><div data-media-asset="1"></div></svg>'],
    ['a page in an iframe', '<iframe srcdoc="<img data-media-asset=1>"></iframe>'],
    ['a comment in a script', '<script><!-- <script> </script> --></script>'],
    ['an odd comment', '<!----!><img data-media-asset="1"><!---!> <img data-media-asset="2"> -->'],
    ['an unclosed comment', '<!-- <img data-media-asset="1">'],
    ['an unclosed tag', '<img data-media-asset="1" alt="'],
    ['a plaintext element', '<plaintext><img data-media-asset="1">'],
    ['deep nesting', '<div>'.repeat(300) + '</div>'.repeat(300)],
  ])('never differs from a parser with %s', (_, body) => {
    agrees(inPage(body));
  });

  test.each([
    [
      'a noscript after the head',
      '<html><head><title>Boats</title></head><noscript><img data-media-asset="1"></noscript><body id="a"></body></html>',
    ],
    ['an end tag without a name', '<title>Boats</title></><p>a'],
    [
      "an SVG's title before the page's title",
      '<html><head></head><body><svg><title>a</title></svg><title>Boats</title></body></html>',
    ],
    [
      "a table's title before the page's title",
      '<table><title>a</title></table><title>Boats</title>',
    ],
    ['a title in a template alone', '<template><title>a</title></template><h1>Boats</h1>'],
  ])('never differs from a parser with %s', (_, html) => {
    agrees(html);
  });

  test.each([
    ['a tab', `<style>a{background:url("/_astro/media-as\tset/${rendition}")}</style>`],
    ['an escape', `<style>a{background:url("/_astro/media\\-asset/${rendition}")}</style>`],
    ['an import', '<style>@IMPORT "/b.css";</style>'],
    ['Windows line endings in an ID', '<img data-media-asset="1\r\n2">'],
  ])("gives the parser's result with %s", (_, body) => {
    const html = inPage(body);
    expect(agrees(html)).toBe(true);
    expect(scan(readTags(html) ?? [])).not.toMatchObject({
      links: [],
      scan: { usage: { assets: [] } },
    });
  });

  test.each([
    ['nothing', ''],
    ['a heading', '<h1 id="a">Boats &amp;\r\n&eacute;</h1><h1>Ships</h1>'],
    ['words in a heading', '<h1>Bo<b title="a > b">a</b>ts <code>a &am</code>p;</h1>'],
    ['an empty heading', '<h1></h1><h1 title="&">Ships</h1>'],
  ])('has no title, but %s', (_, body) => {
    expect(agrees(body)).toBe(true);
  });

  test.each([
    ['an empty title', '<title> </title><h1>Boats</h1>'],
    ['an unclosed heading', '<h1>Boats'],
    ['a link in a heading', '<h1><a href="/">Boats</a></h1>'],
    ['a block in a heading', '<h1>Boats<h2>Ships</h2></h1>'],
    ['a comment in a heading', '<h1>Boats<!-- and ships --></h1>'],
    ['a heading in a table', '<table><h1>Boats</h1></table>'],
    ['a heading in a noscript', '<noscript><h1>Boats</h1></noscript>'],
  ])("isn't one with %s", (_, html) => {
    expect(readTags(html)).toBeUndefined();
  });
});
