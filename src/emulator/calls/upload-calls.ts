import type { Hono } from 'hono';
import type { CallContext, CallEnvironment, EmulatorState } from '../emulator-state.ts';
import { type Asset, parseId } from '../library/asset.ts';
import { fileRecord } from './file-record.ts';
import { badRequest, HttpError } from './http-error.ts';
import { requireFolder } from './library-calls.ts';
import { parseFields, type WantedFields } from './parse-fields.ts';
import { receiveUpload, wrongSize } from './receive-upload.ts';
import { parseRecordBody, type RecordBody } from './record-body.ts';

/** Maximum size of an upload, in bytes. */
const maxUploadBytes = 2 ** 30;

/** An upload's first step, one file's record, and updates of a record (section 4). */
export function addRecordCalls(app: Hono<CallEnvironment>, state: EmulatorState): void {
  const { library, uploads, changeRecord } = state;

  app.post('/1/file', (c) => {
    const { filename, size, folder, name = null, metadata } = readRecordBody(c, state);
    if (filename === undefined || size === undefined || folder === undefined)
      throw badRequest('record-invalid', 'filename, size and folder must be given.');
    if (size > maxUploadBytes)
      throw new HttpError(
        413,
        'file-too-large',
        `The file is larger than ${maxUploadBytes} bytes.`,
      );
    const target = requireFolder(state, folder);
    const { id, signature } = uploads.announce({
      filename,
      size,
      folder: target.id,
      name,
      metadata: withoutNull(metadata),
    });
    const asset = library.record(id) as Asset;
    const uploadURL = new URL(`/1/upload/${id}?signature=${signature}`, c.req.url).href;
    return answerRecord(c, state, asset, { more: { uploadURL } });
  });

  app.get('/1/file/:id', (c) => {
    const asset = requireRecord(state, c.req.param('id'));
    const fields = parseFields(new URL(c.req.url).searchParams);
    return answerRecord(c, state, asset, { fields });
  });

  app.put('/1/file/:id', (c) => {
    const asset = requireRecord(state, c.req.param('id'));
    const { size, folder, filename, ...changes } = readRecordBody(c, state);
    if (size !== undefined)
      throw badRequest('record-invalid', "Invalid record: a size can't be changed.");
    const target = folder === undefined ? undefined : requireFolder(state, folder);
    changeRecord(asset, {
      ...changes,
      ...(target !== undefined && { folder: target.id }),
      ...(filename !== undefined && { filename }),
    });
    return answerRecord(c, state, library.record(asset.id) as Asset);
  });
}

/** An upload's second step, at the signed `uploadURL`. */
export function addUploadCall(app: Hono<CallEnvironment>, state: EmulatorState): void {
  const { library, uploads } = state;
  const running = new Set<number>();

  app.post('/1/upload/:id', async (c) => {
    const id = parseId(c.req.param('id'));
    const signature = new URL(c.req.url).searchParams.get('signature') ?? '';
    const asset = library.record(id);
    if (id === undefined || asset === undefined || !uploads.isSigned(id, signature))
      throw refuseUnread(403, 'signature-invalid', 'The signature is invalid.');
    if (asset.awaited === undefined)
      throw refuseUnread(409, 'upload-done', 'The content of this file is already uploaded.');
    if (running.has(id))
      throw refuseUnread(
        409,
        'upload-running',
        'The content of this file is already being uploaded.',
      );
    const { 'content-length': length } = c.env.incoming.headers;
    if (length !== undefined && Number(length) !== asset.awaited)
      throw wrongSize(asset.awaited, `but Content-Length is ${length}`);

    running.add(id);
    try {
      const content = c.req.raw.body ?? undefined;
      await receiveUpload({ content, size: asset.awaited, file: asset.file });
      uploads.finish(id);
    } finally {
      running.delete(id);
    }
    return answerRecord(c, state, library.record(id) as Asset);
  });
}

/** Refuses an upload before reading its body. The connection can't be reused. */
function refuseUnread(status: number, code: string, message: string): HttpError {
  return new HttpError(status, code, message, { Connection: 'close' });
}

function readRecordBody(c: CallContext, { settings }: EmulatorState): RecordBody {
  return parseRecordBody(
    { body: c.get('body'), contentType: c.req.header('Content-Type') ?? '' },
    settings,
  );
}

/** The asset in a path, with or without its content. */
function requireRecord({ library }: EmulatorState, id: string): Asset {
  const asset = library.record(parseId(id));
  if (asset === undefined)
    throw new HttpError(404, 'file-unknown', `There is no file ${id.slice(0, 80)}.`);
  return asset;
}

function withoutNull(metadata: RecordBody['metadata']): RecordBody['metadata'] {
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null));
}

function answerRecord(
  c: CallContext,
  state: EmulatorState,
  asset: Asset,
  { fields, more = {} }: { fields?: WantedFields; more?: Record<string, unknown> } = {},
): Response {
  return c.json({ ...fileRecord(asset, state, fields), ...more });
}
