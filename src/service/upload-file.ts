import { mediaAssetError } from '../errors.ts';
import { judgeRedirect } from './judge-redirect.ts';
import type { FileMetadata, FileRecord } from './media-service.ts';
import type { Reader } from './receive-answer.ts';
import { readRecordAnswer, readUploadTarget, type UploadTarget } from './record-answer.ts';
import type { Call, ServiceContext } from './service-context.ts';
import { ServiceError, serviceError } from './service-error.ts';
import { type UploadMetadata, type UploadRequest, uploadArguments } from './upload-arguments.ts';
import { uploadBody } from './upload-body.ts';
import { UploadError, type UploadResume, uploadError, uploadUrlRefused } from './upload-error.ts';
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
 * Uploads a file in its two steps (section 4), then changes its metadata where there is some.
 *
 * @throws `argument-invalid`, `upload-source-unusable`, `upload-source-changed`; of the first step a
 * ServiceError, `upload-unanswered` where there may be a record; then an UploadError
 * (`upload-url-refused`, `upload-incomplete`, `upload-not-updated`) with its `resume`
 */
export async function uploadFile(
  client: UploadClient,
  given: { file: UploadFile; metadata: UploadMetadata; request: UploadRequest | undefined },
): Promise<Uploaded> {
  const { file, metadata, request } = uploadArguments(given);
  const { signal, onProgress, onRecord } = request;
  const source = await openUploadSource(file, metadata.filename);
  let resume: UploadResume =
    request.resume === undefined
      ? await makeRecord(client, { source, metadata, signal })
      : readResume(request.resume, source);
  client.keepSecret(resume.uploadUrl);
  if (request.resume === undefined) await announce(onRecord, { source, resume });

  if (!resume.uploaded) {
    const repeated = request.resume !== undefined;
    const record = await sendContent(client, { source, resume, signal, onProgress, repeated });
    resume = { ...resume, id: resume.id ?? record?.id, uploaded: true };
  }
  if (metadata.fields !== undefined) {
    await changeMetadata(client, { source, resume, fields: metadata.fields, signal });
  }
  return { id: resume.id };
}

/** Step 1. Never repeated where there may be a record. */
async function makeRecord(
  { baseUrl, fields, ask }: UploadClient,
  upload: {
    source: UploadSource;
    metadata: UploadMetadata;
    signal: AbortSignal | undefined;
  },
): Promise<UploadResume> {
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
  let target: UploadTarget;
  try {
    target = await ask(
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
  } catch (cause) {
    if (!(cause instanceof ServiceError) || cause.effect === 'none') throw cause;
    const { status, effect, message: reason } = cause;
    throw serviceError(
      'upload-unanswered',
      { file: source.name, reason },
      { status, effect, cause },
    );
  }
  const uploadUrl = URL.parse(target.uploadUrl, url)?.href ?? target.uploadUrl;
  return { id: target.id, uploadUrl, size: source.size, uploaded: false };
}

/** What `onRecord` throws ends the upload, whose record is there. */
async function announce(
  onRecord: UploadRequest['onRecord'],
  { source, resume }: { source: UploadSource; resume: UploadResume },
): Promise<void> {
  try {
    await onRecord?.(resume);
  } catch (cause) {
    throw uploadError('upload-incomplete', { file: source.name, resume, cause });
  }
}

function readResume(resume: UploadResume, { name, size }: UploadSource): UploadResume {
  if (resume.size === size) return resume;
  const problem = `its record was made for ${resume.size} bytes, and it has ${size}`;
  throw mediaAssetError('upload-source-changed', { file: name, problem });
}

/** Step 2. The token goes to the address that the service named, so that one is judged first. */
async function sendContent(
  client: UploadClient,
  upload: {
    source: UploadSource;
    resume: UploadResume;
    signal: AbortSignal | undefined;
    onProgress: UploadRequest['onProgress'];
    /** Whether the content may be there from an earlier upload. */
    repeated: boolean;
  },
): Promise<FileRecord | undefined> {
  const { baseUrl, lookup, ask } = client;
  const { source, resume, signal, onProgress, repeated } = upload;
  const { id, uploadUrl, size } = resume;
  const file = source.name;
  const service = new URL(`${baseUrl}/1/file`);
  try {
    const target = await judgeRedirect({ location: uploadUrl, from: service, service, lookup });
    if (!target.followed) throw uploadUrlRefused({ file, resume, ...target });
    const headers = {
      accept: 'application/json',
      'content-type': 'application/octet-stream',
      'content-length': String(size),
    };
    const body = uploadBody(source, onProgress);
    return await ask(
      {
        kind: 'upload',
        name: `the content of ${file} (POST to ${target.url.origin})`,
        request: { method: 'POST', url: target.url.href, headers, body },
        addresses: target.addresses,
        signal,
        grace: 0,
      },
      readRecordAnswer,
    );
  } catch (cause) {
    if (cause instanceof UploadError) throw cause;
    if (cause instanceof ServiceError) {
      const { status, effect } = cause;
      // So a service answers that has the content already, whose answer was lost.
      const maybeThere = (status === 409 || status === 410) && (repeated || effect === 'unknown');
      if (maybeThere && id !== undefined) {
        // Where that cannot be told, the refusal stands.
        const isThere = await client.hasOriginal(id, size, signal).catch(() => false);
        if (isThere) return undefined;
      }
    }
    throw uploadError('upload-incomplete', { file, resume, cause });
  }
}

async function changeMetadata(
  { update }: UploadClient,
  upload: {
    source: UploadSource;
    resume: UploadResume;
    fields: FileMetadata;
    signal: AbortSignal | undefined;
  },
): Promise<void> {
  const { source, resume, fields, signal } = upload;
  try {
    if (resume.id === undefined) throw new Error('The service has not named the asset id.');
    await update(resume.id, fields, signal);
  } catch (cause) {
    throw uploadError('upload-not-updated', { file: source.name, resume, cause });
  }
}
