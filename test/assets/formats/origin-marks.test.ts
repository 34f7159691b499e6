import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatCredit, readCredit, sourceTypeIn } from '../../../src/assets/formats/credit.ts';
import { probeImage } from '../../../src/assets/formats/probe-image.ts';
import {
  drawMarked,
  drawnFormats,
  markOf,
  vocabulary,
  xmpPacket,
} from '../../support/images/marked-images.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

const term = 'trainedAlgorithmicMedia';
const uri = vocabulary + term;
const element = (content: string) =>
  `<Iptc4xmpExt:DigitalSourceType>${content}</Iptc4xmpExt:DigitalSourceType>`;

describe('the digital source type in XMP', () => {
  test.each<[string, string]>([
    ['an element', xmpPacket(element(uri))],
    ['an attribute', xmpPacket('', ` Iptc4xmpExt:DigitalSourceType="${uri}"`)],
    ['a resource', xmpPacket(`<Iptc4xmpExt:DigitalSourceType rdf:resource="${uri}"/>`)],
    ['an element with a comment', xmpPacket(element(uri.replace('Media', '<!-- AI -->Media')))],
    ['an element with CDATA', xmpPacket(element(`<![CDATA[${uri}]]>`))],
    ['a URI in capitals', xmpPacket(element(uri.toUpperCase()))],
    ['an element in a list', xmpPacket(element(`<rdf:Bag><rdf:li>${uri}</rdf:li></rdf:Bag>`))],
    ['an https URI with a slash', xmpPacket(element(`\n ${uri.replace(':', 's:')}/\n`))],
    ['a term alone', xmpPacket(element(term))],
    [
      'any prefix',
      xmpPacket(
        `<q:DigitalSourceType>${uri}</q:DigitalSourceType>`,
        ' xmlns:q="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"',
      ),
    ],
    [
      'a second description',
      xmpPacket(
        `</rdf:Description><rdf:Description xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">${element(uri)}`,
      ),
    ],
    ['an RDF without its envelope', xmpPacket(element(uri)).replaceAll(/<\/?x:xmpmeta[^>]*>/g, '')],
    ['XMP with an unknown prefix', xmpPacket(`<what:ever/>${element(uri)}`)],
    ['XMP that breaks off', xmpPacket(`${element(uri)}<dc:`).slice(0, -60)],
    ['the valid one of two values', xmpPacket(element('AI') + element(uri))],
  ])('is read from %s', (_, xmp) => {
    expect(sourceTypeIn(xmp)).toBe(term);
  });

  test('can be a term that is newer than our list, if its URI has the vocabulary', () => {
    expect(sourceTypeIn(markOf('dreamtByMachines'))).toBe('dreamtByMachines');
  });

  test.each<[string, string]>([
    ['nothing', ''],
    ['XMP without it', xmpPacket('<dc:title>trainedAlgorithmicMedia</dc:title>')],
    ['an unknown term', xmpPacket(element('generatedByAI'))],
    [
      'a URI of another vocabulary',
      xmpPacket(element('http://cv.iptc.org/newscodes/scene/010100')),
    ],
    ['a URI with markup', xmpPacket(element(`${uri}"/&gt;&lt;b`))],
    ['another namespace', markOf(term).replace('2008-02-29', '2009-02-29')],
    [
      'an ingredient',
      xmpPacket(`<dc:source><rdf:Description>${element(uri)}</rdf:Description></dc:source>`),
    ],
    [
      'an attribute of an ingredient',
      xmpPacket(`<dc:source><rdf:Description Iptc4xmpExt:DigitalSourceType="${uri}"/></dc:source>`),
    ],
  ])("isn't read from %s", (_, xmp) => {
    expect(sourceTypeIn(xmp)).toBeUndefined();
  });

  const many = (part: (at: number) => string) =>
    Array.from({ length: 400_000 }, (_, at) => part(at)).join('');

  // Reading that compares each part with all others takes minutes, and a test may take one.
  test.each<[string, string, string | undefined]>([
    ['deep nesting and many namespaces', many((at) => `<a xmlns:n${at}="u">`), term],
    ['many elements', many(() => '<a/>'), term],
    [
      'a description with 2,000 attributes',
      `<a ${many((at) => (at < 2000 ? `b${at}="" ` : ''))}/>`,
      term,
    ],
    ['an element with many attributes', `<a ${many((at) => `b${at}="1" `)}/>`, undefined],
    ['an element with many namespaces', `<a ${many((at) => `xmlns:b${at}='1' `)}/>`, undefined],
    ['an element with many repeated attributes without quotes', `<a ${many(() => 'b=1 ')}/>`, term],
    ['millions of elements', many(() => '<a/>'.repeat(10)), term],
    ['many end tags without a start', many(() => '</b>'), term],
    ['an attribute without an end', `<a b="${many(() => '<')}`, term],
  ])('takes no time in XMP with %s', (_, content, expected) => {
    expect(sourceTypeIn(xmpPacket(element(uri) + content))).toBe(expected);
  });

  test.each([
    ['errors', '</b>', 20, 110],
    ['elements', '<a/>', 100_000, 300_000],
  ])('is read after a few %s, and not after too many', (_, part, few, tooMany) => {
    const readWith = (count: number) => sourceTypeIn(xmpPacket(part.repeat(count) + element(uri)));
    expect([readWith(few), readWith(tooMany)]).toEqual([term, undefined]);
  });
});

