import type { CropArgument } from './library-arguments.ts';
import { safeFileName } from './safe-file-name.ts';

const endings: Readonly<Record<string, string>> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/webp': '.webp',
  'image/avif': '.avif',
  'image/gif': '.gif',
  'image/tiff': '.tif',
  'image/svg+xml': '.svg',
  'video/mp4': '.mp4',
  'application/pdf': '.pdf',
};

/** The name of a downloaded file: that of the service made safe; a crop's says its rectangle. */
export function downloadName(
  {
    filename,
    contentType,
  }: { readonly filename: string | undefined; readonly contentType: string | undefined },
  { id, crop }: { readonly id: number; readonly crop: CropArgument | undefined },
): string {
  const kind = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const name = safeFileName(filename ?? '', `asset-${id}${endings[kind] ?? ''}`);
  if (!crop) return name;
  const [, stem = name, ending = ''] = /^(.+?)(\.[^.]{1,20})?$/su.exec(name) ?? [];
  const { x, y, width, height } = crop;
  return safeFileName(`${stem}-${x}-${y}-${width}-${height}${endings[kind] ?? ending}`, name);
}
