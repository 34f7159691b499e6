import readExif from 'exif-reader';
import type { Metadata } from 'sharp';
import { z } from 'zod';
import { readSourceType, sourceTypeUri } from './source-types.ts';
import { readXmp } from './xmp.ts';

/** The metadata that we keep. */
export interface Credit {
  readonly creators: readonly string[];
  readonly copyright: string | undefined;
}

/** What an asset's record says about its makers. It replaces the original's own metadata. */
export const creditSchema = z.object({
  /** The term of the digital source type. Also that of an original, which its crops can lack. */
  digitalSourceType: z.string().optional(),
  creators: z.array(z.string()).readonly().optional(),
  /** A line for a caption. */
  credit: z.string().optional(),
  copyright: z.string().optional(),
  /** URLs of the license, and of a page that grants licenses. */
  license: z.string().optional(),
  acquireLicense: z.string().optional(),
});
export type RecordCredit = Readonly<z.output<typeof creditSchema>>;

/** In characters, per text. */
const longestText = 1000;
const mostCreators = 20;

/**
 * Reads creator and copyright from XMP (`dc:creator`, `dc:rights`), IPTC IIM (datasets 2:80 and
 * 2:116) or EXIF (`Artist`, `Copyright`). The first source that has a value wins. Broken metadata
 * counts as empty.
 */
export function readCredit(metadata: Pick<Metadata, 'exif' | 'iptc' | 'xmp'>): Credit | undefined {
  const { exif, iptc, xmp } = metadata;
  const textsOf = readXmp(xmp?.toString() ?? '');
  const found = [
    toCredit(textsOf(`${namespaces.dc}creator`), textsOf(`${namespaces.dc}rights`)),
    iptc && readIptc(iptc),
    exif && readExifCredit(exif),
  ].filter((credit) => credit !== undefined);
  const creators = found.find((credit) => credit.creators.length > 0)?.creators ?? [];
  const copyright = found.find((credit) => credit.copyright !== undefined)?.copyright;
  return creators.length > 0 || copyright !== undefined ? { creators, copyright } : undefined;
}

/** A dataset is a marker, a record, a number, a length in two bytes, and the text. */
function readIptc(bytes: Buffer): Credit {
  const start = bytes.indexOf(Buffer.from([0x1c, 0x02]));
  const creators: string[] = [];
  const copyrights: string[] = [];
  const encoding = bytes.includes(Buffer.from([0x1c, 0x01, 0x5a, 0, 3, 0x1b, 0x25, 0x47]))
    ? 'utf8'
    : 'latin1';
  for (let at = start; at >= 0 && at + 5 <= bytes.length && bytes[at] === 0x1c; ) {
    const length = bytes.readUInt16BE(at + 3);
    const text = bytes.toString(encoding, at + 5, at + 5 + length);
    if (bytes[at + 1] === 2 && bytes[at + 2] === 80) creators.push(text);
    if (bytes[at + 1] === 2 && bytes[at + 2] === 116) copyrights.push(text);
    at += 5 + length;
  }
  return toCredit(creators, copyrights);
}

function readExifCredit(bytes: Buffer): Credit | undefined {
  try {
    const { Image } = readExif(bytes);
    return toCredit([String(Image?.Artist ?? '')], [String(Image?.Copyright ?? '')]);
  } catch {
    // Broken metadata doesn't make the image broken.
    return undefined;
  }
}

function toCredit(creators: readonly string[], copyrights: readonly string[]): Credit {
  const clean = (texts: readonly string[]) => {
    const lines = texts.map((text) => text.replace(/[\s\p{Control}]+/gu, ' ').trim());
    return lines.flatMap((line) => line.slice(0, longestText) || []);
  };
  return { creators: clean(creators).slice(0, mostCreators), copyright: clean(copyrights)[0] };
}

/** In bytes. With what formats have around it, that's at most 3 kB. */
const longestXmp = 2700;

/**
 * Formats digital source type, creator, copyright, credit line and license as XMP. The properties are
 * those of the IPTC Photo Metadata Standard that search engines read. If they're too long, texts are cut,
 * and long URLs are left out.
 */
export function formatCredit(own: Credit | undefined, record: RecordCredit = {}): string {
  const versions = [longestText, 300, 100, 10].map((length) => formatShort(own, record, length));
  return versions.find((xmp) => Buffer.byteLength(xmp) <= longestXmp) ?? '';
}

function formatShort(
  own: Credit | undefined,
  { digitalSourceType, creators = [], credit, copyright, license, acquireLicense }: RecordCredit,
  length: number,
): string {
  const cut = (text: string) =>
    escapeXml(text.length > length ? `${text.slice(0, length - 1)}…` : text);
  const link = (url = '') => (url.length > 5 * length ? '' : escapeXml(url));
  const names = creators.length > 0 ? creators : (own?.creators ?? []);
  const rights = copyright ?? own?.copyright;
  const people = names.map((name) => `<rdf:li>${cut(name)}</rdf:li>`).join('');
  const licensor = link(acquireLicense);
  const contents: Record<string, string | undefined> = {
    'dc:creator': people && `<rdf:Seq>${people}</rdf:Seq>`,
    'dc:rights':
      rights && `<rdf:Alt><rdf:li xml:lang="x-default">${cut(rights)}</rdf:li></rdf:Alt>`,
    'photoshop:Credit': credit && cut(credit),
    'xmpRights:WebStatement': link(license),
    'plus:Licensor':
      licensor &&
      `<rdf:Seq><rdf:li rdf:parseType="Resource"><plus:LicensorURL>${licensor}</plus:LicensorURL></rdf:li></rdf:Seq>`,
    'Iptc4xmpExt:DigitalSourceType': digitalSourceType && sourceTypeUri(digitalSourceType),
  };
  const properties = Object.entries(contents).flatMap(([name, content]) =>
    content ? `<${name}>${content}</${name}>` : [],
  );
  const used = Object.entries(namespaces).filter(([prefix]) =>
    properties.some((property) => property.startsWith(`<${prefix}:`)),
  );
  const declared = used.map(([prefix, url]) => ` xmlns:${prefix}="${url}"`).join('');
  return `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""${declared}>${properties.join('')}</rdf:Description></rdf:RDF></x:xmpmeta>`;
}

const namespaces = {
  dc: 'http://purl.org/dc/elements/1.1/',
  photoshop: 'http://ns.adobe.com/photoshop/1.0/',
  xmpRights: 'http://ns.adobe.com/xap/1.0/rights/',
  plus: 'http://ns.useplus.org/ldf/xmp/1.0/',
  Iptc4xmpExt: 'http://iptc.org/std/Iptc4xmpExt/2008-02-29/',
} as const;

export function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // XML can't escape these characters.
      .replace(/[^\t\n\r\x20-\uFFFD\u{10000}-\u{10FFFF}]/gu, '�')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
  );
}

/** The digital source type that XMP states. */
export function sourceTypeIn(xmp: string): string | undefined {
  const types = readXmp(xmp)(`${namespaces.Iptc4xmpExt}DigitalSourceType`);
  return types.map(readSourceType).find((term) => term !== undefined);
}
