import { z } from 'zod';
import { isAssetId } from '../../errors/asset-id.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import type { CustomFormatParameters, DownloadRequest } from '../types.ts';
import { checkArgument, functionArgument, signalArgument } from './check-argument.ts';

/** The URL of an original (section 4). `baseUrl` has no trailing slash. */
export function originalUrl(baseUrl: string, id: number): string {
  assertAssetId(id, 'originalUrl');
  return `${baseUrl}/1/file/${id}/download/0`;
}

/** The URL of a custom format, with its parameters in order. Throws `argument-invalid`. */
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

/** Throws `asset-id-invalid`. */
export function assertAssetId(id: unknown, place: string): asserts id is number {
  if (!isAssetId(id)) throw mediaAssetError('asset-id-invalid', { value: id, caller: place });
}

const headerValue = z
  .string('expected a string')
  .regex(/^[\t\x20-\x7e\x80-\xff]{0,8192}$/, 'expected a valid header value');

const request = z.strictObject({
  validators: z
    .strictObject({ etag: headerValue.optional(), lastModified: headerValue.optional() })
    .optional(),
  signal: signalArgument,
  onProgress: functionArgument<DownloadRequest['onProgress']>(),
  html: z.boolean('expected true or false').optional(),
});

const parameters = z
  .record(
    z.string().regex(/^[^\p{C}\s]{1,100}$/u, 'expected a parameter name'),
    z.union(
      [z.number(), z.string().max(1000)],
      'expected a finite number or a string of up to 1000 characters',
    ),
    'expected an object of parameters',
  )
  .refine((given) => Object.keys(given).length <= 100, 'expected at most 100 parameters');

export function checkDownload(given: DownloadRequest): DownloadRequest {
  const place = 'files.original() or files.customFormat()';
  return checkArgument({ place, name: 'request', schema: request }, given);
}

function checkFormat(given: CustomFormatParameters): CustomFormatParameters {
  const place = 'files.customFormat()';
  return checkArgument({ place, name: 'parameters', schema: parameters }, given);
}
