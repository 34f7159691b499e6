import { mediaAssetError } from '../errors.ts';
import { isAssetId } from './is-asset-id.ts';
import type { MediaFileRequest } from './media-file.ts';
import { longestAlt } from './parse-request.ts';
import { propReaders } from './prop-readers.ts';

/** A request whose values are known to be usable. */
export interface ParsedFileRequest {
  readonly id: number;
  readonly name: string | undefined;
  readonly locale: string;
  readonly as: 'file' | 'video';
  readonly page: string;
}

type Untrusted = { readonly [Key in keyof MediaFileRequest]?: unknown };

/**
 * Checks a request from a template.
 *
 * @throws `asset-id-invalid` or `prop-invalid`, naming the page
 */
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
