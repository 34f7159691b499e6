import { type CustomFormatParameters, customFormatParameters } from '../requests.ts';
import { assertAssetId, checkArgument } from './check-argument.ts';

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
  const check = {
    place: 'files.customFormat()',
    name: 'parameters',
    schema: customFormatParameters,
  };
  const checked = checkArgument(check, parameters);
  const query = new URLSearchParams(
    Object.entries(checked).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return `${baseUrl}/1/file/${id}/download/-1${query && `?${query}`}`;
}
