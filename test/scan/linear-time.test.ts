import { runInThisContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { fileTitle } from '../../src/assets/files/file-label.ts';
import { detectFileType } from '../../src/assets/formats/detect-file-type.ts';
import { mayHaveMarker } from '../../src/assets/formats/markers.ts';
import { probeSvg } from '../../src/assets/formats/probe-svg.ts';
import {
  findRenditions,
  idOfPlainUrl,
  parseRenditionUrl,
} from '../../src/assets/formats/rendition-url.ts';
import { readSourceType } from '../../src/assets/formats/source-types.ts';
import { readXmp } from '../../src/assets/formats/xmp.ts';
import { checkImages } from '../../src/cli/audit/checks.ts';
import { assetUrlReader } from '../../src/scan/extract/asset-url.ts';
import { pageImages, visibleText } from '../../src/scan/extract/page-images.ts';
import { unreadAddresses } from '../../src/scan/extract/unread-addresses.ts';
import { readTags } from '../../src/scan/read/read-tags.ts';
import { scanPage } from '../../src/scan/scan-page.ts';

/** In characters. */
const long = 1024 ** 2;
const short = long / 32;

/** For a text 32 times as long, linear work takes 32 times as long, and quadratic work 1024 times. */
const mostGrowth = 150;

/** In ms. Less can't be compared, and nobody waits for it. */
const unnoticed = 250;

/** In ms. Quadratic work at the full length takes minutes: it's ended. */
const patience = 20_000;

/** A busy machine makes work longer, never shorter: the least of several times counts. */
const tries = 3;

/** The processor's time that `read` takes, in ms. Others on the machine don't count. */
function timeOf(read: (text: string) => unknown, text: string): number {
  const before = process.cpuUsage();
  Object.assign(globalThis, { readSlowInput: () => read(text) });
  try {
    runInThisContext('readSlowInput()', { timeout: patience });
  } catch (error) {
    if (errorCode(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return Number.POSITIVE_INFINITY;
    throw error;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** A text of `length` characters between the two others. */
type Text = readonly [piece: string, start?: string, end?: string];

function write([piece, start = '', end = '']: Text, length: number): string {
  return start + piece.repeat(Math.ceil(length / piece.length)) + end;
}

const inPage = (text: string) =>
  `<!doctype html><html><head><title>Boats</title></head><body>${text}</body></html>`;

function isLinear(read: (text: string) => unknown, text: Text): boolean {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let tried = 0; tried < tries; tried += 1) {
    // The first run compiles the code, and any run can meet the garbage collector.
    const times = [1, 2, 3, 4].map(() => timeOf(read, write(text, short)));
    first = Math.min(first, ...times);
    last = Math.min(last, timeOf(read, write(text, long)));
    if (Number.isFinite(last) && last <= Math.max(first * mostGrowth, unnoticed)) return true;
  }
  return false;
}

const service = 'https://media.example.org/api';
const assetUrls = assetUrlReader({ site: 'https://www.example.org', service });
const scan = (text: string) => {
  const page = 'https://www.example.org/boats/';
  scanPage({ elements: readTags(inPage(text)) ?? [], page, isUtf8: true, assetUrls });
};
const audited = (image: { alt?: string; name?: string }) =>
  checkImages([{ id: 4711, page: '/', as: 'image', labelled: false, ...image }]);
const svg = (text: string) => attempt(() => probeSvg(Buffer.from(text)));
const attempt = (work: () => unknown) => {
  try {
    work();
  } catch {
    // Refusing a text takes time too.
  }
};
const rendition = '/media-asset/4711-0123456789abcdef-fedcba9876543210-boats.webp';

/** What reads a page's text, or a name, and what takes longest if a pattern of it isn't linear. */
const readers: Record<string, [read: (text: string) => unknown, ...texts: Text[]]> = {
  'the tags of a page': [
    (text) => readTags(inPage(text)),
    [' ', '<svg ', '></svg>'],
    [' ', '<svg viewBox="0 0 1 1" ', '/><p></p>'],
    [' ', '<img src="/media-asset/" ', '>'],
    ['/', '<img src="/media-asset/" ', '>'],
    ['a=b ', '<img src="/media-asset/" ', '>'],
    ['a =  ', '<img src="/media-asset/" ', '>'],
    ['<a b="', '', '>'],
    ['<!--'],
    ['</a ', '', '>'],
  ],
  'the assets of a page': [
    scan,
    ['\t', '<img src="', '/download">'],
    ['/a', '<img src="', 'media-asset">'],
    [`${rendition}?`, '<img src="', '\n">'],
    [`${rendition} 1w, `, '<img srcset="', '">'],
    [',', '<img srcset="media-asset', 'a,">'],
    ['(,', '<img srcset="media-asset a', '">'],
    [' ', '<meta http-equiv="refresh" content="0;', 'url">'],
    [' ', '<meta http-equiv="refresh" content="0;url=', `'">`],
    [' ', '<meta http-equiv="refresh" content="0;url=a', `'">`],
    ['1', '<meta http-equiv="refresh" content="', 'x">'],
    ['url( ', '<style>media-asset/', '</style>'],
    ['/* ', '<style>media-asset/', '</style>'],
    ['\\ ', '<style>media-asset/', '</style>'],
    [' \n', '<h1>', 'x</h1>'],
    ['media-asset%25', '<script>', '</script>'],
    [String.raw`media-asset\\`, '<script>', '</script>'],
    ['https://media.example.org/api/1/file/1%25', '<script>', '</script>'],
  ],
  'the URL of a rendition': [parseRenditionUrl, [`${rendition}?`, '', '\n'], ['/media-asset']],
  'a plain URL': [idOfPlainUrl, ['/a'], ['a.', 'https://'], ['-', 'https://a']],
  'the renditions of a file': [findRenditions, ['media-asset%25'], [String.raw`media-asset\\`]],
  'addresses in a page': [
    (text) => unreadAddresses('index.html', text),
    [' src= '],
    [' ', ' src='],
    [' src=media:1'],
  ],
  'addresses in a feed': [
    (text) => unreadAddresses('rss.xml', text),
    ['](media:1&a'],
    ['&a', '](media:1'],
    ['&a=', '](media:1'],
    ['src=&quot;'],
  ],
  'markers of a page': [
    (text) => mayHaveMarker.test(text),
    ['data-media-asset-'],
    ['a', 'data-media-asset-failed="'],
  ],
  'the images of a page': [
    (text) => pageImages({ text: inPage(text), elements: readTags(inPage(text)) ?? [] }),
    ['()', '<img data-media-asset srcset="a,', '">'],
    ['a,', '<img data-media-asset srcset="', '">'],
    [',', '<img data-media-asset sizes="', '">'],
    ['(', '<img data-media-asset sizes="', '">'],
    ['(,', '<img data-media-asset sizes="', '">'],
    [' 1px', '<img data-media-asset sizes="', 'x">'],
    [' ', '<img data-media-asset alt="x', 'x">'],
    ['<source data-media-asset>'],
    ['<html '],
    [' lang', '<html '],
    [' lang', '<html ', '>'],
  ],
  'the text of a page': [
    visibleText,
    ['<!--'],
    ['<script '],
    ['<script></script ', '', 'x'],
    ['<a '],
    ['<a b="'],
    ['<a b=\'"', '', '>'],
  ],
  'an alt text': [
    (alt) => audited({ alt }),
    ['1', '', '!'],
    ['1', 'img_', '!'],
    ['a_', '', '!'],
    ['JPG.'],
    ['an image '],
  ],
  'an alt text that is a name': [(text) => audited({ alt: text, name: text }), ['-', '', ' ']],
  'the title of a file': [fileTitle, ['. ', 'a', 'b'], ['.', 'a', 'b'], [' ', 'a', 'b']],
  'an SVG': [
    svg,
    ['<!', '<svg xmlns="http://www.w3.org/2000/svg">'],
    ['<!ENTITY a ', '<!DOCTYPE svg ['],
    [' ', '<!DOCTYPE svg [<!ENTITY', ']><svg/>'],
    ['a=" ', '<svg '],
    ['<\'"', '<svg '],
    ['<g>', '<svg xmlns="http://www.w3.org/2000/svg">'],
  ],
  XMP: [readXmp, ['<!'], ['<!ENTITY a '], ['a=" ', '<x '], ['<x>'], [']]>', '<x><![CDATA[']],
  'a source type': [readSourceType, [' ', 'a', 'b']],
  'the start of a file': [
    (text) => detectFileType({ start: Buffer.from(text), declared: text, filename: text }),
    ['<!doctype '],
    [' ', '<!doctype', '!'],
    ['+xml', 'a', '!'],
    ['.a ', 'a', '!'],
  ],
};

// All tries, and as long again.
const timeout = 2 * tries * patience;

describe.each(Object.entries(readers))('%s', { timeout }, (_, [read, ...texts]) => {
  const named = texts.map((text) => [JSON.stringify(write(text, 1)), text] as const);
  test.each(named)('takes linear time for a long %s', (_, text) => {
    expect(isLinear(read, text)).toBe(true);
  });
});

test('quadratic work on a twentieth of the text is seen', () => {
  const read = (text: string) => text.slice(-text.length / 20).match(/ +$/);
  expect(isLinear(read, [' ', '', 'x'])).toBe(false);
});
