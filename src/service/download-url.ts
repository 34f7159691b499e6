import { mediaAssetError } from '../errors.ts';
import { checkFormat } from './check-download.ts';
import type { CustomFormatParameters } from './media-service.ts';

/** The address of an original (section 4). `baseUrl` has no trailing slash. */
export function originalUrl(baseUrl: string, id: number): string {
  assertAssetId(id, 'originalUrl');
  return `${baseUrl}/1/file/${id}/download/0`;
}

/**
 * The address of a custom format (section 4), its parameters as given and in the order given. Throws
 * `argument-invalid`.
 */
export function customFormatUrl(
  baseUrl: string,
  id: number,
  parameters: CustomFormatParameters,
): string {
  assertAssetId(id, 'customFormatUrl');
  const query = new URLSearchParams(
    Object.entries(checkFormat(parameters)).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]),
  ).toString();
  return `${baseUrl}/1/file/${id}/download/-1${query && `?${query}`}`;
}

/** Throws `asset-id-invalid` unless `id` is a positive integer up to 2^53 − 1. */
export function assertAssetId(id: unknown, place: string): asserts id is number {
  if (!Number.isSafeInteger(id) || (id as number) < 1) {
    throw mediaAssetError('asset-id-invalid', { value: id, page: place });
  }
}
