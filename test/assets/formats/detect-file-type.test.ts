import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detectFileType } from '../../../src/assets/formats/detect-file-type.ts';
import { drawTestImage } from '../../support/images/test-images.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const pdf = bytes('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n');
const blank = ' '.repeat(3000);
const zip = bytes('PK\x03\x04\x14\0');
const detect = (start: Uint8Array, filename?: string, declared?: string) =>
  detectFileType({ start, filename, declared });
const kindsOf = (...[start, filename, declared]: Parameters<typeof detect>) =>
  detect(start, filename, declared).guarded.map(({ kind, by }) => `${kind} by ${by}`);

describe('the bytes decide the published type', () => {
  test.each([
    ['a PDF', pdf, 'report.pdf', undefined, 'pdf', 'application/pdf'],
    ['a PDF with another name', pdf, 'report.zip', 'application/zip', 'pdf', 'application/pdf'],
    ['a kind of zip archive', zip, 'plan.3mf', undefined, '3mf', 'model/3mf'],
    ['a zip archive named as a PDF', zip, 'a.pdf', undefined, 'zip', 'application/zip'],
    ['an audio file', bytes('RIFF\0\0\0\0WAVEfmt '), 'bell.wav', undefined, 'wav', 'audio/wav'],
    ['a video', bytes('\0\0\0\x18ftypisom'), 'a.m4v', undefined, 'm4v', 'video/mp4'],
    ['a text, by its name', bytes('id;name\n'), 'list.csv', undefined, 'csv', 'text/csv'],
    ['a text, by its type', bytes('a,b\n'), undefined, 'text/csv; charset=x', 'csv', 'text/csv'],
    ['a text, by its bytes', bytes('Tides\n'), undefined, undefined, 'txt', 'text/plain'],
    ['bytes', bytes('\x01\x02'), 'noending', undefined, 'bin', 'application/octet-stream'],
    ['a drawing', bytes('AC1032'), 'HULL.DWG', undefined, 'dwg', 'application/octet-stream'],
  ])('%s', (_, start, filename, declared, extension, contentType) => {
    expect(detectFileType({ start, filename, declared })).toEqual({
      extension,
      contentType,
      guarded: [],
    });
  });
});

test('text has no control characters except whitespace', () => {
  const codes = Array.from({ length: 0x21 }, (_, code) => code);
  const ofText = codes.filter((code) => detect(Buffer.from([0x61, code])).extension === 'txt');
  expect(ofText).toEqual([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20]);
});

describe('detects files that a browser would run', () => {
  test.each([
    ['an HTML page', '<!DOCTYPE html><p>', 'a.txt', undefined, ['html by bytes']],
    ['a page after whitespace', `\xef\xbb\xbf\n${blank}<BODY>`, 'a', undefined, ['html by bytes']],
    ['only whitespace', ' '.repeat(8192), 'a.txt', undefined, ['html by bytes']],
    ['an SVG', '<svg xmlns="…">', 'a.txt', undefined, ['svg by bytes']],
    ['an SVG after a prolog', '<?xml ?>\n<svg onload="">', 'a.svg', 'image/svg', ['svg by bytes']],
    ['an SVG with a prefix', '<s:svg xmlns:s="…">', 'a.txt', undefined, ['svg by bytes']],
    ['a HEIC image from a phone', '\0\0\0\x18ftypheic', 'a.heic', undefined, ['picture by bytes']],
    ['a JPEG XL image', '\xff\x0a\xfa\x1f', 'a.jxl', undefined, ['picture by bytes']],
    ['a camera raw file', 'II*\0\x10\0\0\0CR\x02\0', 'a.cr2', undefined, ['picture by bytes']],
    ['XML', '<gpx version="1.1">', 'a.track', undefined, ['xml by bytes']],
    ['XML in UTF-16', '<\0?\0x\0m\0l\0', 'a.txt', undefined, ['xml by bytes']],
    ['XML in big-endian UTF-16', '\xfe\xff\0<\0a\0>', 'a.txt', undefined, ['xml by bytes']],
    ['a page in UTF-16', '<\0h\0t\0m\0l\0>\0', 'a.txt', undefined, ['html by bytes']],
    ['a page in big-endian UTF-16', '\0<\0h\0t\0m\0l\0>', 'a', undefined, ['html by bytes']],
    ['XHTML', '<?xml version="1.0"?><html xmlns="…">', 'a.xml', undefined, ['html by bytes']],
    ['a shell script', '#!/bin/sh', 'run', undefined, ['script by bytes']],
    ['a name in capitals with whitespace', 'alert(1)', 'a.MJS ', undefined, ['script by name']],
    ['a type', 'alert(1)', 'a.txt', 'text/javascript;charset=utf-8', ['script by declared type']],
    ['a type based on XML', 'Tides', undefined, 'application/atom+xml', ['xml by declared type']],
    ['a PDF with the name of a page', '%PDF-1.7', 'a.html', undefined, ['html by name']],
    ['harmless text', '<3 the harbour', 'a.txt', undefined, []],
    ['text that mentions HTML', 'See <html>', 'a.txt', undefined, []],
    ['a Word file, whose type contains xml', 'PK\x03\x04', 'a.docx', 'a/openxmlformats-b', []],
  ])('%s', (_, start, filename, declared, kinds) => {
    expect(kindsOf(bytes(start), filename, declared)).toEqual(kinds);
  });

  test.each(['a.jpg', 'a.png', 'a.tif', 'a.webp', 'a.gif', 'a.avif'])(
    'an image %s',
    async (path) => {
      const picture = await drawTestImage({ path, width: 16, height: 16 });
      expect(detect(picture, 'report.pdf')).toMatchObject({
        extension: path.slice(2),
        guarded: [{ kind: 'picture', by: 'bytes' }],
      });
    },
  );

  test('guards an HTML page with any name and type', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (filename, declared) => {
        const page = bytes('<!doctype html><script>');
        expect(detect(page, filename, declared).guarded.map(({ kind }) => kind)).toContain('html');
      }),
    );
  });

  test('guards every file whose published extension a browser would run', () => {
    const words = fc.constantFrom('html', 'svg', 'js', 'xml', 'xhtml', 'mjs', 'svgz', 'php', 'pdf');
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), words, words, (text, name, type) => {
        const { extension, guarded } = detect(bytes(text), `a.${name}`, `text/${type}`);
        if (/^(html|svg|js|xml|xhtml|mjs|svgz|php)$/.test(extension))
          expect(guarded).not.toEqual([]);
      }),
    );
  });
});
