import type { z } from 'zod';
import type { uploadFields } from '../../config/option-values.ts';
import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import { checkRedirect, type Lookup } from '../http/addresses.ts';
import { fileRecordIn, findContent, isFields } from '../http/known-answers.ts';
import type { Reader } from '../http/receive-answer.ts';
import type { Redactor } from '../http/redactor.ts';
import { sendJson } from '../http/service-context.ts';
import {
  type UploadFile,
  type UploadMetadata,
  type UploadRequest,
  uploadedFile,
  uploadMetadata,
  uploadRequest,
} from '../requests.ts';
import { ServiceError, serviceError } from '../service-error.ts';
import type { FileRecord, Uploaded } from '../types.ts';
import { checkArgument, checkRequest } from './check-argument.ts';
import { readRecordAnswer, updateCall } from './file-calls.ts';
import type { Ask } from './page-through.ts';
import { openUploadSource, type UploadSource, uploadBody } from './upload-source.ts';

/** Names of the metadata fields in an upload request. The interface doesn't define them. */
export type UploadFields = Readonly<z.output<typeof uploadFields>>;

interface UploadClient {
  readonly baseUrl: string;
  readonly fields: UploadFields;
  readonly lookup: Lookup;
  readonly redactor: Pick<Redactor, 'add'>;
  readonly ask: Ask;
}

type Upload = { source: UploadSource; metadata: UploadMetadata; request: UploadRequest };

/**
 * Uploads a file in two steps (section 4), then sets its metadata if there is any.
 *
 * @throws `argument-invalid`, `upload-source-unusable`; a ServiceError of the first step,
 * `upload-unanswered` if it may have created a record; then a ServiceError that names the record:
 * `upload-url-refused`, `upload-incomplete` or `upload-not-updated`
 */
export async function uploadFile(
  client: UploadClient,
  given: { file: UploadFile; metadata: UploadMetadata; request: UploadRequest | undefined },
): Promise<Uploaded> {
  const place = 'files.upload()';
  const file = checkArgument({ place, name: 'file', schema: uploadedFile }, given.file);
  const check = { place, name: 'metadata', schema: uploadMetadata };
  const metadata = checkArgument(check, given.metadata);
  const request = checkRequest(place, uploadRequest, given.request);
  const source = await openUploadSource(file, metadata.filename);
  const upload = { source, metadata, request };
  const target = await makeRecord(client, upload);
  client.redactor.add(target.uploadUrl);
  // An answer may repeat its query alone.
  client.redactor.add(target.uploadUrl.replace(/^[^?]*\??/, ''));
  const record = await sendContent(client, upload, target);
  const id = target.id ?? record?.id;
  if (metadata.fields === undefined) return { id };
  try {
    if (id === undefined) throw new Error("The service didn't return the asset ID.");
    const update = { metadata: metadata.fields, request: { signal: request.signal } };
    await client.ask(updateCall(client.baseUrl, id, update), readRecordAnswer);
  } catch (cause) {
    throw failedStep('upload-not-updated', { file: source.name, id, cause });
  }
  return { id };
}

/** Step 1. Never repeated if it may have created a record. */
async function makeRecord(
  { baseUrl, fields, ask }: UploadClient,
  { source, metadata, request: { signal } }: Upload,
): Promise<UploadTarget> {
  const filename = metadata.filename ?? source.filename;
  if (filename === undefined) {
    const expected = 'a file name, because bytes have none';
    const given = { call: 'files.upload()', name: 'metadata.filename', value: undefined };
    throw mediaAssetError('argument-invalid', { ...given, expected });
  }
  const url = `${baseUrl}/1/file`;
  const body = {
    [fields.filename]: filename,
    [fields.size]: source.size,
    [fields.folder]: metadata.folder,
  };
  const name = `the record of ${source.name} (POST ${url})`;
  const request = sendJson('POST', url, body);
  try {
    const target = await ask({ kind: 'record', name, request, signal, grace: 0 }, readUploadTarget);
    return { ...target, uploadUrl: URL.parse(target.uploadUrl, url)?.href ?? target.uploadUrl };
  } catch (cause) {
    if (!(cause instanceof ServiceError) || cause.effect === 'none') throw cause;
    const { status, effect, message: reason } = cause;
    const details = { file: source.name, reason };
    throw serviceError('upload-unanswered', details, { status, effect, cause });
  }
}

/** Step 2. Checks the service's `uploadURL` first, because the request carries the token. */
async function sendContent(
  { baseUrl, lookup, ask }: UploadClient,
  { source, request: { signal, onProgress } }: Upload,
  { id, uploadUrl }: UploadTarget,
): Promise<FileRecord | undefined> {
  const { name: file, size } = source;
  const service = new URL(`${baseUrl}/1/file`);
  try {
    const to = await checkRedirect({ location: uploadUrl, from: service, service, lookup });
    if (!to.followed) {
      const { target, reason } = to;
      const details = { file, record: recordName(id), target, reason };
      throw serviceError('upload-url-refused', details, { effect: 'unknown' });
    }
    const type = { accept: 'application/json', 'content-type': 'application/octet-stream' };
    const headers = { ...type, 'content-length': String(size) };
    const body = uploadBody(source, onProgress);
    const name = `the content of ${file} (POST to ${to.url.origin})`;
    const request = { method: 'POST', url: to.url.href, headers, body } as const;
    const { addresses } = to;
    const call = { kind: 'upload', name, request, addresses, signal, grace: 0 } as const;
    return await ask(call, readRecordAnswer);
  } catch (cause) {
    if (isMediaAssetError(cause, 'upload-url-refused')) throw cause;
    throw failedStep('upload-incomplete', { file, id, cause });
  }
}

function failedStep(
  code: 'upload-incomplete' | 'upload-not-updated',
  { file, id, cause }: { file: string; id: number | undefined; cause: unknown },
): ServiceError {
  const { status, effect } =
    cause instanceof ServiceError ? cause : { status: undefined, effect: 'unknown' as const };
  const reason = cause instanceof Error ? cause.message : String(cause);
  return serviceError(code, { file, record: recordName(id), reason }, { status, effect, cause });
}

function recordName(id: number | undefined): string {
  return id === undefined ? 'a record with an unknown ID' : `asset ${id}`;
}

type UploadTarget = { uploadUrl: string; id: number | undefined };

const readUploadTarget: Reader<UploadTarget> = (json) => {
  const [found, another] = findContent(json, 'record', (value) => {
    if (!isFields(value) || typeof value.uploadURL !== 'string') return undefined;
    const { uploadURL: uploadUrl } = value;
    return uploadUrl === '' ? undefined : { uploadUrl, id: fileRecordIn(value)?.id };
  });
  return found && !another ? { value: found.content } : { problem: 'it has no uploadURL' };
};
