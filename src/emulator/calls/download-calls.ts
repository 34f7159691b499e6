import { Readable } from 'node:stream';
import type { Hono } from 'hono';
import sharp, { type Metadata, type Region, type Sharp } from 'sharp';
import {
  type CallContext,
  type CallEnvironment,
  type EmulatorState,
  requireAsset,
} from '../emulator-state.ts';
import type { Asset } from '../library/asset.ts';
import { type AssetFile, contentType, openAsset } from '../library/asset-file.ts';
import { badRequest, HttpError } from './http-error.ts';

/** Originals and custom formats (section 4): `download/0` and `download/-1`. */
export function addDownloadCalls(app: Hono<CallEnvironment>, state: EmulatorState): void {
  app.get('/1/file/:id/download/0', (c) => downloadOriginal(c, state));
  app.get('/1/file/:id/download/-1', (c) => {
    const crop = parseCropQuery(c);
    const place = (metadata: Metadata) => requireInside(crop, displayedSize(metadata));
    return downloadCrop(c, state, (original) => cropImage(original, place));
  });
}

export async function downloadOriginal(c: CallContext, state: EmulatorState): Promise<Response> {
  const { asset, file } = await openRequested(c, state);
  let isStreaming = false;
  try {
    const { size, handle } = file;
    const validators = validatorHeaders(file);
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

type Version = Pick<AssetFile, 'version' | 'modified'>;

export function validatorHeaders({ version, modified }: Version): Record<string, string> {
  return { ETag: `"${version}"`, 'Last-Modified': modified.toUTCString() };
}

/**
 * Whether a conditional request already has this version (RFC 9110, 13.1). `If-None-Match` wins
 * over `If-Modified-Since`.
 */
export function isUnchanged(request: Headers, { version, modified }: Version): boolean {
  const noneMatch = request.get('If-None-Match');
  if (noneMatch !== null) {
    const tags = noneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''));
    return tags.includes('*') || tags.includes(`"${version}"`);
  }
  const since = request.get('If-Modified-Since');
  // HTTP dates have whole seconds. File times are finer.
  return since !== null && Math.floor(modified.getTime() / 1000) * 1000 <= Date.parse(since);
}

/** Image formats that can be cropped. All are encoded nearly lossless. */
const encoders: Record<string, { type: string; encode: (image: Sharp) => Sharp }> = {
  jpeg: {
    type: 'image/jpeg',
    encode: (image) => image.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }),
  },
  png: { type: 'image/png', encode: (image) => image.png() },
  webp: { type: 'image/webp', encode: (image) => image.webp({ lossless: true, effort: 2 }) },
  gif: { type: 'image/gif', encode: (image) => image.gif() },
  tiff: { type: 'image/tiff', encode: (image) => image.tiff({ compression: 'deflate' }) },
  heif: {
    type: 'image/avif',
    encode: (image) => image.avif({ quality: 95, chromaSubsampling: '4:4:4', effort: 2 }),
  },
};

/** Browsers ignore the EXIF orientation of a WebP. */
const isTurned = ({ format, orientation = 1 }: Metadata) => format !== 'webp' && orientation > 1;

const displayedSize = (metadata: Metadata) => (isTurned(metadata) ? metadata.autoOrient : metadata);

/**
 * Crops an image, in its own format and colour space, as displayed, with its profile and metadata. Uses
 * the first frame of an animation. Harmless damage is no reason to refuse it.
 *
 * @param place the crop as displayed (after EXIF orientation)
 */
export async function cropImage(
  given: Uint8Array,
  place: (metadata: Metadata) => Region,
  scale: (cut: Sharp, metadata: Metadata) => Sharp = (cut) => cut,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; type: string }> {
  const original = Buffer.from(given);
  // libvips takes an animated AVIF for one under this name only.
  if (original.toString('latin1', 4, 12) === 'ftypavis') original.write('avif', 8);
  const settings = { failOn: 'error' } as const;
  const metadata = await orNotAnImage(() => sharp(original, settings).metadata());
  const encoder = encoders[metadata.format ?? ''];
  if (encoder === undefined) throw notAnImage(`${metadata.format} isn't supported`);
  // With its profile, sharp would convert CMYK to sRGB and back, which changes the inks.
  const isCmyk = metadata.space === 'cmyk';
  const opened = sharp(original, { ...settings, ignoreIcc: isCmyk });
  if (isCmyk) opened.pipelineColourspace('cmyk');
  if (isTurned(metadata)) opened.autoOrient();
  const cut = opened.extract(place(metadata));
  // Without a colour space, sharp would turn greyscale, CMYK and 16-bit images into plain sRGB.
  const kept = scale(cut, metadata).keepMetadata();
  const image = metadata.space === 'srgb' ? kept : kept.toColourspace(metadata.space ?? 'srgb');
  const bytes = await orNotAnImage(() => encoder.encode(image).toBuffer());
  return { bytes: new Uint8Array(bytes), type: encoder.type };
}

async function orNotAnImage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw notAnImage(error instanceof Error ? error.message : String(error));
  }
}

function notAnImage(why: string): HttpError {
  return new HttpError(415, 'not-a-picture', `The file can't be cropped: ${why}.`);
}

/**
 * Reads the crop of a `download/-1` call: its corner `x1` and `y1`, its size `w` and `h`. Other
 * parameters are ignored, because section 4 mentions "others" without naming them.
 */
export function parseCropQuery(c: CallContext): Region {
  return {
    left: wholeNumber(c, 'x1', 0),
    top: wholeNumber(c, 'y1', 0),
    width: wholeNumber(c, 'w', 1),
    height: wholeNumber(c, 'h', 1),
  };
}

function requireInside(crop: Region, image: Pick<Region, 'width' | 'height'>): Region {
  const { left, top, width, height } = crop;
  if (left + width <= image.width && top + height <= image.height) return crop;
  throw badRequest(
    'crop-outside',
    `The crop x1=${left} y1=${top} of ${width} × ${height} pixels reaches outside the image of ${image.width} × ${image.height} pixels.`,
  );
}

export function wholeNumber(c: CallContext, name: string, least: number): number {
  const values = c.req.queries(name) ?? [];
  const text = values[0] ?? '';
  if (values.length !== 1 || !/^(0|[1-9]\d{0,9})$/.test(text) || Number(text) < least)
    throw badRequest(
      'crop-invalid',
      `${name} must be given once, as a whole number from ${least}; received ${values.length === 0 ? 'nothing' : values.join(', ').slice(0, 80)}.`,
    );
  return Number(text);
}
