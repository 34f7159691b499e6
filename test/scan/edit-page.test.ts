import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editPage } from '../../src/scan/edit-page.ts';
import { assetUrlReader } from '../../src/scan/extract/asset-url.ts';
import { pageElements } from '../../src/scan/read/read-page.ts';

const page = 'https://www.example.org/credits/';
const assetUrls = assetUrlReader({ site: page });

const list = '<li data-media-asset-credits=0></li>';
const filled = '<li id="media-credit-4711">Photo: é</li>';

const inPage = (body: string) =>
  `<!doctype html><html lang="en"><head><title>Böats</title></head><body>${body}</body></html>`;

function edit(html: string | Uint8Array, fill = filled) {
  const bytes = Buffer.from(html as string);
  return editPage(bytes, { page, assetUrls, fill: async () => fill });
}

const edited = async (...asked: Parameters<typeof edit>) => (await edit(...asked)).toString();

describe('a list of credits is filled in', () => {
  test.each([
    ['in a <ul>', `<ul>${list}</ul>`],
    ['after other letters', `<p>é 😀 &amp; \u2028</p><ul>${list}</ul><p>é</p>`],
    ['in a template', `<template><ul>${list}</ul></template>`],
    ['in a noscript', `<noscript><ul>${list}</ul></noscript>`],
    ['in a select', `<select><option>a</option><ul>${list}</ul></select>`],
    ['in a select in a template', `<template><select><ul>${list}</ul></select></template>`],
    ['in a table', `<table><tr><td><ul>${list}</ul></td></tr></table>`],
    ['where a parser moves it', `<table>${list}</table>`],
    ['in an SVG', `<svg><foreignObject><ul>${list}</ul></foreignObject></svg>`],
    ['in a paragraph', `<p>a${list}<p>b`],
    ['behind an unclosed element', `<p><b><a href="/"><ul>${list}</ul>`],
    ['behind a broken comment', `<!--><p --!><ul>${list}</ul>`],
    ['twice', `<ul>${list}</ul><select></select><ol>${list}</ol>`],
    ['in lines of Windows', `<p>\r\n\r\n</p>\r\n<table>\r\n<td>\r\n<ul>\r\n${list}\r\n</ul>`],
  ])('%s', async (_, body) => {
    const html = inPage(body);
    expect(await edited(html)).toBe(html.replaceAll(list, filled));
  });

  test.each([
    ['with other attributes', '<li class="a" lang=de data-media-asset-credits="0" ></li>'],
    ['in capitals', '<LI DATA-MEDIA-ASSET-CREDITS></li>'],
    ['over several lines', '<li\r\n\tdata-media-asset-credits\r=\r\n0\r\n></li>'],
    ['without an end tag', '<li data-media-asset-credits=0>'],
  ])('%s', async (_, written) => {
    const html = inPage(`<ul>${written}</ul>`);
    expect(await edited(html)).toBe(inPage(`<ul>${filled}</ul>`));
  });

  test('in a page with a byte order mark, which stays', async () => {
    const html = `\uFEFF${inPage(`<ul>${list}</ul>`)}`;
    expect(await edited(html)).toBe(html.replace(list, filled));
  });

  test('in a page without a title', async () => {
    expect(await edited(`<h1>Boats</h1><ul>${list}</ul>`)).toContain(filled);
  });

  test('each with what is asked for', async () => {
    const html = inPage(
      '<li data-media-asset-credits lang="de"></li><select></select><li data-media-asset-credits></li>',
    );
    const bytes = await editPage(Buffer.from(html), {
      page,
      assetUrls,
      fill: async ({ lang }) => `<li>${lang}</li>`,
    });
    expect(bytes.toString()).toBe(inPage('<li>de</li><select></select><li>undefined</li>'));
  });
});

/** Texts that look like a list, or end what's around them. */
const texts = [
  list,
  list.replaceAll('=0', '="0"'),
  `">${list}`,
  `'>${list}`,
  `--${list}`,
  `]]>${list}`,
  `&lt;li data-media-asset-credits=0&gt;`,
];

