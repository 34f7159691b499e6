import { z } from 'zod';
import { findRecord } from '../http/known-answers.ts';
import type { Reader } from '../http/receive-answer.ts';
import { type Call, getJson } from '../http/service-context.ts';
import type { FileRecord, RecordRequest } from '../types.ts';
import { checkArgument, signalArgument } from './check-argument.ts';
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
