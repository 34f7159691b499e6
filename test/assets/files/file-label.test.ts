import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  assetName,
  downloadFileName,
  fileTitle,
  sizeText,
} from '../../../src/assets/files/file-label.ts';

describe('the name of a file in the service', () => {
  test.each([
    ['Annual report.pdf', 'Annual report'],
    ['../../etc/passwd', 'passwd'],
    ['a\0b.pdf', 'ab'],
    ['\u202efdp.exe', 'fdp'],
    ['.htaccess', 'htaccess'],
    [undefined, undefined],
    [`${'x'.repeat(121)}.pdf`, 'x'.repeat(120)],
    [`${'x'.repeat(119)} x.pdf`, 'x'.repeat(119)],
    ['🚢'.repeat(121), '🚢'.repeat(120)],
    ['report.', 'report'],
    ['notes.of a day', 'notes.of a day'],
    ['minutes.abcdefghijk', 'minutes.abcdefghijk'],
    ['  spaced\n out  .pdf', 'spaced out'],
  ])('%j is shown as %j', (filename, title) => {
    expect(fileTitle(filename)).toBe(title);
  });

  test.each([
    ['Annual report', 'Annual report.pdf'],
    ['Annual report.PDF', 'Annual report.pdf'],
    ['Input/output, plan 1:50, v2.5', 'Input-output, plan 1-50, v2.5.pdf'],
    ['...', 'file.pdf'],
  ])('%j is downloaded as %j', (title, name) => {
    expect(downloadFileName(title, 'pdf')).toBe(name);
  });

  test('gives a download name without a path, a control character or a second extension', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0x10ffff })), (codes) => {
        const text = String.fromCodePoint(...codes);
        const name = downloadFileName(fileTitle(text) ?? '4711', 'pdf');
        expect(name).toMatch(/^[^/\\:*?"<>|\p{C}]+\.pdf$/u);
        expect(name).not.toMatch(/^\./);
      }),
    );
  });
});

test.each([
  [0, 'en', '0 bytes'],
  [1, 'en', '1 byte'],
  [999, 'en', '999 bytes'],
  [1000, 'en', '1 kB'],
  [99_949, 'en', '99.9 kB'],
  [99_950, 'en', '100 kB'],
  [999_499, 'en', '999 kB'],
  [999_500, 'en', '1 MB'],
  [2_449_999, 'en', '2.4 MB'],
  [2_449_999, 'fr', '2,4 Mo'],
  [3e9, 'en', '3 GB'],
  [5e12, 'en', '5 TB'],
  [2.5e15, 'en', '2,500 TB'],
])('%d bytes in %s are %s', (bytes, locale, text) => {
  expect(sizeText(bytes, locale).replace(/\s/g, ' ')).toBe(text);
});

test.each([
  [{ name: ' The quay ', filename: 'quay.jpg' }, 'The quay'],
  [{ name: ' ', filename: 'boats/quay.jpg' }, 'quay'],
  [{ name: 7, filename: 'quay.jpg' }, 'quay'],
  [{ filename: undefined }, undefined],
])('people read the name of %o as %s', (asset, name) => {
  expect(assetName(asset)).toBe(name);
});
