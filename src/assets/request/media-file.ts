import { isAssetId } from '../../errors/asset-id.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import { longestAlt } from './parse-request.ts';
import { propReaders } from './prop-readers.ts';

/** What `<MediaFile>` and `<MediaVideo>` ask for. Values come from templates and are checked. */
export interface MediaFileRequest {
  /** The asset's id in the service. */
  readonly id: number;
  /** What the file is called on the page and in its address. @default its name in the service */
  readonly name?: string | undefined;
  /** The language of `sizeText` and `text`, such as `nb` or `en-GB`; another text is `en`. @default 'en' */
  readonly locale?: string | undefined;
  /** What the page does with it: anything but a video is refused for `video`. */
  readonly as?: 'file' | 'video' | undefined;
  /** The page that names it, as messages name that. */
  readonly page: string;
}

/** A file that the site publishes as it is. */
export interface MediaFile {
  readonly id: number;
  /** What it is called: `Annual report`. */
  readonly name: string;
  readonly src: string;
  /** The absolute address; `src` where the Astro config has no `site`. */
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
  /** Of a video's picture, in pixels, where its file says it. */
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** The service's download address. */
  readonly originalUrl: string;
}

interface ParsedFileRequest {
  readonly id: number;
  readonly name: string | undefined;
  readonly locale: string;
  readonly as: 'file' | 'video';
  readonly page: string;
}

type Untrusted = { readonly [Key in keyof MediaFileRequest]?: unknown };

/** @throws `asset-id-invalid` or `prop-invalid`, naming the page */
export function parseFileRequest(request: Untrusted): ParsedFileRequest {
  const page = String(request.page ?? 'an unknown page');
  const { id } = request;
  if (!isAssetId(id)) throw mediaAssetError('asset-id-invalid', { value: id, page });
  const read = propReaders({ id, page });
  const locale = read.optional(request.locale, (value) => read.text('locale', value, 100));
  const name = read.optional(request.name, (value) => read.text('name', value, longestAlt));
  return {
    id,
    page,
    name: name?.replace(/\s+/g, ' ').trim() || undefined,
    locale: locale !== undefined && isLocale(locale) ? locale : 'en',
    as:
      read.optional(request.as, (value) => read.oneOf('as', value, ['file', 'video'] as const)) ??
      'file',
  };
}

/** Pages can have names of languages of their own. */
function isLocale(locale: string): boolean {
  try {
    return Intl.getCanonicalLocales(locale).length === 1;
  } catch {
    return false;
  }
}
