import { describe, expect, test } from 'vitest';
import { assetUrlReader, readIds } from '../../src/scan/extract/asset-url.ts';
import { cssUrls } from '../../src/scan/extract/css-urls.ts';
import { srcsetUrls } from '../../src/scan/extract/element-urls.ts';
import { isRedirectPage } from '../../src/scan/extract/redirect-page.ts';
import { decodePage, pageElements } from '../../src/scan/read/read-page.ts';
import { scanPage } from '../../src/scan/scan-page.ts';

const page = 'https://www.example.org/boats/';

const scan = (html: string, rules: Partial<Parameters<typeof scanPage>[0]> = {}) =>
  scanPage({
    ...{ elements: pageElements({ html, page }), page, isUtf8: true },
    assetUrls: assetUrlReader({ site: page }),
    ...rules,
  });

describe('scanPage', () => {
  test('returns the page, its name and each asset once, ordered by ID', () => {
    const html = `<title>Boats</title>
      <img data-media-asset="30" alt=""><img data-media-asset="4" alt="">
      <img data-media-asset="200 30" alt="">`;
    const found = scan(html);
    const usage = { page, pageName: 'Boats', assets: [4, 30, 200] };
    expect(found).toEqual({ usage, named: [], findings: [], links: [], stylesheets: [] });
  });

  test("lists the URLs of assets that aren't written like our files', absolute", () => {
    const file = '/_astro/media-asset/4711-0123456789abcdef-fedcba9876543210-harbour.webp';
    const html = `<title>Boats</title><img src="${file}" alt="">
      <img src="/_vercel/image?url=${encodeURIComponent(file)}&amp;w=640" alt="">
      <a href="https://media.example/dam/1/file/5/download/0#page=2">Plan</a>`;
    const assetUrls = assetUrlReader({ site: page, service: 'https://media.example/dam' });
    const found = scan(html, { assetUrls });
    expect(found?.links).toEqual([
      [`https://www.example.org/_vercel/image?url=${encodeURIComponent(file)}&w=640`, 4711],
      ['https://media.example/dam/1/file/5/download/0', 5],
    ]);
  });

  test('names the assets of a srcset alone too, so that their rights are judged', () => {
    const url = (digest: number) =>
      `/_astro/media-asset/4711-0123456789abcdef-fedcba987654321${digest}-harbour.webp`;
    const html = `<title>Boats</title><source srcset="${url(1)} 320w, ${url(2)} 640w">`;
    expect(scan(html)?.named).toEqual([4711]);
  });

  test("lists the URLs of renditions with a host, unless it's the one of our files", () => {
    const start = 'https://other.example/_astro/media-asset/4711-0123456789abcdef';
    const url = (digest: number) => `${start}-fedcba987654321${digest}-harbour.webp`;
    const srcset = `${url(1)} 320w, ${url(2)} 640w`;
    const html = `<title>Boats</title><img src="${url(0)}" srcset="${srcset}" alt="">`;
    const found = scan(html);
    expect(found?.usage.assets).toEqual([4711]);
    expect(found?.links.sort()).toEqual([0, 1, 2].map((digest) => [url(digest), 4711]));
    const ours = scan(html, { assetsPrefix: 'https://other.example' });
    expect(ours).toEqual({ ...found, links: [] });
    const bare = scan(html.replaceAll('https://other', '//other'));
    expect(bare?.links.sort()).toEqual(found?.links);
    const absolute = scan(html.replaceAll('https://other.example', 'https://www.example.org'));
    expect(absolute).toEqual({ ...found, links: [] });
  });

  test('counts no asset of a text or a URL that is written like a srcset', () => {
    const srcset = '/_astro/media-asset/4711-0123456789abcdef-fedcba9876543210-harbour.webp 640w';
    expect(scan(`<img alt="${srcset}" src="${srcset}">`)?.usage.assets).toEqual([]);
    expect(scan(`<img alt="" src="/a.png" srcset="${srcset}">`)?.usage.assets).toEqual([4711]);
  });

  test("names the page and a token that isn't an ID", () => {
    const found = scan('<img data-media-asset="4711x">');
    const message = `${page}: "4711x" isn't an asset ID.`;
    expect(found?.findings).toMatchObject([{ code: 'asset-id-invalid', page, message }]);
  });

  test("names the page and a text that names an asset but isn't its URL", () => {
    const name = '4711-0123456789abcdef-fedcba9876543210';
    const url = `/resize?from=%2F_astro%2Fmedia-asset%2F${name}-harbour.webp`;
    const found = scan(`<img alt="" src="${url}&w=640">`);
    expect(found?.usage.assets).toEqual([]);
    const message = `${page} names assets where usages aren't counted: 4711 in "${url}&w=640".`;
    expect(found?.findings).toMatchObject([{ code: 'asset-url-unread', page, message }]);
  });

  test('names the attributes and scripts with uncounted assets, in one finding per page', () => {
    const url = (id: number) =>
      `/_astro/media-asset/${id}-0123456789abcdef-fedcba9876543210-harbour.webp`;
    const html = `<img data-src="${url(5)}"><img data-src="${url(4)}" onclick="show('${url(3)}')">
      <img src="${url(2)}" data-large="${url(2)}"><script>show("${url(7)}")</script>`;
    const found = scan(html);
    expect(found?.usage.assets).toEqual([2]);
    expect(found?.findings.map(({ message }) => message)).toEqual([
      `${page} names assets where usages aren't counted: 3 in onclick; 4, 5 in data-src; 7 in an inline script.`,
    ]);
  });

  test("names the attributes with an object instead of a URL, as Astro's pages write it", () => {
    const absolute = new URL(String({}), page).href;
    const html = `<meta property="og:image" content="${absolute}"><a href="/boats/${{}}">Boats</a>
      <img src="${{}}" srcset="${{}} 1x, ${{}} 2x" alt="${{}}"><b style="background: url(${{}})">a</b>
      <meta name="description" content="What ${{}} means"><b title="${{}}">a</b>`;
    const found = scan(html);
    const messageOf = (attribute: string) =>
      `${page} has an object instead of a URL in ${attribute}, probably one of mediaAsset().`;
    const expected = ['content', 'href', 'src', 'srcset', 'style'].map(messageOf);
    expect(found?.findings.map(({ message }) => message)).toEqual(expected);
    expect(found?.findings[0]).toMatchObject({ code: 'object-as-url', page });
    for (const harmless of [html.split('\n')[2], '<p>[object Object]</p>', '<img src="/object">'])
      expect(scan(harmless ?? '')?.findings).toEqual([]);
  });

  test('requests the stylesheets that a page links or imports by absolute URL', () => {
    const html = `<base href="/css/"><link rel=stylesheet href="a.css#top"><link rel=stylesheet href="/css/a.css">
      <link rel="preload" href="b.css"><style>@import 'c.css'; @import url("//cdn.example.net/d.css");</style>`;
    const read = new Set<string>();
    scan(html, {
      readStylesheet(url) {
        read.add(url);
        return { urls: [], files: [] };
      },
    });
    expect([...read]).toEqual([
      'https://www.example.org/css/a.css',
      'https://www.example.org/css/c.css',
      'https://cdn.example.net/d.css',
    ]);
  });

  test('reads a page with very many elements', () => {
    const html = `<p>${'<i data-media-asset=5></i>'.repeat(150_000)}`;
    expect(pageElements({ html, page }).length).toBeGreaterThan(150_000);
  });
});

