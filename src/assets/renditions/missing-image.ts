import type { MediaAssetError } from '../../errors/errors.ts';
import { escapeXml } from '../formats/credit.ts';
import { resolveCrop } from '../geometry/crop.ts';
import { fitImage } from '../geometry/fit-image.ts';
import { creditOf } from '../records/asset-record.ts';
import type { Asking } from '../request/asking.ts';
import type { MediaAsset, MediaAssetRequest } from '../request/media-asset.ts';
import { type ImageDefaults, parseRequest } from '../request/parse-request.ts';
import { placingOf } from '../request/props.ts';

/**
 * The `data:` URL of an SVG that names the error of an unavailable image. It has no size of its own, so
 * that its text is as large in a small card as in a wide image. The message can contain anything,
 * including markup.
 *
 * @param title what the image shows, or its address
 */
export function labelledPlaceholder(title: string, { code, message }: MediaAssetError): string {
  const [name, reason] = [title, message].map(escapeXml);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><title>${name}: ${reason}</title>
<foreignObject width="100%" height="100%"><div xmlns="http://www.w3.org/1999/xhtml" style="${placeholderStyle}"><b>${name}</b><br/>${reason}<br/><code>${code}</code></div></foreignObject>
</svg>
`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

const placeholderStyle =
  'box-sizing:border-box;height:100%;padding:8px;overflow:hidden;overflow-wrap:anywhere;border:1px dashed #6b7280;background:#eef0f3;color:#343a46;font:12px/1.35 system-ui,sans-serif';

/** The assumed size of an unavailable original, in pixels. */
const assumed = { width: 1600, height: 1200 };

/** A labelled placeholder instead of an unavailable asset, with the layout size of the image. */
export async function missingImage(
  asked: MediaAssetRequest & Asking,
  error: MediaAssetError,
  site: { defaults: ImageDefaults | undefined; originalUrl: (id: number) => string },
): Promise<MediaAsset> {
  const { defaults, originalUrl } = site;
  const { id, alt, subject, image } = parseRequest(asked, defaults);
  const { crop } = image.crop;
  const original =
    crop && crop.unit !== 'fraction'
      ? { width: crop.x + crop.width, height: crop.y + crop.height }
      : assumed;
  const request = { crop: image.crop, image: original };
  // Only its size counts, not its place.
  const rectangle = await resolveCrop(subject, request, async (area) => area);
  const size = fitImage({ ...image, rectangle }).layout;
  const src = labelledPlaceholder(alt || `Asset ${id}`, error);
  return {
    ...{ ...creditOf(defaults?.record), sourceLabel: undefined },
    ...{ id, alt, src, url: src, ...size, sources: [], renditions: [] },
    ...{ srcset: undefined, sizes: undefined, ...placingOf(image) },
    ...{ placeholder: undefined, placeholderStyle: undefined, customFormatUrl: undefined },
    originalUrl: originalUrl(id),
  };
}
