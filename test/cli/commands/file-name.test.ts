import { basename, posix, win32 } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { downloadName, safeFileName } from '../../../src/cli/commands/library/download.ts';
import { scriptedClient, startScriptedService } from '../../service/scripted-service.ts';

describe('a file name from the service', () => {
  test.each([
    ['quay.jpg', 'quay.jpg'],
    ['港の夜明け.jpg', '港の夜明け.jpg'],
    ['../../.ssh/authorized_keys', '-..-.ssh-authorized_keys'],
    ['/etc/passwd', '-etc-passwd'],
    ['C:\\Windows\\system.ini', 'C--Windows-system.ini'],
    ['.htaccess', 'htaccess'],
    ['..', ''],
    ['', ''],
    ['\u0000\u001b', ''],
    ['con.jpg', '_con.jpg'],
    ['Nul .tar.gz', '_Nul .tar.gz'],
    ['COM¹', '_COM¹'],
    ['quay.jpg:stream', 'quay.jpg-stream'],
    ['quay. . ', 'quay'],
    ['q\u202egpj.exe', 'qgpj.exe'],
    [`${'a'.repeat(251)}.jpg`, `${'a'.repeat(251)}.jpg`],
    [`${'a'.repeat(252)}.jpg`, `${'a'.repeat(251)}.jpg`],
    [`a${'港'.repeat(200)}.jpeg`, `a${'港'.repeat(83)}.jpeg`],
    [`${'🚢'.repeat(100)}.tar.gz`, `${'🚢'.repeat(63)}.gz`],
    [`${'a'.repeat(250)}. b.jpg`, `${'a'.repeat(250)}.jpg`],
    [`a.${'x'.repeat(300)}`, `a.${'x'.repeat(253)}`],
    [`con.${'x'.repeat(300)}`, `_con.${'x'.repeat(250)}`],
  ])('%j is saved as %s', (name, safe) => {
    expect(safeFileName(name)).toBe(safe);
  });

  test('never leaves its folder on any system', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('..', '/', '\\', ':', '.', ' ', 'nul', 'con', 'C:', '\0'),
    );
    const anyName = fc.array(part, { maxLength: 200 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(anyName, (given) => {
        const name = safeFileName(given);
        fc.pre(name !== '');
        expect(basename(name)).toBe(name);
        expect(posix.dirname(posix.resolve('/kept', name))).toBe('/kept');
        expect(win32.dirname(win32.resolve('C:\\kept', name))).toBe('C:\\kept');
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        expect(name).not.toMatch(/^\.|[. ]$|[<>:"|?*\p{C}]/u);
        expect(safeFileName(name)).toBe(name);
      }),
    );
  });

  test('is generated if the service gives none', () => {
    const named = { filename: 'quay.tif', contentType: 'image/jpeg; q=1' };
    const unnamed = { filename: undefined, contentType: 'image/png' };
    expect(downloadName(unnamed, 5)).toBe('asset-5.png');
    expect(downloadName(named, 5)).toBe('quay.tif');
  });
});

test.each([
  [null, undefined],
  ['attachment', undefined],
  ['attachment; filename=quay.jpg', 'quay.jpg'],
  ['attachment; filename="the \\"quay\\".jpg"', 'the "quay".jpg'],
  ['attachment; filename="x.jpg"; filename*=UTF-8\'\'%E6%B8%AF.jpg', '港.jpg'],
  ['attachment; filename="x.jpg"; filename*=UTF-8\'\'%FF.jpg', '\ufffd.jpg'],
  [`attachment; filename="${'x'.repeat(5000)}"`, undefined],
])('Content-Disposition %j names %s', async (header, name) => {
  const headers = { ...(header !== null && { 'content-disposition': header }) };
  const service = await startScriptedService({
    respond: (response) => void response.writeHead(200, headers).end('picture'),
  });
  const download = await scriptedClient(service.url).files.original(4711);
  expect(download).toMatchObject({ status: 'received', filename: name });
});
