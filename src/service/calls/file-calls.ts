import { z } from 'zod';
import { findRecord } from '../http/known-answers.ts';
import type { Reader } from '../http/receive-answer.ts';
import { type Call, getJson, sendJson } from '../http/service-context.ts';
import * as requests from '../requests.ts';
import type { FileRecord } from '../types.ts';
import { assertAssetId, checkArgument, checkRequest } from './check-argument.ts';
import { withId } from './list-files.ts';

/** The URL of an original (section 4). `baseUrl` has no trailing slash. */
export function originalUrl(baseUrl: string, id: number): string {
  assertAssetId(id, 'originalUrl');
  return `${baseUrl}/1/file/${id}/download/0`;
}

/** The URL of a custom format, with its parameters in order. Throws `argument-invalid`. */
export function customFormatUrl(
  baseUrl: string,
  id: number,
  parameters: requests.CustomFormatParameters,
): string {
  assertAssetId(id, 'customFormatUrl');
  const check = { place: 'files.customFormat()', name: 'parameters' };
  const checked = checkArgument({ ...check, schema: requests.customFormatParameters }, parameters);
  const query = new URLSearchParams(
    Object.entries(checked).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return `${baseUrl}/1/file/${id}/download/-1${query && `?${query}`}`;
}

/** The URL of a preview that the service has, by its path below the base URL. Throws `argument-invalid`. */
export function previewUrl(baseUrl: string, { id, path }: { id: number; path: string }): string {
  const place = 'files.preview()';
  assertAssetId(id, place);
  const expected = 'expected a path below the base URL, such as /1/file/4711/preview';
  const isBelow = (one: string) => URL.parse(`${baseUrl}${one}`)?.href.startsWith(`${baseUrl}/`);
  const schema = z.string(expected).startsWith('/', expected).refine(isBelow, expected);
  return `${baseUrl}${checkArgument({ place, name: 'path', schema }, path)}`;
}

/** The interface doesn't define this call. Throws `asset-id-invalid`, `argument-invalid`. */
export function recordCall(baseUrl: string, id: number, given?: requests.RecordRequest): Call {
  const place = 'files.record()';
  assertAssetId(id, place);
  const { fields, locale, signal } = checkRequest(place, requests.recordRequest, given);
  const inLocale = locale ? `&locale=${locale}` : '';
  const url = `${baseUrl}/1/file/${id}?fields=${withId(fields)}${inLocale}`;
  const name = `the record of asset ${id} (GET ${url})`;
  return { kind: 'read', name, asset: id, request: getJson(url), signal };
}

/** Reads the answer for one file: its record, bare, in an array of one, or in an object. */
export function recordReader(id: number): Reader<FileRecord> {
  return (json) => {
    const record = findRecord(json);
    if (!record) return { problem: 'expected the record of one file' };
    if (record.id !== id) return { problem: `expected file ${id}, not ${record.id}` };
    return { value: record };
  };
}

/** PUT `/1/file/{id}` (section 4). Throws `asset-id-invalid` and `argument-invalid`. */
export function updateCall(
  baseUrl: string,
  id: number,
  given: { metadata: requests.FileMetadata; request?: requests.SignalRequest | undefined },
): Call {
  const place = 'files.update()';
  assertAssetId(id, place);
  const check = { place, name: 'metadata', schema: requests.fileMetadata };
  const checked = checkArgument(check, given.metadata);
  const { signal } = checkRequest(place, requests.signalRequest, given.request);
  const url = `${baseUrl}/1/file/${id}`;
  return {
    kind: 'update',
    name: `the update of asset ${id} (PUT ${url})`,
    asset: id,
    request: sendJson('PUT', url, checked),
    signal,
    grace: 0,
  };
}

/** Reads the answer to an upload or an update. Returns the record if it has exactly one. */
export const readRecordAnswer: Reader<FileRecord | undefined> = (json) => {
  if (Array.isArray(json) && json.length !== 1) {
    return { problem: `expected one record, but its list has ${json.length}` };
  }
  return { value: findRecord(json) };
};
