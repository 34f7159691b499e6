import { Readable } from 'node:stream';
import { type App, type CallContext, type EmulatorState, requireAsset } from '../emulator-state.ts';
import type { Asset } from '../library/asset.ts';
import { type AssetFile, contentType, openAsset } from '../library/asset-file.ts';
import { cropImage, displayedSize, wholeNumbers } from './crop-image.ts';
import { badRequest, HttpError } from './http-error.ts';

/** Originals and custom formats (section 4): `download/0` and `download/-1`. */
export function addDownloadCalls(app: App, state: EmulatorState): void {
  app.get('/1/file/:id/download/0', (c) => downloadOriginal(c, state));
  app.get('/1/file/:id/download/-1', (c) => downloadCrop(c, state));
}

export async function downloadOriginal(c: CallContext, state: EmulatorState): Promise<Response> {
  const { asset, file } = await openRequested(c, state);
  let isStreaming = false;
  try {
    const { size, handle, version, modified } = file;
    const validators = { ETag: `"${version}"`, 'Last-Modified': modified.toUTCString() };
    if (isUnchanged(c.req.raw.headers, file))
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

async function downloadCrop(c: CallContext, state: EmulatorState): Promise<Response> {
  // Other parameters are ignored, because section 4 mentions "others" without naming them.
  const { x1: left, y1: top, w: width, h: height } = wholeNumbers(c, { x1: 0, y1: 0, w: 1, h: 1 });
  const { asset, file } = await openRequested(c, state);
  try {
    const original = await file.handle.readFile();
    const { bytes, type } = await cropImage(original, (metadata) => {
      const image = displayedSize(metadata);
      if (left + width <= image.width && top + height <= image.height)
        return { left, top, width, height };
      throw badRequest(
        'crop-outside',
        `The crop x1=${left} y1=${top} of ${width} × ${height} pixels reaches outside the image of ${image.width} × ${image.height} pixels.`,
      );
    });
    const headers = { 'Content-Type': type, 'Content-Length': String(bytes.length) };
    return new Response(bytes, { headers: { ...attachment(asset), ...headers } });
  } finally {
    await file.handle.close();
  }
}

async function openRequested(c: CallContext, { library }: EmulatorState) {
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

/** Whether a conditional request already has this version (RFC 9110, 13.1). */
function isUnchanged(request: Headers, { version, modified }: AssetFile): boolean {
  const noneMatch = request.get('If-None-Match');
  if (noneMatch !== null) {
    const tags = noneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''));
    return tags.includes('*') || tags.includes(`"${version}"`);
  }
  const since = request.get('If-Modified-Since');
  // HTTP dates have whole seconds. File times are finer.
  return since !== null && Math.floor(modified.getTime() / 1000) * 1000 <= Date.parse(since);
}