describe('data-media-asset', () => {
  test.each([
    ['4711', [4711], []],
    [' 1\t2\n3\f4\r5 ', [1, 2, 3, 4, 5], []],
    ['', [], []],
    ['9007199254740991 9007199254740992', [9007199254740991], ['9007199254740992']],
    ['-4711 --1 -01 -9007199254740992', [-4711], ['--1', '-01', '-9007199254740992']],
    ['0 01 -0 +1 1.0 1e3 0x1 1,2 a', [], ['0', '01', '-0', '+1', '1.0', '1e3', '0x1', '1,2', 'a']],
    ['1\u00a02', [], ['1\u00a02']],
    ['99999999999999999999', [], ['99999999999999999999']],
  ])('%j contains the IDs %j and the unreadable tokens %j', (value, ids, unreadable) => {
    expect(readIds(value)).toEqual({ ids, unreadable });
  });
});

describe('srcset', () => {
  test.each([
    ['', []],
    [' , ,, ', []],
    ['a', ['a']],
    ['a 1x', ['a']],
    ['a, b', ['a', 'b']],
    ['a,b', ['a,b']],
    ['a,b 1x,c', ['a,b', 'c']],
    ['a,, b,,,', ['a', 'b']],
    ['a 1x,b 2x', ['a', 'b']],
    ['a 100w 50h,b 200w', ['a', 'b']],
    ['a 1.5x, b .5x, c 1e2x, d 1.x, e +1x', ['a', 'b', 'c']],
    ['a -0x, b -0.0e9x, c -1x, d -.1x, e -0w, f -x', ['a', 'b']],
    ['a 0x, b 0w, c 00w, d 01w', ['a', 'd']],
    ['a 1x 1x, b 1w 1x, c 1w 1w, d 5h, e 5h 1x', []],
    ['a (1, 2) 1x, b', ['b']],
    ['a foo(1, 2', []],
    ['data:,a b 1x', []],
    ['\ta\n1x\f,\rb', ['a', 'b']],
  ])('%j has the URLs %j', (value, urls) => {
    expect(srcsetUrls(value)).toEqual(urls);
  });
});

