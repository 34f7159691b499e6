import { mimes } from 'hono/utils/mime';

/** Types that are common in a media library, by the ending of a file's name. */
const further: Readonly<Record<string, string>> = {
  '7z': 'application/x-7z-compressed',
  ai: 'application/postscript',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  eps: 'application/postscript',
  flac: 'audio/flac',
  indd: 'application/x-indesign',
  m4a: 'audio/mp4',
  m4v: 'video/mp4',
  md: 'text/markdown',
  mkv: 'video/x-matroska',
  mov: 'video/quicktime',
  odp: 'application/vnd.oasis.opendocument.presentation',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odt: 'application/vnd.oasis.opendocument.text',
  ogg: 'audio/ogg',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  psd: 'image/vnd.adobe.photoshop',
  rar: 'application/vnd.rar',
  srt: 'application/x-subrip',
  tar: 'application/x-tar',
  vcf: 'text/vcard',
  vtt: 'text/vtt',
  wav: 'audio/wav',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

const types: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...mimes, ...further }).map(([extension, type]) => [
    extension,
    type.split(';', 1)[0] ?? type,
  ]),
);

/** The media type of an ending, without parameters; that of bytes where it is not known. */
export function typeOfExtension(extension: string): string {
  return types.get(extension) ?? 'application/octet-stream';
}

/** The usual ending for a media type, without the dot. */
export function extensionOfType(contentType: string | undefined): string | undefined {
  const type = plainType(contentType);
  if (type === 'application/octet-stream') return undefined;
  return usual.get(type) ?? [...types].find(([, known]) => known === type)?.[0];
}

/** Where the table has several endings for a type, and the first is not the usual one. */
const usual = new Map([
  ['audio/ogg', 'ogg'],
  ['image/jpeg', 'jpg'],
  ['video/mp4', 'mp4'],
  ['text/html', 'html'],
]);

/** A `Content-Type` without its parameters, in lower case; empty where there is none. */
export function plainType(contentType: string | undefined): string {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
