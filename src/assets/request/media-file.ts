import { isAssetId } from '../../errors/asset-id.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import type { Asking } from './asking.ts';
import type { MediaCreditRequest } from './media-asset.ts';
import { propReaders } from './prop-readers.ts';

/** The request of `<MediaFile>` and `<MediaVideo>`. Values come from templates and are checked. */
export interface MediaFileRequest extends MediaCreditRequest {
  /**
   * The file's name on the page and for downloads. Its URL has the ID instead.
   *
   * @default its name in the service
   */
  readonly name?: string | undefined;
  /** How the page uses the file. `video` refuses anything else. @default 'file' */
  readonly as?: 'file' | 'video' | undefined;
}

/** A file that is published unchanged. */
export interface MediaFile {
  readonly id: number;
  /** The file's name: `Annual report`. */
  readonly name: string;
  readonly src: string;
  /** The absolute URL. Same as `src` if the Astro config has no `site`. */
  readonly url: string;
  /** For the attribute `download`: `Annual report.pdf`. */
  readonly fileName: string;
  readonly contentType: string;
  /** The type as people know it: `PDF`. */
  readonly typeText: string;
  /** In bytes. */
  readonly size: number;
  /** `2.4 MB` */
  readonly sizeText: string;
  /** `Annual report (PDF, 2.4 MB)` */
  readonly text: string;
  /** The size of a video in pixels, if its file contains it. */
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** The service's download URL. */
  readonly originalUrl: string;
}

type UntrustedFile = { readonly [Key in keyof MediaFileRequest]?: unknown };

export function parseFileRequest(request: UntrustedFile, { id, ...asking }: Asking) {
  if (!isAssetId(id)) throw mediaAssetError('asset-id-invalid', { ...asking, value: id });
  const { as = 'file', locale = asking.texts } = request;
  const read = propReaders({ ...asking, id });
  read.text('locale', locale, 100);
  const name = read.optional(request.name, (value) => read.text('name', value));
  return {
    name: name?.replace(/\s+/g, ' ').trim() || undefined,
    locale: isLocale(asking.texts) ? asking.texts : 'en',
    as: read.oneOf('as', as, ['file', 'video'] as const),
  };
}

/** A page's `lang` can be any text. */
function isLocale(locale: string): boolean {
  try {
    return Intl.getCanonicalLocales(locale).length === 1;
  } catch {
    return false;
  }
}
