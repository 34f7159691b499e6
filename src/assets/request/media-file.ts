import { isAssetId } from '../../errors/asset-id.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import type { Asked } from './media-asset.ts';
import { propReaders, subjectOf } from './prop-readers.ts';

/** The request of `<MediaFile>` and `<MediaVideo>`. Values come from templates and are checked. */
export interface MediaFileRequest {
  /** The asset's ID in the service. */
  readonly id: number;
  /**
   * The file's name on the page and for downloads. Its URL has the ID instead.
   *
   * @default its name in the service
   */
  readonly name?: string | undefined;
  /** The language of `sizeText` and `text`, such as `nb` or `en-GB`. Invalid ones become `en`. @default 'en' */
  readonly locale?: string | undefined;
  /** How the page uses the file. `video` refuses anything else. @default 'file' */
  readonly as?: 'file' | 'video' | undefined;
  /** The page's name in messages. */
  readonly page?: string | undefined;
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

type Untrusted = Asked<{ readonly [Key in keyof MediaFileRequest]?: unknown }>;

export function parseFileRequest(request: Untrusted) {
  const { id, as = 'file' } = request;
  if (!isAssetId(id))
    throw mediaAssetError('asset-id-invalid', { value: id, ...subjectOf(request) });
  const subject = { ...subjectOf(request), id };
  const read = propReaders(subject);
  const locale = read.optional(request.locale, (value) => read.text('locale', value, 100));
  const name = read.optional(request.name, (value) => read.text('name', value));
  return {
    id,
    subject,
    name: name?.replace(/\s+/g, ' ').trim() || undefined,
    locale: locale !== undefined && isLocale(locale) ? locale : 'en',
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
