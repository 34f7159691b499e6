import { mimes } from 'mrmime';

/** Types that are common in a media library, by the ending of a file's name. */
const further: Readonly<Record<string, string>> = {
  '7z': 'application/x-7z-compressed',
  avi: 'video/x-msvideo',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  flac: 'audio/flac',
  ico: 'image/x-icon',
  indd: 'application/x-indesign',
  m4v: 'video/mp4',
  mkv: 'video/x-matroska',
  odp: 'application/vnd.oasis.opendocument.presentation',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odt: 'application/vnd.oasis.opendocument.text',
  opus: 'audio/opus',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  psd: 'image/vnd.adobe.photoshop',
  rar: 'application/vnd.rar',
  rtf: 'application/rtf',
  srt: 'application/x-subrip',
  tar: 'application/x-tar',
  vcf: 'text/vcard',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
};

const types: ReadonlyMap<string, string> = new Map(Object.entries({ ...mimes, ...further }));

/** The media type of an ending, without parameters; that of bytes where it is not known. */
export function typeOfExtension(extension: string): string {
  return types.get(extension) ?? 'application/octet-stream';
}

/** The usual ending for a media type, without the dot. */
export function extensionOfType(contentType: string | undefined): string | undefined {
  const type = plainType(contentType);
  if (type === 'application/octet-stream') return undefined;
  return [...usual, ...types.keys()].find((extension) => types.get(extension) === type);
}

/** Endings of types for which the table has a rarer one first. */
const usual = 'html jpg js md mp3 mp4 mpeg ogg tif txt xhtml xml'.split(' ');

/** A `Content-Type` without its parameters, in lower case; empty where there is none. */
export function plainType(contentType: string | undefined): string {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
