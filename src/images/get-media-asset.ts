import { mediaAssetError } from '../errors.ts';
import { ServiceError } from '../service/service-error.ts';
import { atPage } from './at-page.ts';
import type { ImagesContext } from './images-context.ts';
import { layoutSizes } from './layout-sizes.ts';
import type { MediaAsset, MediaAssetRendition, MediaAssetRequest } from './media-asset.ts';
import { type ParsedRequest, parseRequest } from './parse-request.ts';
import { refusedAssetError } from './refused-asset.ts';
import { longestSides, type Rectangle, type Rendition } from './rendition.ts';
import { renditionAddress } from './rendition-address.ts';
import { renditionName } from './rendition-name.ts';
import { formatRenditionPath, renditionKey } from './rendition-url.ts';
import { isInside, resolveCrop } from './resolve-crop.ts';
import type { Source, SourceReference } from './source.ts';

/**
 * Gives a page the addresses and sizes of an asset, and notes them in the catalogue.
 *
 * @throws an error that names the page: of the request (`parseRequest`), `crop-outside`,
 * `custom-format-mismatch`, `asset-unknown`, `asset-withdrawn`, `asset-stale-too-long`, of the
 * download, or of the service
 */
export async function getMediaAsset(
  context: ImagesContext,
  request: MediaAssetRequest,
): Promise<MediaAsset> {
  const parsed = parseRequest(request);
  const { id, page } = parsed;
  try {
    const found = await findSource(context, parsed);
    if (context.options.mode === 'build') context.allowStale(id, page);
    context.shown.add(id);
    return issue(context, parsed, found);
  } catch (thrown) {
    const refused = context.sources.refusal(id);
    throw refused ? refusedAssetError(refused, [page]) : atPage(thrown, { page, id });
  }
}

interface FoundSource {
  readonly source: Source;
  /** The rectangle of the original that is shown. */
  readonly rectangle: Rectangle;
}

async function findSource(context: ImagesContext, request: ParsedRequest): Promise<FoundSource> {
  const { crop } = request;
  if (crop && context.options.crops === 'service') {
    return { source: await findCustomFormat(context, request, crop), rectangle: crop };
  }
  const source = await context.sources.get(original(context, request.id));
  return { source, rectangle: resolveCrop(request, source) };
}

/** The original is asked for only where something is wrong with the custom format. */
async function findCustomFormat(
  context: ImagesContext,
  request: ParsedRequest,
  crop: Rectangle,
): Promise<Source> {
  const { id, page } = request;
  const { baseUrl } = context.service;
  const parameters = context.customFormat(crop);
  let source: Source;
  try {
    source = await context.sources.get({
      kind: 'custom-format',
      service: baseUrl,
      id,
      parameters,
    });
  } catch (thrown) {
    const refused = thrown instanceof ServiceError && thrown.code === 'request-refused';
    if (refused) resolveCrop(request, await context.sources.get(original(context, id)));
    throw thrown;
  }
  if (source.width === crop.width && source.height === crop.height) return source;
  const picture = await context.sources.get(original(context, id));
  if (!isInside(crop, picture)) resolveCrop(request, picture);
  throw mediaAssetError('custom-format-mismatch', {
    id,
    page,
    expected: `${crop.width} × ${crop.height}`,
    received: `${source.width} × ${source.height}`,
  });
}

function original({ service }: ImagesContext, id: number): SourceReference {
  return { kind: 'original', service: service.baseUrl, id };
}

function issue(
  context: ImagesContext,
  request: ParsedRequest,
  { source, rectangle }: FoundSource,
): MediaAsset {
  const { id, alt, crop, width, height, format } = request;
  const { service, options, catalogue } = context;
  const originalUrl = service.files.originalUrl(id);
  const customFormatUrl = crop && service.files.customFormatUrl(id, context.customFormat(crop));
  const sizes = layoutSizes({
    picture: rectangle,
    width,
    height,
    longestSide: options.delivery === 'service' ? Number.POSITIVE_INFINITY : longestSides[format],
  });
  const entry = {
    source: { reference: source.reference, hash: source.hash },
    rectangle,
    customFormatUrl: customFormatUrl ?? null,
    originalUrl,
  };
  const common = {
    id,
    alt,
    width: sizes[0].width,
    height: sizes[0].height,
    customFormatUrl,
    originalUrl,
  };
  if (options.delivery === 'service') {
    const src = customFormatUrl ?? originalUrl;
    catalogue.issueLink(src, entry);
    context.onLink(src);
    return { ...common, src, srcset: undefined, renditions: [] };
  }
  const renditions = sizes.map((size): MediaAssetRendition => {
    const { density } = size;
    const rendition: Rendition = {
      ...entry,
      width: size.width,
      height: size.height,
      recipe: { format, quality: request.quality, fit: 'cover' },
    };
    const address = renditionAddress(rendition, renditionName(alt, id));
    const path = formatRenditionPath(address);
    catalogue.issueRendition(renditionKey(address), { ...entry, ...rendition, path });
    return { url: options.toUrl(path), width: size.width, height: size.height, density };
  });
  return {
    ...common,
    src: renditions[0]?.url ?? '',
    srcset: renditions.length > 1 ? toSrcset(renditions) : undefined,
    renditions,
  };
}

function toSrcset(renditions: readonly MediaAssetRendition[]): string {
  return renditions.map(({ url, density }) => `${url} ${density}x`).join(', ');
}
