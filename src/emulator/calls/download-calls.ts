import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Hono } from 'hono';
import {
  type CallContext,
  type CallEnvironment,
  type EmulatorState,
  requireAsset,
} from '../emulator-state.ts';
import type { Asset, OpenAsset } from '../library/media-library.ts';
import type { EmulatorSettings } from '../settings.ts';
import { contentType } from './content-type.ts';
import { cropImage, cutterVersion } from './crop-image.ts';
import { parseCropQuery } from './crop-query.ts';
import { badRequest, HttpError } from './http-error.ts';
import { isUnchanged, type Version, validatorHeaders } from './validators.ts';

const senders: Readonly<Record<string, Send>> = { '0': sendOriginal, '-1': sendCustomFormat };

/** Originals and custom formats (section 4): `download/0` and `download/-1`. */
export function addDownloadCalls(app: Hono<CallEnvironment>, state: EmulatorState): void {
  const { settings, signer, otherHost } = state;
  for (const [version, send] of Object.entries(senders))
    app.get(`/1/file/:id/download/${version}`, (c) => {
      const { downloads } = settings();
      if (downloads === 'bytes') return download(c, state, send);
      const { id } = requireAsset(state.library, c.req.param('id') ?? '');
      const query = new URL(c.req.url).searchParams;
      const url = `${otherHost()}${signer.sign(`/signed/file/${id}/${version}`, query)}`;
      return downloads === 'json' ? c.json({ url }) : c.redirect(url, 302);
    });
}

/** The same files on the second host, at signed URLs. */
export function addSignedDownloadCalls(app: Hono<CallEnvironment>, state: EmulatorState): void {
  for (const [version, send] of Object.entries(senders))
    app.get(`/signed/file/:id/${version}`, (c) => {
      // Storage services refuse a second form of authentication next to a signed URL.
      if (c.req.header('Authorization') !== undefined)
        throw badRequest('authorization-unexpected', 'Signed URLs take no Authorization header.');
      if (!state.signer.isSigned(c.req.path, new URL(c.req.url).searchParams))
        throw new HttpError(403, 'signature-invalid', 'The signature is invalid or expired.');
      return download(c, state, send);
    });
}

export function downloadOriginal(c: CallContext, state: EmulatorState): Promise<Response> {
  return download(c, state, sendOriginal);
}

interface SendParts {
  c: CallContext;
  asset: Asset;
  file: OpenAsset;
  /** Returns a 304 if the caller has this version, otherwise the headers. */
  offer: (version: Version) => Response | Record<string, string>;
  /** The file's bytes. Closes the file at the end, or when the caller disconnects. */
  stream: () => ReadableStream;
  settings: EmulatorSettings;
}

type Send = (parts: SendParts) => Promise<Response> | Response;

async function download(c: CallContext, state: EmulatorState, send: Send): Promise<Response> {
  const asset = requireAsset(state.library, c.req.param('id') ?? '');
  const file = await state.library.open(asset);
  if (file === undefined) throw new HttpError(404, 'file-unknown', `There is no file ${asset.id}.`);
  const settings = state.settings();
  const { validators } = settings;
  const offer = (version: Version): Response | Record<string, string> => {
    const headers = { ...validatorHeaders(version, validators), 'Cache-Control': 'no-cache' };
    return isUnchanged({ request: c.req.raw.headers, version, validators })
      ? new Response(null, { status: 304, headers })
      : { ...headers, 'X-Content-Type-Options': 'nosniff', ...disposition(asset.name) };
  };
  let streaming = false;
  const stream = (): ReadableStream => {
    streaming = true;
    // The fixed end keeps the announced size, even if the file grows.
    const range = { start: 0, end: file.size - 1 };
    return Readable.toWeb(file.handle.createReadStream(range)) as ReadableStream;
  };
  try {
    return await send({ c, asset, file, offer, stream, settings });
  } finally {
    if (!streaming) await file.handle.close();
  }
}

function sendOriginal({ c, asset, file, offer, stream }: SendParts): Response {
  const offered = offer({ tag: file.sha256, modified: file.modified });
  if (offered instanceof Response) return offered;
  const { size } = file;
  const headers = {
    ...offered,
    'Content-Type': contentType(asset.name),
    'Content-Length': String(size),
  };
  const empty = c.req.method === 'HEAD' || size === 0;
  return new Response(empty ? null : stream(), { headers });
}

async function sendCustomFormat({ c, file, offer, settings }: SendParts): Promise<Response> {
  const { customFormat, cropPixels, cropOutside } = settings;
  const rules = { cropPixels, cropOutside };
  const crop = parseCropQuery(new URL(c.req.url).searchParams, customFormat);
  const tag = createHash('sha256')
    .update(JSON.stringify([file.sha256, crop, rules, cutterVersion]))
    .digest('hex');
  const offered = offer({ tag, modified: file.modified });
  if (offered instanceof Response) return offered;
  const { bytes, type } = await cropImage(await file.handle.readFile(), crop, rules);
  return new Response(bytes, {
    headers: { ...offered, 'Content-Type': type, 'Content-Length': String(bytes.length) },
  });
}

/** RFC 6266: the file name in plain ASCII and in UTF-8. */
function disposition(name: string): Record<string, string> {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return { 'Content-Disposition': `attachment; filename="${plain}"; filename*=UTF-8''${exact}` };
}
