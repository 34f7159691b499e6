import { isMediaAssetError, mediaAssetError } from '../errors.ts';
import { judgeRedirect } from './judge-redirect.ts';
import type { FileMetadata, FileRecord } from './media-service.ts';
import type { Reader } from './receive-answer.ts';
import { readRecordAnswer, readUploadTarget, type UploadTarget } from './record-answer.ts';
import type { Call, ServiceContext } from './service-context.ts';
import { ServiceError, serviceError } from './service-error.ts';
import { type UploadMetadata, type UploadRequest, uploadArguments } from './upload-arguments.ts';
import { uploadBody } from './upload-body.ts';
import { openUploadSource, type UploadFile, type UploadSource } from './upload-source.ts';

/** The names of an upload's metadata in the request; the interface does not show them. */
export interface UploadFields {
  readonly filename: string;
  readonly size: string;
  readonly folder: string;
}

export interface Uploaded {
  /** The asset id; undefined where no answer of the service names it. */
  readonly id: number | undefined;
}

/** What an upload needs of the client. */
export interface UploadClient {
  readonly baseUrl: string;
  readonly fields: UploadFields;
  readonly lookup: ServiceContext['lookup'];
  ask<T>(call: Call, read: Reader<T>): Promise<T>;
  update(id: number, metadata: FileMetadata, signal: AbortSignal | undefined): Promise<unknown>;
  /** Whether the original of an asset is there and has this size. */
  hasOriginal(id: number, size: number, signal: AbortSignal | undefined): Promise<boolean>;
  /** Keeps an address out of messages. */
  keepSecret(address: string): void;
}

/**
 * Uploads a file in its two steps (section 4), then sets its metadata if there is any.
 *
 * @throws `argument-invalid`, `upload-source-unusable`; a ServiceError of the first step, with the
 * code `upload-unanswered` if there may be a record; then a ServiceError that names the record:
 * `upload-url-refused`, `upload-incomplete` or `upload-not-updated`
 */
export async function uploadFile(
  client: UploadClient,
  given: { file: UploadFile; metadata: UploadMetadata; request: UploadRequest | undefined },
): Promise<Uploaded> {
  const { file, metadata, request } = uploadArguments(given);
  const { signal, onProgress } = request;
  const source = await openUploadSource(file, metadata.filename);
  const target = await makeRecord(client, { source, metadata, signal });
  client.keepSecret(target.uploadUrl);
  const record = await sendContent(client, { source, target, signal, onProgress });
  const id = target.id ?? record?.id;
  if (metadata.fields !== undefined) {
    await setMetadata(client, { source, id, fields: metadata.fields, signal });
  }
  return { id };
}

/** Step 1. Never repeated if there may be a record. */
async function makeRecord(
  { baseUrl, fields, ask }: UploadClient,
  upload: {
    source: UploadSource;
    metadata: UploadMetadata;
    signal: AbortSignal | undefined;
  },
): Promise<UploadTarget> {
  const { source, metadata, signal } = upload;
  const filename = metadata.filename ?? source.filename;
  if (filename === undefined) {
    throw mediaAssetError('argument-invalid', {
      place: 'files.upload()',
      name: 'metadata.filename',
      value: undefined,
      expected: 'a file name, which bytes and streams do not have',
    });
  }
  const url = `${baseUrl}/1/file`;
  const body = {
    [fields.filename]: filename,
    [fields.size]: source.size,
    [fields.folder]: metadata.folder,
  };
  try {
    const target = await ask(
      {
        kind: 'record',
        name: `the record of ${source.name} (POST ${url})`,
        request: {
          method: 'POST',
          url,
          headers: { accept: 'application/json', 'content-type': 'application/json' },
          body: JSON.stringify(body),
        },
        signal,
        grace: 0,
      },
      readUploadTarget,
    );
    return { ...target, uploadUrl: URL.parse(target.uploadUrl, url)?.href ?? target.uploadUrl };
  } catch (cause) {
    if (!(cause instanceof ServiceError) || cause.effect === 'none') throw cause;
    const { status, effect, message: reason } = cause;
    throw serviceError(
      'upload-unanswered',
      { file: source.name, reason },
      { status, effect, cause },
    );
  }
}

/** Step 2. The token goes to the URL that the service named, so that URL is checked first. */
async function sendContent(
  client: UploadClient,
  upload: {
    source: UploadSource;
    target: UploadTarget;
    signal: AbortSignal | undefined;
    onProgress: UploadRequest['onProgress'];
  },
): Promise<FileRecord | undefined> {
  const { baseUrl, lookup, ask } = client;
  const { source, signal, onProgress } = upload;
  const { id, uploadUrl } = upload.target;
  const { name: file, size } = source;
  const service = new URL(`${baseUrl}/1/file`);
  try {
    const to = await judgeRedirect({ location: uploadUrl, from: service, service, lookup });
    if (!to.followed) {
      const { target, reason } = to;
      const details = { file, record: recordName(id), target, reason };
      throw serviceError('upload-url-refused', details, { effect: 'unknown' });
    }
    const headers = {
      accept: 'application/json',
      'content-type': 'application/octet-stream',
      'content-length': String(size),
    };
    const body = uploadBody(source, onProgress);
    return await ask(
      {
        kind: 'upload',
        name: `the content of ${file} (POST to ${to.url.origin})`,
        request: { method: 'POST', url: to.url.href, headers, body },
        addresses: to.addresses,
        signal,
        grace: 0,
      },
      readRecordAnswer,
    );
  } catch (cause) {
    if (isMediaAssetError(cause, 'upload-url-refused')) throw cause;
    if (cause instanceof ServiceError) {
      const { status, effect } = cause;
      // A service that has the content already, and whose answer was lost, refuses the next attempt.
      if ((status === 409 || status === 410) && effect === 'unknown' && id !== undefined) {
        // If that can't be checked, the refusal stands.
        const isThere = await client.hasOriginal(id, size, signal).catch(() => false);
        if (isThere) return undefined;
      }
    }
    throw failedStep('upload-incomplete', { file, id, cause });
  }
}

async function setMetadata(
  { update }: UploadClient,
  upload: {
    source: UploadSource;
    id: number | undefined;
    fields: FileMetadata;
    signal: AbortSignal | undefined;
  },
): Promise<void> {
  const { source, id, fields, signal } = upload;
  try {
    if (id === undefined) throw new Error('The service has not named the asset ID.');
    await update(id, fields, signal);
  } catch (cause) {
    throw failedStep('upload-not-updated', { file: source.name, id, cause });
  }
}

/** The error of a step that failed after the record was created. */
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
  return id === undefined ? 'a record of unknown ID' : `asset ${id}`;
}
