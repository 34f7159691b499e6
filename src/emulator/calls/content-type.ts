import { mimes } from 'hono/utils/mime';

const contentTypes: Readonly<Record<string, string>> = {
  ...mimes,
  heic: 'image/heic',
  mov: 'video/quicktime',
  wav: 'audio/wav',
};

/** The media type for a file name, with the charset for text. */
export function contentType(name: string): string {
  const extension = name.split('.').at(-1)?.toLowerCase() ?? '';
  return Object.hasOwn(contentTypes, extension)
    ? (contentTypes[extension] as string)
    : 'application/octet-stream';
}