describe.each(drawnFormats)('of a %s file', (format) => {
  const sourceTypeOf = async (bytes: Buffer) => {
    const file = join(await temporaryFolder('marks'), 'image');
    await writeFile(file, bytes);
    return (await probeImage(file, 'The image')).digitalSourceType;
  };

  test('the digital source type is read', async () => {
    expect(await sourceTypeOf(await drawMarked(format, { xmp: markOf(term) }))).toBe(term);
    expect(await sourceTypeOf(await drawMarked(format))).toBeUndefined();
  });

  if (format === 'gif' || format === 'tiff') return;

  test('any cut or changed bytes are read or refused, and at once', async () => {
    const marked = await drawMarked(format, { xmp: markOf(term) });
    await fc.assert(
      fc.asyncProperty(fc.nat(marked.length), fc.nat(255), fc.nat(), async (cut, byte, at) => {
        const bytes = Buffer.from(marked.subarray(0, cut));
        if (cut > 0) bytes[at % cut] = byte;
        const refused = await sourceTypeOf(bytes).then(
          () => undefined,
          (thrown: Error) => thrown.message,
        );
        // Only a file that can't be decoded is refused.
        if (refused !== undefined)
          expect(refused).toMatch(/^The image can't be shown as an image: the service sent /);
      }),
      { numRuns: 60 },
    );
  });
});

describe('the XMP of a published file', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', '&', '<', '漢', '🌊', '\u0001', ' '),
    maxLength: 10_000,
    size: 'max',
  });
  const record = fc.record(
    {
      digitalSourceType: fc.constant(term),
      creators: fc.array(text, { maxLength: 20 }),
      credit: text,
      copyright: text,
      license: text.map((path) => `https://license.example/${path}`),
      acquireLicense: text.map((path) => `https://license.example/${path}`),
    },
    { requiredKeys: ['digitalSourceType'] },
  );

  test('has at most 3 kB, is valid, and always has the mark', () => {
    fc.assert(
      fc.property(record, (given) => {
        const xmp = formatCredit({ creators: [], copyright: undefined }, given);
        expect(Buffer.byteLength(xmp)).toBeLessThanOrEqual(2700);
        expect(sourceTypeIn(xmp)).toBe(term);
      }),
      { numRuns: 200 },
    );
  });

  test('has the mark and at most 3 kB in the worst case', () => {
    const text = '&'.repeat(10_000);
    const url = (length: number) => `https://l.example/${'&'.repeat(length - 18)}`;
    for (const length of [50, 51, 500, 1500, 10_000]) {
      const [license, acquireLicense] = [url(length), url(length)];
      const creators = Array.from({ length: 20 }, () => text);
      const given = { creators, credit: text, copyright: text, license, acquireLicense };
      const xmp = formatCredit(undefined, { ...given, digitalSourceType: 'a'.repeat(60) });
      expect(Buffer.byteLength(xmp)).toBeLessThanOrEqual(2700);
      expect(xmp).toContain(vocabulary + 'a'.repeat(60));
    }
  });

  test('keeps the start of long texts, and URLs whole', () => {
    const copyright = '© Harbour Museum, all rights reserved. '.repeat(100);
    const license = `https://license.example/${'by/'.repeat(100)}`;
    const xmp = formatCredit(undefined, { creators: ['Ada'], copyright, license });
    const read = readCredit({ xmp: Buffer.from(xmp) });
    expect(read?.creators).toEqual(['Ada']);
    expect(read?.copyright).toMatch(/^© Harbour Museum, all rights reserved\. .*…$/);
    expect(xmp).toContain(`<xmpRights:WebStatement>${license}<`);
  });

  test('is the same as before if all of it fits', () => {
    const own = { creators: ['Ana'], copyright: 'Harbour Museum' };
    const urls = { license: 'https://l.example/', acquireLicense: 'https://l.example/?a&b' };
    const record = { credit: 'Photo: Ana', ...urls };
    expect(formatCredit(own, record)).toBe(
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmlns:xmpRights="http://ns.adobe.com/xap/1.0/rights/" xmlns:plus="http://ns.useplus.org/ldf/xmp/1.0/"><dc:creator><rdf:Seq><rdf:li>Ana</rdf:li></rdf:Seq></dc:creator><dc:rights><rdf:Alt><rdf:li xml:lang="x-default">Harbour Museum</rdf:li></rdf:Alt></dc:rights><photoshop:Credit>Photo: Ana</photoshop:Credit><xmpRights:WebStatement>https://l.example/</xmpRights:WebStatement><plus:Licensor><rdf:Seq><rdf:li rdf:parseType="Resource"><plus:LicensorURL>https://l.example/?a&amp;b</plus:LicensorURL></rdf:li></rdf:Seq></plus:Licensor></rdf:Description></rdf:RDF></x:xmpmeta>',
    );
  });
});