describe('CSS', () => {
  test.each([
    ['a { b: url(c) }', ['c'], []],
    ['a { b: url( "c d" ), URL(\'e\') }', ['c d', 'e'], []],
    ['a { b: u\\72 l(c\\)d) }', ['c)d'], []],
    ['/* url(a) */ b { c: url(d/*e*/) }', ['d/*e*/'], []],
    ['a { b: "url(c)"; d: attr(e, "f") }', [], []],
    ['a { b: image-set("c" 1x type("d"), url("e") 2x) }', ['c', 'd', 'e'], []],
    ['a { b: cross-fade(url(c), -webkit-image-set("d" 1x)) }', ['c', 'd'], []],
    ['a { b: image-set(var(--c, "d") 1x type("e")) }', ['d', 'e'], []],
    ['a { b: image-set(if(else: "c") 1x), attr(d, "e") }', ['c'], []],
    ['a { --b: "c"; d: "e" } f { --G : "h" 1x', ['c', 'h'], []],
    ['a { --b: { } "c"; --d: var(--e, "f") }', ['c', 'f'], []],
    ['--a: "b"; c: "d"', ['b'], []],
    ['a { b: var(--c, "d"); e: "f" "--g:" }', [], []],
    ['@property --a { syntax: "<string>"; initial-value: "b" }', ['b'], []],
    ['@function --a(--b: "c", --d: "e") { result: "f" }', ['c', 'e', 'f'], []],
    ['@function --a(--b <string>: "c", --d type(<url>|none): "e") { f: "g" }', ['c', 'e'], []],
    ['@function --a(--b <string>: "c") returns <string> { d: "e" }', ['c'], []],
    ['a:not([b="c"]) { d: e } f:hover [g="h"] { i: j }', [], []],
    ['a { --b: url(c) } @media print { d { e: url(f) } }', ['c', 'f'], []],
    ['@import "a"; @IMPORT url(b) layer(c); d { e: url(f) }', ['f'], ['a', 'b']],
    ['@\\69mport "a"; @import-a "b"; c { d: url(e) }', ['e'], ['a']],
    ['@import { a: "b" } c { d: url(e) }', ['e'], []],
    ['a { b: url(c', ['c'], []],
    ['a { b: url(c d) } e { f: url(g) }', ['g'], []],
    ['}}) a { b: url(c) }', ['c'], []],
  ])('%j can fetch %j, and imports %j', (css, urls, imports) => {
    expect(cssUrls(css)).toEqual({ urls, imports });
  });
});

describe('a refresh', () => {
  test.each([
    '0;url=https://other.example/',
    '0;url=//other.example',
    '0;url=/old harbour/',
    '0;url=HTTP://other.example/',
    '0;url=mailto',
    '0; URL = "/a"',
    "0;url='/a'",
  ])('%j makes the page a redirect', (content) => {
    expect(isRedirect(content)).toBe(true);
  });

  test.each([
    '0;url=myapp://open/3',
    '0;url=mailto:ada@harbour.example',
    '0;url=tel:+4940123',
    '0;url=javascript:1',
    '0;url=data:text/html,x',
    '0;url=https://',
    '0;url=/boats/?again',
    '0;url=/boats/#pier 3',
    '1;url=/a',
    '0',
    '0;url=',
    'url=/a',
    "0;url='/a",
  ])('%j leaves the page on the screen', (content) => {
    expect(isRedirect(content)).toBe(false);
  });

  test.each(['0,/a', '0 url=/a', '0;/a', '0.9;url=/a', "0;url='/a'b"])(
    'counts the page, because redirects have no refresh like %j',
    (content) => {
      expect(isRedirect(content)).toBe(false);
    },
  );

  function isRedirect(content: string): boolean {
    const html = `<meta http-equiv="refresh" content="${content.replaceAll('"', '&quot;')}">`;
    const elements = pageElements({ html, page });
    return isRedirectPage(elements, { page, base: page });
  }
});

describe('the bytes of a page', () => {
  test.each([
    ['UTF-8', [0xc3, 0xa9], 'é', true],
    ['a byte order mark', [0xef, 0xbb, 0xbf, 0x61], 'a', true],
    ['UTF-16, little-endian', [0xff, 0xfe, 0xe9, 0x00], 'é', false],
    ['UTF-16, big-endian', [0xfe, 0xff, 0x00, 0xe9], 'é', false],
    ['Latin 1', [0x61, 0xe9], 'a\ufffd', false],
    ['ISO-2022-JP', [0x1b, 0x24, 0x42, 0x25, 0x3c], '\x1b$B%<', false],
    ['nothing', [], '', true],
  ])('are decoded by their charset: %s', (_, bytes, text, isUtf8) => {
    expect(decodePage(Uint8Array.from(bytes))).toEqual({ text, isUtf8 });
  });
});
