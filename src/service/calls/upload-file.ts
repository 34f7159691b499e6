import { z } from 'zod';
import type { uploadFields } from '../../config/option-values.ts';
import { checkRedirect, isLoopbackHost, type Lookup } from '../http/addresses.ts';
import { fileRecordIn, findContent, isFields } from '../http/known-answers.ts';
import type { Reader } from '../http/receive-answer.ts';
import type { Redactor } from '../http/redactor.ts';
import { sendJson } from '../http/service-context.ts';
import * as requests from '../requests.ts';
import { ServiceError, serviceError } from '../service-error.ts';
import type { FileRecord, Uploaded } from '../types.ts';
import { checkArgument, checkRequest } from './check-argument.ts';
import { readRecordAnswer, updateCall } from './file-calls.ts';
import type { Ask } from './page-through.ts';
import { openUploadSource, uploadBody } from './upload-source.ts';

/** Names of the metadata fields in an upload request. The interface doesn't define them. */
export type UploadFields = Readonly<z.output<typeof uploadFields>>;

/**
 * Uploads a file in two steps (section 4), then sets its metadata if there is any.
 *
 * @throws `argument-invalid`, `upload-source-unusable`; a ServiceError of the first step,
 * `upload-unanswered` if it may have created a record; then a ServiceError that names the record:
 * `upload-incomplete` or `upload-not-updated`
 */
export async function uploadFile(
  client: {
    readonly baseUrl: string;
    readonly uploadFields: UploadFields;
    readonly lookup: Lookup;
    readonly redactor: Pick<Redactor, 'add'>;
    readonly ask: Ask;
  },
  given: {
    file: requests.UploadFile;
    metadata: requests.UploadMetadata;
    request: requests.UploadRequest | undefined;
  },
): Promise<Uploaded> {
  const place = 'files.upload()';
  const file = checkArgument({ place, name: 'file', schema: requests.uploadedFile }, given.file);
  const check = { place, name: 'metadata', schema: requests.uploadMetadata };
  const metadata = checkArgument(check, given.metadata);
  const request = checkRequest(place, requests.uploadRequest, given.request);
  const { signal, onProgress } = request;
  const source = await openUploadSource(file);
  /** For messages. */
  const name = metadata.filename ?? source.name;
  const { baseUrl, lookup, redactor, ask } = client;
  const url = `${baseUrl}/1/file`;

  /** Step 1. Never repeated if it may have created a record. */
  async function makeRecord(): Promise<UploadTarget> {
    const schema = z.string('expected a file name, because bytes have none');
    const check = { place, name: 'metadata.filename', schema };
    const filename = checkArgument(check, metadata.filename ?? source.filename);
    const { uploadFields: fields } = client;
    const body = {
      [fields.filename]: filename,
      [fields.size]: source.size,
      [fields.folder]: metadata.folder,
    };
    const record = { kind: 'record', name: `the record of ${name} (POST ${url})` } as const;
    const request = sendJson('POST', url, body);
    try {
      const made = await ask({ ...record, request, signal, grace: 0 }, readUploadTarget);
      return { ...made, uploadUrl: URL.parse(made.uploadUrl, url)?.href ?? made.uploadUrl };
    } catch (cause) {
      if (!(cause instanceof ServiceError) || cause.effect === 'none') throw cause;
      const { status, effect, message: reason } = cause;
      throw serviceError('upload-unanswered', { file: name, reason }, { status, effect, cause });
    }
  }

  const target = await makeRecord();
  let { id } = target;

  function failed(code: 'upload-incomplete' | 'upload-not-updated', cause: unknown): ServiceError {
    const { status, effect } =
      cause instanceof ServiceError ? cause : { status: undefined, effect: 'unknown' as const };
    const reason = cause instanceof Error ? cause.message : String(cause);
    const record = id === undefined ? 'a record with an unknown ID' : `asset ${id}`;
    const details = { file: name, record, reason };
    return serviceError(code, details, { status, effect, cause });
  }

  /** Step 2. Checks the service's `uploadURL` first, because the request carries the file. */
  async function sendContent(): Promise<FileRecord | undefined> {
    const service = new URL(url);
    const location = target.uploadUrl;
    const to = await checkRedirect({ location, from: service, service, lookup }).catch((cause) => {
      throw failed('upload-incomplete', cause);
    });
    if (!to.followed) {
      const reason = `Nothing was sent to its upload URL (${to.target}): ${to.reason}.`;
      throw failed('upload-incomplete', new Error(reason));
    }
    const { origin, href } = to.url;
    const tokenless = !(await isOwn(to.url, service));
    const type = { accept: 'application/json', 'content-type': 'application/octet-stream' };
    const headers = { ...type, 'content-length': String(source.size) };
    const body = uploadBody(source, onProgress);
    const request = { method: 'POST', url: href, headers, body } as const;
    const content = { kind: 'upload', name: `the content of ${name} (POST to ${origin})` } as const;
    const call = { ...content, request, addresses: to.addresses, tokenless, signal, grace: 0 };
    return ask(call, readRecordAnswer).catch((cause: unknown) => {
      throw failed('upload-incomplete', cause);
    });
  }

  redactor.add(target.uploadUrl);
  // An answer may repeat its query alone.
  redactor.add(target.uploadUrl.replace(/^[^?]*\??/, ''));
  const record = await sendContent();
  id ??= record?.id;
  if (metadata.fields === undefined) return { id };
  try {
    if (id === undefined) throw new Error("The service didn't return the asset ID.");
    const update = { metadata: metadata.fields, request: { signal } };
    await ask(updateCall(baseUrl, id, update), readRecordAnswer);
  } catch (cause) {
    throw failed('upload-not-updated', cause);
  }
  return { id };
}

/** Whether a host is of the service's own domain. No one else may know the token. */
async function isOwn(url: URL, service: URL): Promise<boolean> {
  if (url.origin === service.origin) return true;
  if (isLoopbackHost(url.hostname)) return false;
  // The list of domains takes longer to load than the rest of the client.
  const { getDomain } = await import('tldts');
  const [own, other] = [service, url].map(({ hostname }) =>
    getDomain(hostname, { allowPrivateDomains: true }),
  );
  return own !== null && own === other;
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
