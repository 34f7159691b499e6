/** Images that renditions are made from. */
export const rasterKinds = ['jpeg', 'png', 'webp', 'avif', 'gif', 'tiff'] as const;
export const imageKinds = [...rasterKinds, 'svg'] as const;
export type RasterKind = (typeof rasterKinds)[number];

/** The number of bytes that `sniffBytes` reads. */
export const sniffedBytes = 4096;

const heicExtensions = ['heic', 'heif', 'avif'];
const rawExtensions = 'dng cr2 cr3 crw nef arw orf rw2 raf x3f pef srw 3fr'.split(' ');
const [jxl, jp2, tiff] = [['jxl'], ['jp2', 'jpx', 'jpf', 'j2k', 'jpc'], ['tif', 'tiff']];
/** Of images that aren't decoded. Their metadata can hold places and names too. */
const undecoded = new Set<readonly string[]>([heicExtensions, rawExtensions, jxl, jp2, tiff]);

export const cameraRaw = 'a camera raw file';

type Signature = [
  start: string,
  /** For messages: `an HTML page`. */
  description: string,
  /** The kind of image that a decoder may open; `undefined` for anything else. */
  kind?: RasterKind | undefined,
  /** The extensions that fit the file, unless its content type tells. The first one is the default. */
  extensions?: readonly string[],
];

/** How files begin; `?` is any byte. The first signature that fits counts. */
const signatures: readonly Signature[] = [
  ['\xff\xd8\xff', 'a JPEG', 'jpeg'],
  ['\x89PNG\r\n\x1a\n', 'a PNG', 'png'],
  ['GIF87a', 'a GIF', 'gif'],
  ['GIF89a', 'a GIF', 'gif'],
  ['II*\0????CR', cameraRaw, undefined, rawExtensions],
  ['II*\0', 'a TIFF', 'tiff'],
  ['MM\0*', 'a TIFF', 'tiff'],
  ['II+\0', 'a BigTIFF', undefined, tiff],
  ['MM\0+', 'a BigTIFF', undefined, tiff],
  ...[
    'IIRO',
    'IIRS',
    'MMOR',
    'IIU\0',
    'II\x1a\0\0\0HEAPCCDR',
    'FUJIFILMCCD-RAW',
    'FOVb',
    '????ftypcrx ',
  ].map((start): Signature => [start, cameraRaw, undefined, rawExtensions]),
  ['\0\0\0\x0cJXL ', 'a JPEG XL image', undefined, jxl],
  ['\xff\x0a', 'a JPEG XL image', undefined, jxl],
  ['\0\0\0\x0cjP  ', 'a JPEG 2000 image', undefined, jp2],
  ['\xff\x4f\xff\x51', 'a JPEG 2000 image', undefined, jp2],
  ['\0\0\x01\0', 'an icon (ICO)', undefined, ['ico']],
  ['\0\0\x02\0', 'a cursor (CUR)', undefined, ['cur']],
  ['RIFF????WEBP', 'a WebP', 'webp'],
  ['RIFF????WAVE', 'an audio or video file', undefined, ['wav']],
  ['RIFF????AVI ', 'an audio or video file', undefined, ['avi']],
  ['RIFF', 'an audio or video file'],
  ['????ftypavif', 'an AVIF', 'avif'],
  ['????ftypavis', 'an animated AVIF', 'avif'],
  // These brands don't name the codec, which only decoding tells.
  ['????ftypmif1', 'an AVIF', 'avif', heicExtensions],
  ['????ftypmsf1', 'an AVIF', 'avif', heicExtensions],
  ['????ftypmiaf', 'an AVIF', 'avif'],
  ['????ftyphei', 'a HEIC image', undefined, heicExtensions],
  ['????ftyphev', 'a HEIC image', undefined, heicExtensions],
  ['????ftypM4A', 'a video', undefined, ['m4a', 'mp4']],
  ['????ftypqt', 'a video', undefined, ['mov', 'mp4', 'm4v']],
  ['????ftyp', 'a video', undefined, ['mp4', 'm4v', 'm4a', 'mov', '3gp', '3g2']],
  ['\x1aE\xdf\xa3', 'a video', undefined, ['webm', 'mkv', 'weba']],
  ['ID3', 'an audio file', undefined, ['mp3', 'aac', 'flac', 'wav']],
  ['OggS', 'an audio file', undefined, ['ogg', 'oga', 'ogv', 'opus', 'ogx']],
  ['%PDF-', 'a PDF', undefined, ['pdf', 'ai']],
  ['%!PS', 'a PostScript file'],
  ['8BPS', 'a Photoshop file'],
  ['BM', 'a BMP image'],
  ['PK\x03\x04', 'a zip archive', undefined, ['zip']],
  ['PK\x05\x06', 'a zip archive', undefined, ['zip']],
  ['\x1f\x8b', 'a gzip archive', undefined, ['gz', 'tgz']],
];

export const knownExtensions: ReadonlySet<string> = new Set(
  signatures.flatMap(([, , , extensions = []]) => extensions),
);

const svg = 'an SVG';

export function sniffBytes(start: Uint8Array) {
  const text = Buffer.from(start.subarray(0, sniffedBytes)).toString('latin1');
  const found = signatures.find(([bytes]) =>
    Array.from(bytes).every((byte, at) => byte === '?' || text[at] === byte),
  );
  const [, description = describeText(text), kind, extensions] = found ?? [];
  const isPicture = kind !== undefined || (extensions !== undefined && undecoded.has(extensions));
  return { kind, description, extensions, isPicture, isSvg: description === svg };
}

function describeText(text: string): string {
  if (text === '') return 'an empty file';
  const start = text.replace(/^(\xef\xbb\xbf)?\s*/, '');
  if (/^(<!doctype html|<html|<head|<body|<script)/i.test(start)) return 'an HTML page';
  if (start.startsWith('<') && /<([\w.-]+:)?svg[\s>/]/.test(start)) return svg;
  if (start.startsWith('<!--')) return 'an HTML page';
  if (start.startsWith('<')) return 'an XML or HTML file';
  if (/^[{[]/.test(start)) return 'JSON';
  return /[^\t\r\n\x20-\x7e\x80-\xff]/.test(text) ? 'a file of unknown type' : 'plain text';
}
