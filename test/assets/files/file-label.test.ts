import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { downloadFileName, fileTitle } from '../../../src/assets/files/file-label.ts';

describe('the name of a file in the service', () => {
  test.each([
    ['Annual report.pdf', 'Annual report'],
    ['../../etc/passwd', 'passwd'],
    ['a\0b.pdf', 'ab'],
    ['\u202efdp.exe', 'fdp'],
    ['.htaccess', 'htaccess'],
    [undefined, undefined],
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