const attributeOf = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
const textOf = (text: string) => attributeOf(text).replaceAll('<', '&lt;');

/** Where a text is no element. Astro leaves `<` and `>` in attributes as they are. */
const places: Readonly<Record<string, (text: string) => string>> = {
  'in an alt': (text) => `<img src=a alt="${attributeOf(text)}">`,
  'in a title': (text) => `<p title="${attributeOf(text)}">a</p>`,
  'in a description': (text) => `<meta name="description" content="${attributeOf(text)}">`,
  'in an island': (text) => `<astro-island props="${attributeOf(text)}"></astro-island>`,
  'in code': (text) => `<p><code>${textOf(text)}</code></p>`,
  'in a comment': (text) => `<!-- ${text.replaceAll('--', '')} -->`,
  'in JSON-LD': (text) => `<script type="application/ld+json">${JSON.stringify(text)}</script>`,
  'in a script': (text) => `<script>const text = ${JSON.stringify(text)}</script>`,
  'in a style': (text) => `<style>a::before{content:${JSON.stringify(text)}}</style>`,
  'in a textarea': (text) => `<textarea>${text}</textarea>`,
  'in an iframe': (text) => `<iframe>${text}</iframe>`,
  'in CDATA of an SVG': (text) => `<svg><desc>a</desc><![CDATA[${text.replace(']]>', '')}]]></svg>`,
};

describe.each(Object.entries(places))('a text %s stays', (_, place) => {
  test.each(texts)('%s', async (text) => {
    const html = inPage(`${place(text)}<ul>${list}</ul>${place(text)}`);
    const expected = inPage(`${place(text)}<ul>${filled}</ul>${place(text)}`);
    expect(await edited(html)).toBe(expected);
    // Pages that the tags alone don't decide.
    expect(await edited(`${html}<b><i></b>`)).toBe(`${expected}<b><i></b>`);
  });
});

test('any text around a list stays', async () => {
  const place = fc.constantFrom(...Object.values(places));
  const around = fc.tuple(place, fc.constantFrom(...texts)).map(([put, text]) => put(text));
  await fc.assert(
    fc.asyncProperty(fc.array(around), fc.array(around), async (before, after) => {
      const [start, end] = [before.join('\r\n'), after.join('\r')];
      const html = await edited(inPage(`${start}<ul>${list}</ul>${end}`));
      expect(html).toBe(inPage(`${start}<ul>${filled}</ul>${end}`));
      const shown = pageElements({ html, page }).filter(
        ({ element }) => element.properties.id === 'media-credit-4711',
      );
      expect(shown).toHaveLength(1);
    }),
  );
});

describe('a list that would be wrong afterwards is refused, with its page', () => {
  const withList = inPage(`<ul>${list}</ul>`);
  const utf16 = Buffer.from(`\uFEFF${withList}`, 'utf16le');

  test.each([
    ['a page in UTF-16', utf16, "isn't UTF-8"],
    ['a page in UTF-16, big-endian', Buffer.from(utf16).swap16(), "isn't UTF-8"],
    ['a page in another encoding', Buffer.from(withList, 'latin1'), "isn't UTF-8"],
    // ISO-2022-JP has it, and its letters can look like tags.
    ['a page that may be in another encoding', `${withList}\u001b`, 'U+001B'],
    ['a list in srcdoc', inPage(`<iframe srcdoc="${list}"></iframe>`), 'in an attribute'],
  ])('%s', async (_, html, problem) => {
    const error = await edit(html).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'credits-unfilled', page });
    expect(String(error)).toContain(problem);
  });

  test.each([
    ['an asset', '<li><img data-media-asset="4712"></li>'],
    ['an open comment', '<!--'],
    ['an open attribute', '<li title="'],
    ['an open script', `${filled}<script>`],
    ['another list', `${filled}<li data-media-asset-credits=0></li>`],
  ])('%s', async (_, html) => {
    const after = '<img data-media-asset=1 alt="a"><p title="b">a</p>';
    await expect(edit(inPage(`<ul>${list}</ul>${after}`), html)).rejects.toMatchObject({
      code: 'credits-unfilled',
      page,
    });
  });
});
