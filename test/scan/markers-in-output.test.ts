import { describe, expect, test } from 'vitest';
import { unreadAddresses } from '../../src/scan/extract/unread-addresses.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';
import { readFiles } from './built-output.ts';

const read = async (files: Record<string, string | Uint8Array>) =>
  readFiles(await temporaryFolder('output'), files);

const rss = (content: string) => `<rss version="2.0"><item>${content}</item></rss>`;
const json = (content: string) =>
  JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', items: [{ content }] });
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

describe('a marker', () => {
  const refused = '<img data-media-asset-unavailable="4711" alt="">';
  const failed = '<p data-media-asset-failed="eyJjb2RlIjoiYWx0LW1pc3NpbmcifQ">';
  const credits = '<li data-media-asset-credits=64 lang=de></li>';
  const all = `${refused}${failed}${credits}`;
  const values = ['4711', 'eyJjb2RlIjoiYWx0LW1pc3NpbmcifQ', '64'];

  test('is an attribute of an element, with its place', async () => {
    const html = `<p>\u00e9\r\n${all}`;
    const { markers } = await read({ 'a.html': html });
    expect(markers.map(({ at, ...one }) => ({ ...one, tag: at && html.slice(...at) }))).toEqual([
      {
        kind: 'unavailable',
        value: '4711',
        id: 4711,
        lang: undefined,
        page: '/a.html',
        tag: refused,
      },
      {
        kind: 'failed',
        value: values[1],
        id: undefined,
        lang: undefined,
        page: '/a.html',
        tag: failed,
      },
      {
        kind: 'credits',
        value: '64',
        id: undefined,
        lang: 'de',
        page: '/a.html',
        tag: credits.slice(0, -5),
      },
    ]);
  });

  test.each([
    ['a template', 'a.html', `<template>${all}</template>`],
    ['a noscript', 'a.html', `<noscript>${all}</noscript>`],
    ['a select', 'a.html', `<select>${all}</select>`],
    ['srcdoc', 'a.html', `<iframe srcdoc='${escaped(all)}'></iframe>`],
    ['UTF-16', 'a.html', Buffer.from(`\uFEFF${all}`, 'utf16le')],
    ['a page behind 5 MB', 'a.html', `<p>${' '.repeat(5 * 1024 ** 2)}${all}`],
    ['RSS, escaped', 'rss.xml', rss(`<description>${escaped(all)}</description>`)],
    ['RSS, in CDATA', 'feed.rss', rss(`<description>a<![CDATA[${all}]]>b</description>`)],
    [
      'Atom with XHTML',
      'feed.atom',
      `<feed><content type="xhtml">${all
        .replaceAll(/(\w+)=(\w+)/g, '$1="$2"')
        .replaceAll('">', '"/>')
        .replaceAll('</li>', '')}</content></feed>`,
    ],
    ['a JSON feed', 'feed.json', json(all)],
    ['any JSON', 'api/boats.json', JSON.stringify([{ a: { b: all } }])],
  ])('counts in %s', async (_, file, text) => {
    const { markers } = await read({ [file]: text });
    expect(markers.map(({ value }) => value)).toEqual(values);
  });

  const pages: Readonly<Record<string, (text: string) => string>> = {
    'an alt': (text) => `<img src=a alt="${text.replaceAll('"', '&quot;')}">`,
    'a description': (text) =>
      `<meta name="description" content="${text.replaceAll('"', '&quot;')}">`,
    'props of an island': (text) =>
      `<astro-island props='${escaped(JSON.stringify({ text: [0, text] }))}'></astro-island>`,
    'inline code': (text) => `<code>${escaped(text)}</code>`,
    'a comment': (text) => `<!-- ${text} -->`,
    'JSON-LD': (text) => `<script type="application/ld+json">${JSON.stringify(text)}</script>`,
    'a script': (text) => `<script>a = ${JSON.stringify(text)}</script>`,
    'a textarea': (text) => `<textarea>${text}</textarea>`,
    'a title': (text) => `<title>${text}</title>`,
  };
  const files: Readonly<Record<string, (text: string) => string>> = {
    'llms.txt': (text) => text,
    'guide.md': (text) => text,
    'site.css': (text) => `a::before { content: '${text}' }`,
    'search.js': (text) => JSON.stringify({ text }),
    'boats.csv': (text) => text,
    data: (text) => text,
    'broken.json': (text) => `{ ${JSON.stringify(text)}`,
    'code.json': (text) => json(`<code>${escaped(text)}</code>`),
    'code.xml': (text) => rss(escaped(`<code>${escaped(text)}</code>`)),
    'cdata.xml': (text) => rss(`<![CDATA[<code>${escaped(text)}</code>]]>`),
    'comment.xml': (text) => rss(`<!-- ${text} -->`),
    'comment-in-a-feed.xml': (text) => rss(escaped(`<!-- ${text} -->`)),
  };
  const quoted = [refused, failed, credits, all, `'>${all}`, `"`, escaped(all)];

  test.each([
    ...Object.entries(pages).map(([name, put]) => [name, 'a.html', put] as const),
    ...Object.entries(files).map(([name, put]) => [name, name, put] as const),
  ])('is only quoted in %s', async (_, file, put) => {
    for (const text of quoted) {
      const { markers } = await read({ [file]: put(text) });
      expect(markers).toEqual([]);
    }
  });
});

test('finds unresolved Markdown URLs with their pages', async () => {
  const html = '<img alt="" src="media:4711?width=1"><a href=media:12>Report</a> media:13';
  const { unread } = await read({ 'a.html': html });
  expect(unread).toEqual([
    { address: 'media:4711?width=1', page: '/a.html' },
    { address: 'media:12', page: '/a.html' },
  ]);
});

test.each([
  ['a.html', '<code>&lt;img src=&quot;media:4711&quot;></code>', []],
  ['a.html', '<p>![A boat](media:1)</p>', []],
  ['rss.xml', rss('&lt;img alt="" src=&quot;media:1&quot;&gt;'), ['media:1']],
  ['rss.xml', rss('<![CDATA[<img src="media:1?a=1&b=2">]]>'), ['media:1?a=1&b=2']],
  ['rss.xml', rss('![A boat](media:1?width=9)'), ['media:1?width=9']],
  ['rss.xml', rss('<![CDATA[[A report](<media:2>)]]>'), ['media:2']],
  ['feed.atom', '<feed><content>&lt;a href=&#39;media:2&#39;&gt;</content></feed>', ['media:2']],
  ['feed.json', json('<a>\n</a><img\nsrc="media:1">'), ['media:1']],
  ['feed.json', json('![A boat](media:1)'), ['media:1']],
  // Mentions of such a URL, and files that aren't feeds:
  ['rss.xml', rss('&lt;p&gt;&amp;lt;img src=&amp;quot;media:1&amp;quot;&lt;/p&gt;'), []],
  ['search.json', JSON.stringify(['![A boat](media:1)']), []],
  ['a.js', ' src="media:1"', []],
])('in %s reads %s as %j', (file, text, found) => {
  expect(unreadAddresses(file, text)).toEqual(found);
});
