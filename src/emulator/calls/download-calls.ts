import { Readable } from 'node:stream';
import type { Hono } from 'hono';
import type { Metadata } from 'sharp';
import {
  type CallContext,
  type CallEnvironment,
  type EmulatorState,
  requireAsset,
} from '../emulator-state.ts';
import type { Asset } from '../library/asset.ts';
import { contentType, type OpenAsset, openAsset } from '../library/asset-file.ts';
import { cropImage, parseCropQuery, requireInside } from './crop-image.ts';
import { HttpError } from './http-error.ts';

/** Originals and custom formats (section 4): `download/0` and `download/-1`. */
export function addDownloadCalls(app: Hono<CallEnvironment>, state: EmulatorState): void {
  app.get('/1/file/:id/download/0', (c) => downloadOriginal(c, state));
  app.get('/1/file/:id/download/-1', (c) => {
    const crop = parseCropQuery(new URL(c.req.url).searchParams);
    const place = ({ autoOrient }: Metadata) => requireInside(crop, autoOrient);
    return downloadCrop(c, state, (original) => cropImage(original, place));
  });
}

export async function downloadOriginal(c: CallContext, state: EmulatorState): Promise<Response> {
  const { asset, file } = await openRequested(c, state);
  let isStreaming = false;
  try {
    const { size, handle, modified } = file;
    const version = { tag: file.version, modified };
    const validators = validatorHeaders(version);
    if (isUnchanged(c.req.raw.headers, version))
      return new Response(null, { status: 304, headers: validators });
    const headers = {
      ...attachment(asset),
      ...validators,
      'Content-Type': contentType(asset.name),
      'Content-Length': String(size),
    };
    if (c.req.method === 'HEAD' || size === 0) return new Response(null, { headers });
    isStreaming = true;
    // Closes the file at the end, or when the caller disconnects. The fixed end keeps the announced
    // size, even if the file grows.
    const stream = handle.createReadStream({ start: 0, end: size - 1 });
    return new Response(Readable.toWeb(stream) as ReadableStream, { headers });
  } finally {
    if (!isStreaming) await file.handle.close();
  }
}

export async function downloadCrop(
  c: CallContext,
  state: EmulatorState,
  cut: (original: Uint8Array) => ReturnType<typeof cropImage>,
): Promise<Response> {
  const { asset, file } = await openRequested(c, state);
  try {
    const { bytes, type } = await cut(await file.handle.readFile());
    const headers = { 'Content-Type': type, 'Content-Length': String(bytes.length) };
    return new Response(bytes, { headers: { ...attachment(asset), ...headers } });
  } finally {
    await file.handle.close();
  }
}

async function openRequested(
  c: CallContext,
  { library }: EmulatorState,
): Promise<{ asset: Asset; file: OpenAsset }> {
  const asset = requireAsset(library.find, c.req.param('id') ?? '');
  const file = await openAsset(asset);
  if (file === undefined) throw new HttpError(404, 'file-unknown', `There is no file ${asset.id}.`);
  return { asset, file };
}

/** The headers of a file to save (RFC 6266 and 8187). */
function attachment({ name }: Asset): Record<string, string> {
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return {
    'Cache-Control': 'no-cache',
    'Content-Disposition': `attachment; filename*=UTF-8''${encoded}`,
    'X-Content-Type-Options': 'nosniff',
  };
}

export interface Version {
  /** Text of the strong ETag, without quotes. */
  readonly tag: string;
  readonly modified: Date;
}

export function validatorHeaders({ tag, modified }: Version): Record<string, string> {
  return { ETag: `"${tag}"`, 'Last-Modified': modified.toUTCString() };
}

/**
 * Whether a conditional request already has this version (RFC 9110, 13.1). `If-None-Match` wins
 * over `If-Modified-Since`.
 */
export function isUnchanged(request: Headers, { tag, modified }: Version): boolean {
  const noneMatch = request.get('If-None-Match');
  if (noneMatch !== null) {
    const tags = noneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''));
    return tags.includes('*') || tags.includes(`"${tag}"`);
  }
  const since = request.get('If-Modified-Since');
  // HTTP dates have whole seconds. File times are finer.
  return since !== null && Math.floor(modified.getTime() / 1000) * 1000 <= Date.parse(since);
}
