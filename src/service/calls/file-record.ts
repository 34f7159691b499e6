import { z } from 'zod';
import { findRecord } from '../http/known-answers.ts';
import type { Reader } from '../http/receive-answer.ts';
import { type Call, getJson, sendJson } from '../http/service-context.ts';
import type { FileMetadata, FileRecord, RecordRequest, SignalRequest } from '../types.ts';
import { checkArgument, checkSignal, signalArgument } from './check-argument.ts';
import { assertAssetId } from './download-url.ts';
import { defaultFields, fieldNames, withId } from './list-files.ts';

const recordRequest = z.strictObject({
  fields: fieldNames.default(defaultFields),
  signal: signalArgument,
});

/** The interface doesn't define this call. Throws `asset-id-invalid`, `argument-invalid`. */
export function recordCall(baseUrl: string, id: number, given: RecordRequest = {}): Call {
  const place = 'files.record()';
  assertAssetId(id, place);
  const { fields, signal } = checkArgument(
    { place, name: 'request', schema: recordRequest },
    given,
  );
  const url = `${baseUrl}/1/file/${id}?fields=${withId(fields)}`;
  const name = `the record of asset ${id} (GET ${url})`;
  return { kind: 'read', name, request: getJson(url), signal };
}

/** Reads the answer for one file: its record, bare, in an array of one, or in an object. */
export function recordReader(id: number): Reader<FileRecord> {
  return (content) => {
    const record = findRecord(content?.json);
    if (!record) return { problem: 'expected the record of one file' };
    if (record.id !== id) return { problem: `expected file ${id}, not ${record.id}` };
    return { value: record };
  };
}

/** Maximum length of metadata as JSON, in UTF-16 units. */
const maxLength = 1024 ** 2;

const expected = 'expected an object of JSON values with at least one field';

/** A file's metadata: a plain object that JSON can hold without loss. */
export const metadataArgument = z
  .custom<FileMetadata>(isPlainObject, expected)
  .refine((metadata) => Object.keys(metadata).length > 0, expected)
  .refine(
    (metadata) => (toJson(metadata)?.length ?? Number.POSITIVE_INFINITY) <= maxLength,
    `${expected}, of at most ${maxLength} characters`,
  );

/** PUT `/1/file/{id}` (section 4). Throws `asset-id-invalid` and `argument-invalid`. */
export function updateCall(
  baseUrl: string,
  id: number,
  { metadata, request }: { metadata: FileMetadata; request?: SignalRequest | undefined },
): Call {
  const place = 'files.update()';
  assertAssetId(id, place);
  const checked = checkArgument({ place, name: 'metadata', schema: metadataArgument }, metadata);
  const signal = checkSignal(place, request);
  const url = `${baseUrl}/1/file/${id}`;
  return {
    kind: 'update',
    name: `the update of asset ${id} (PUT ${url})`,
    request: sendJson('PUT', url, checked),
    signal,
    grace: 0,
  };
}

function isPlainObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Returns the value as JSON, or `undefined` if JSON can't hold all of it. */
function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (_, inner: unknown) => {
      const lost = inner === undefined || typeof inner === 'function' || typeof inner === 'symbol';
      if (lost || (typeof inner === 'number' && !Number.isFinite(inner))) throw new TypeError();
      return inner;
    });
  } catch {
    // A circular reference, a bigint, or nesting deeper than the stack.
    return undefined;
  }
}

/**
 * Reads the answer to an upload or an update: empty, plain text, or any JSON. Returns the record if
 * the answer has exactly one.
 */
export const readRecordAnswer: Reader<FileRecord | undefined> = (content) => {
  if (Array.isArray(content?.json) && content.json.length !== 1) {
    return { problem: `expected one record, but its list has ${content.json.length}` };
  }
  return { value: findRecord(content?.json) };
};
