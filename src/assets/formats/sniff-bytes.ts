/** Images that renditions are made from. */
export const rasterKinds = ['jpeg', 'png', 'webp', 'avif', 'gif', 'tiff'] as const;
export const imageKinds = [...rasterKinds, 'svg'] as const;
export type RasterKind = (typeof rasterKinds)[number];

interface Sniffed {
  /** The kind of image that a decoder may open; `undefined` for anything else. */
  readonly kind?: RasterKind | undefined;
  /** For messages: `an HTML page`. */
  readonly description: string;
}

/** The number of bytes that `sniffBytes` reads. */
export const sniffedBytes = 4096;

const signatures: readonly [start: string, description: string, kind?: RasterKind][] = [
  ['\xff\xd8\xff', 'a JPEG', 'jpeg'],
  ['\x89PNG\r\n\x1a\n', 'a PNG', 'png'],
  ['GIF87a', 'a GIF', 'gif'],
  ['GIF89a', 'a GIF', 'gif'],
  ['II*\0', 'a TIFF', 'tiff'],
  ['MM\0*', 'a TIFF', 'tiff'],
  ['%PDF-', 'a PDF'],
  ['%!PS', 'a PostScript file'],
  ['8BPS', 'a Photoshop file'],
  ['BM', 'a BMP image'],
  ['PK\x03\x04', 'a zip archive'],
  ['\x1f\x8b', 'a gzip archive'],
  ['ID3', 'an audio file'],
  ['OggS', 'an audio file'],
  ['\x1aE\xdf\xa3', 'a video'],
];

/** Brands of ISO media files and their formats. */
const brands: readonly [pattern: RegExp, description: string, kind?: RasterKind][] = [
  [/^(avif|avis)$/, 'an AVIF', 'avif'],
  // These brands don't name the codec, which only decoding tells.
  [/^(mif1|msf1|miaf)$/, 'an AVIF', 'avif'],
  [/^(hei[cxms]|hev[cxms])$/, 'a HEIC image'],
  [/^/, 'a video'],
];

const svg = 'an SVG';

export function sniffBytes(start: Uint8Array): Sniffed & { readonly isSvg: boolean } {
  const found = sniff(start);
  return { ...found, isSvg: found.description === svg };
}

function sniff(start: Uint8Array): Sniffed {
  if (start.length === 0) return { description: 'an empty file' };
  const text = Buffer.from(start.subarray(0, sniffedBytes)).toString('latin1');
  const isRiff = text.startsWith('RIFF');
  if (isRiff && text.slice(8, 12) === 'WEBP') return { kind: 'webp', description: 'a WebP' };
  if (isRiff) return { description: 'an audio or video file' };
  const isMedia = text.slice(4, 8) === 'ftyp';
  const [, description, kind] =
    signatures.find(([bytes]) => text.startsWith(bytes)) ??
    brands.find(([brand]) => isMedia && brand.test(text.slice(8, 12))) ??
    [];
  return { kind, description: description ?? describeText(text) };
}

function describeText(text: string): string {
  const start = text.replace(/^(\xef\xbb\xbf)?\s*/, '');
  if (/^(<!doctype html|<html|<head|<body|<script)/i.test(start)) return 'an HTML page';
  if (start.startsWith('<') && /<([\w.-]+:)?svg[\s>/]/.test(start)) return svg;
  if (start.startsWith('<!--')) return 'an HTML page';
  if (start.startsWith('<')) return 'an XML or HTML file';
  if (/^[{[]/.test(start)) return 'JSON';
  return /[^\t\r\n\x20-\x7e\x80-\xff]/.test(text) ? 'a file of unknown type' : 'plain text';
}
