import { expect, test } from 'vitest';
import { readOwnPackage } from '../../src/config/own-package.ts';
import { inAuthorsWords, noticeOf } from '../../src/errors/author-words.ts';
import { catalogue } from '../../src/errors/error-catalogue.ts';
import {
  describe as describeCode,
  finding,
  isMediaAssetError,
  mediaAssetError,
} from '../../src/errors/errors.ts';
import { errorPage, homepage } from '../../src/errors/homepage.ts';

test('an error carries its code, its hint and its cause', () => {
  const cause = new Error('socket closed');
  const error = mediaAssetError(
    'service-unreachable',
    { call: 'GET /1/file/4711/download/0', reason: 'connection refused' },
    { cause },
  );

  expect(error).toMatchObject({
    name: 'MediaAssetError [service-unreachable]',
    code: 'service-unreachable',
    message: "The service couldn't be reached for GET /1/file/4711/download/0: connection refused.",
    cause,
  });
  expect(error.hint).toMatch(
    /\. \[service-unreachable\]\nRead more: npx --no media-asset explain service-unreachable$/,
  );
});

test('a code has a page once the package has a website', () => {
  const { homepage: named } = readOwnPackage() as { homepage?: string };
  expect(named ?? '').toBe(homepage);
  expect(errorPage('site-missing')).toBe(homepage ? `${homepage}/errors/site-missing/` : undefined);
  expect(errorPage('site-missing', 'https://docs.example/x')).toBe(
    'https://docs.example/x/errors/site-missing/',
  );
});

test('isMediaAssetError matches an error by its code', () => {
  const error = mediaAssetError('scan-empty', { dir: 'dist' });
  expect(isMediaAssetError(error)).toBe(true);
  expect(isMediaAssetError(error, 'folder-missing', 'scan-empty')).toBe(true);
  expect(isMediaAssetError(error, 'folder-missing')).toBe(false);
  expect(isMediaAssetError(new Error('other'))).toBe(false);
});

const circular: Record<string, unknown> = {};
circular.self = circular;

test.each<[string, unknown, string | RegExp]>([
  ['shortened if it is long', 'x'.repeat(500), /^.{1,150}$/],
  ['on one line, in its direction', 'a\u202eb\u2066c\u2028d\ne', /"a b c d\\ne"/],
  ['named if it has no JSON', circular, /\[object Object\]/],
])('a value in a message is %s', (_, value, expected) => {
  expect(describeCode('asset-id-invalid', { page: '/a/', value }).message).toMatch(expected);
});

test('a finding is data with a code, a severity, a page and a text', () => {
  expect(finding('warning', 'page-not-utf8', { page: 'https://a.example/' })).toEqual({
    code: 'page-not-utf8',
    severity: 'warning',
    page: 'https://a.example/',
    message: "https://a.example/ isn't UTF-8. Its name may be wrong.",
    hint: 'Publish the page as UTF-8.',
  });
});

test('the details of a finding are what its message was made from, and nothing else', () => {
  const asked = { call: 'GET /1/file/7', target: 'https://cdn.example', reason: 'not public' };
  const given = { ...asked, page: '/quay/', url: 'https://cdn.example/7?signature=secret' };
  expect(finding('warning', 'redirect-refused', given).details).toEqual(asked);
  const problems = ['it has no ID', 'it has no ID'];
  const { details } = mediaAssetError('records-skipped', { call: 'GET /1/folder/12', problems });
  expect(details).toEqual({ call: 'GET /1/folder/12', problems });
  expect(finding('warning', 'page-not-utf8', { page: '/quay/' }).details).toBeUndefined();
});

test.each<[string, unknown, unknown]>([
  ['long', 'x'.repeat(5000), { value: 'x'.repeat(1000) }],
  ['circular', circular, undefined],
  ['a big integer', 12n, undefined],
  ['a function', () => 4711, undefined],
])('a value that is %s stays in its message, and details are JSON', (_, value, expected) => {
  const error = mediaAssetError('asset-id-invalid', { page: '/quay/', value });
  expect(error.details).toEqual(expected);
  expect(Object.keys(error)).not.toContain('details');
});

test('no message contains a word that makes Astro replace the hint, and no hint what it reads as a link', () => {
  for (const [code, { message, hint }] of Object.entries(catalogue)) {
    expect(`${message}`, code).not.toMatch(/\b(document|window)\b/i);
    expect(hint, code).not.toMatch(/\[[^[]+\]\(/);
  }
});

test('names one unavailable asset in the sentence, and several in a list', () => {
  const quay = { id: 99, reason: 404, asked: [{ page: '/quay/' }, { page: '/' }] };
  const nowhere = { id: 12, reason: undefined, asked: [] };
  const textOf = (...assets: (typeof quay | typeof nowhere)[]) =>
    describeCode('asset-unknown', { assets }).message;
  expect(textOf(quay)).toBe("The service doesn't know asset 99 (404) on /quay/, /.");
  expect(textOf(nowhere)).toBe("The service doesn't know asset 12.");
  expect(textOf(nowhere, quay)).toBe(
    "The service doesn't know:\n  - asset 12\n  - asset 99 (404) on /quay/, /",
  );
});

test('a link to an image in Markdown has a hint that works in Markdown', () => {
  const { hint } = describeCode('file-is-picture', { id: 4711 });
  expect(hint).toContain('in Markdown with `![](media:4711)`');
});

test.each([
  ['service-unreachable', { reason: 'ECONNREFUSED' }, "can't be reached"],
  ['service-failed', { status: 500, answer: '' }, 'has a problem'],
  ['service-limited', { status: 429 }, 'is busy'],
] as const)(
  '%s is told to authors in their words, then in technical ones',
  (code, details, problem) => {
    const found = finding('error', code, { call: 'GET /1/foldertree', ...details } as never);
    const { message, hint, ...others } = inAuthorsWords(found);
    expect(message).toBe(`The media service ${problem}. Your work is kept.`);
    expect(hint).toContain(`${found.message} ${found.hint}`);
    expect(found).toMatchObject(others);
  },
);

const isRefused = "doesn't have this, or doesn't show it to you";
const isOdd = "answers in a way that this site can't read";

test.each([
  ['request-refused', { status: 404, answer: 'There is no file 4711' }, isRefused],
  ['request-forbidden', { answer: '' }, isRefused],
  ['answer-html', {}, isOdd],
  ['answer-unexpected', { problem: 'no array' }, isOdd],
  ['redirect-refused', { target: 'http://other.example', reason: 'no https' }, isOdd],
] as const)(
  '%s is told in a browser in plain words, then in those of the people who run the website',
  (code, details, problem) => {
    const error = mediaAssetError(code, { call: 'GET /1/file/4711', ...details } as never);
    const { message, hint } = noticeOf(error);
    expect(message).toBe(`The media service ${problem}.`);
    expect(hint).toContain(`For the people who run this website: ${error.message} `);
  },
);

test('authors read any other error as it is', () => {
  const found = finding('error', 'asset-id-invalid', { value: 'x' });
  expect(inAuthorsWords(found)).toBe(found);
});
