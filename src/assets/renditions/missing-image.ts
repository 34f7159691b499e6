import type { MediaAssetError } from '../../errors/errors.ts';
import { escapeXml } from '../formats/credit.ts';
import type { Rectangle, Size } from '../formats/rendition.ts';
import { resolveCrop } from '../geometry/crop.ts';
import { fitImage } from '../geometry/fit-image.ts';
import { creditOf } from '../records/asset-record.ts';
import type { Asked, MediaAsset, MediaAssetRequest } from '../request/media-asset.ts';
import { type ImageDefaults, parseRequest, placingOf } from '../request/parse-request.ts';

/**
 * The `data:` URL of an SVG that names the error of an unavailable image. Its message can contain
 * anything, including markup.
 *
 * @param subject the asset or its address
 */
export function labelledPlaceholder(
  { width, height }: Size,
  subject: string,
  error: MediaAssetError,
): string {
  const text = Math.max(8, Math.min(28, width / 16, height / 5));
  const perLine = Math.max(8, Math.floor((width * 0.9) / (text * 0.55)));
  const mostLines = Math.max(0, Math.floor(height / (text * 1.4)) - 2);
  const message = wrap(error.message, perLine).slice(0, mostLines);
  const lines = [subject.slice(0, perLine), error.code, ...message];
  const first = height / 2 - ((lines.length - 1) * text * 1.4) / 2;
  const spans = lines.map((line, index) => {
    const weight = index === 0 ? ' font-weight="bold"' : '';
    return `<text x="50%" y="${Math.round(first + index * text * 1.4)}"${weight}>${escapeXml(line)}</text>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${escapeXml(`${subject}: ${error.message}`)}</title>
<rect width="100%" height="100%" fill="#fdecea"/>
<path d="M0 0L${width} ${height}M${width} 0L0 ${height}" stroke="#f3b8b2"/>
<g font-family="ui-monospace, monospace" font-size="${Math.round(text)}" fill="#8a1c12" text-anchor="middle" dominant-baseline="middle">${spans.join('')}</g>
</svg>
`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

function wrap(text: string, length: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= length) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word.slice(0, length));
    }
  }
  return lines;
}

/** The assumed size of an unavailable original, in pixels. */
const assumed = { width: 1600, height: 1200 };

/** A labelled placeholder instead of an unavailable asset, with the layout size of the image. */
export async function missingImage(
  asked: Asked<MediaAssetRequest>,
  error: MediaAssetError,
  {
    defaults,
    originalUrl,
  }: { defaults: ImageDefaults | undefined; originalUrl: (id: number) => string },
): Promise<MediaAsset> {
  const { id, alt, subject, image } = parseRequest(asked, defaults);
  const { crop } = image.crop;
  const original =
    crop && crop.unit !== 'fraction'
      ? { width: crop.x + crop.width, height: crop.y + crop.height }
      : assumed;
  const middleOf = async ({ x, y, width, height }: Rectangle) => ({
    x: x + width / 2,
    y: y + height / 2,
  });
  const request = { crop: image.crop, image: original };
  const rectangle = await resolveCrop(subject, request, middleOf);
  const size = fitImage({ ...image, rectangle }).layout;
  const src = labelledPlaceholder(size, `asset ${id}`, error);
  return {
    ...creditOf(defaults?.record),
    ...{ id, alt, src, url: src, srcset: undefined, sizes: undefined },
    ...{ ...size, ...placingOf(image), sources: [], renditions: [] },
    ...{ placeholder: undefined, placeholderStyle: undefined, customFormatUrl: undefined },
    originalUrl: originalUrl(id),
  };
}
