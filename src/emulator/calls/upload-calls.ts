import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { App, EmulatorState } from '../emulator-state.ts';
import { type Asset, parseId } from '../library/asset.ts';
import { fileRecord } from './file-record.ts';
import { badRequest, HttpError } from './http-error.ts';

/** An upload's second step, at the signed `uploadURL`. */
export function addUploadCall(app: App, state: EmulatorState): void {
  const { library, records } = state;
  const running = new Set<number>();

  app.post('/1/upload/:id', async (c) => {
    const id = parseId(c.req.param('id'));
    const signature = c.req.query('signature') ?? '';
    const asset = library.record(id);
    if (id === undefined || asset === undefined || !records.isSigned(id, signature))
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
      await receiveUpload(c.req.raw.body, { size: asset.awaited, file: asset.file });
      records.finish(id);
    } finally {
      running.delete(id);
    }
    return c.json(fileRecord(library.record(id) as Asset, state));
  });
}

/** Refuses an upload before reading its body. The connection can't be reused. */
function refuseUnread(status: number, code: string, message: string): HttpError {
  return new HttpError(status, code, message, { Connection: 'close' });
}

function wrongSize(size: number, found: string): HttpError {
  return refuseUnread(400, 'size-wrong', `Expected ${size} bytes, ${found}.`);
}

/** Streams an upload to disk. Until it's finished, no call serves the file. */
async function receiveUpload(
  content: AsyncIterable<Uint8Array> | null,
  { size, file }: { size: number; file: string },
): Promise<void> {
  async function* counted() {
    let received = 0;
    for await (const chunk of untilCut(content)) {
      received += chunk.length;
      if (received > size) throw wrongSize(size, 'received more');
      yield chunk;
    }
    if (received !== size) throw wrongSize(size, `received ${received}`);
  }
  await mkdir(dirname(file), { recursive: true });
  try {
    await writeFile(file, counted(), { flush: true });
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

/** The chunks of a body. Distinguishes a sender that disconnects from a failing disk. */
async function* untilCut(content: AsyncIterable<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  try {
    yield* content ?? [];
  } catch {
    // There's no one left to answer. The log keeps the status.
    throw badRequest('body-cut-short', 'The body ended too early.');
  }
}

/** Whether a request is an upload's second step. Its body is a file's content. */
export function isUpload({ method, path }: { method: string; path: string }): boolean {
  return method === 'POST' && /^\/1\/upload\/-?\d+$/.test(path);
}
