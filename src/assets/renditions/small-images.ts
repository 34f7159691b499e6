import { mediaAssetError } from '../../errors/errors.ts';
import type { Placeholder } from '../formats/output-formats.ts';
import { originalOf } from '../formats/source.ts';
import type { Fit } from '../geometry/fit-image.ts';
import type { Rectangle } from '../geometry/rectangle.ts';
import { makeOnce, type SourceAccess } from '../sources/source-bytes.ts';
import { cutImage } from './cut-image.ts';
import type { Shown } from './find-shown.ts';

/** The longest side of a blurred placeholder, in pixels. */
const longestSide = 20;

/**
 * A tiny image as a `data:` URL, at most 20 pixels wide or high, or of one pixel in the mean color. It's
 * cached. An SVG has none. A transparent image has one only if a background fills it, because the
 * placeholder would show through.
 */
export async function findPlaceholder(
  access: SourceAccess,
  wanted: Pick<Shown, 'source' | 'corner' | 'rectangle'> & {
    kind: Placeholder;
    background: string | undefined;
  },
): Promise<string | undefined> {
  const { kind, source, corner, rectangle, background } = wanted;
  if (kind === 'none' || source.kind === 'svg') return undefined;
  const filling = source.transparent ? background : undefined;
  if (source.transparent && filling === undefined) return undefined;
  const { x, y, width, height } = rectangle;
  // The name of a file, and a color can have a slash.
  const filled = filling === undefined ? '' : `-${filling.replaceAll('/', '_')}`;
  const bytes = await makeOnce(access, source, {
    name: `${kind}-${x}-${y}-${width}-${height}${filled}`,
    async make(original) {
      const { image } = await cutImage(original, { corner, rectangle });
      if (filling !== undefined) image.flatten({ background: filling });
      const small =
        kind === 'color'
          ? image.resize(1, 1, { fit: 'fill' })
          : image.resize(longestSide, longestSide, { fit: 'inside' });
      return small.toColourspace('srgb').webp({ quality: 50, effort: 6 }).toBuffer();
    },
  });
  return `data:image/webp;base64,${bytes.toString('base64')}`;
}

/** The `background-size` of each fit. All others use `cover`. */
const sizes: Partial<Record<Fit, string>> = {
  contain: 'contain',
  'scale-down': 'contain',
  none: 'contain',
  fill: '100% 100%',
};

/**
 * CSS declarations that show a placeholder as the background of its image. They don't use the
 * shorthand, which would reset a background color that a site sets to frame a padded image.
 */
export function placeholderStyle(
  placeholder: string,
  { fit, position = '50%' }: { fit: Fit; position: string | undefined },
): string {
  return [
    `background-image:url(${placeholder})`,
    `background-position:${position}`,
    `background-size:${sizes[fit] ?? 'cover'}`,
    'background-repeat:no-repeat',
    'background-origin:content-box',
  ].join(';');
}

/** A small WebP of an image as displayed, or of a part. It's cached with the asset, and never published. */
export async function previewImage(
  access: SourceAccess,
  { id, width, rectangle }: { id: number; width: number; rectangle?: Rectangle },
): Promise<Buffer> {
  const source = await access.sources.get(originalOf(id));
  if (source.kind === 'svg') {
    throw mediaAssetError('svg-not-cropped', { id, page: 'The toolbar', what: 'a preview' });
  }
  return makeOnce(access, source, {
    name: ['preview', width, ...Object.values(rectangle ?? {})].join('-'),
    async make(bytes) {
      const { image } = await cutImage(bytes, rectangle && { rectangle });
      const small = image.resize({ width, withoutEnlargement: true });
      return small.toColourspace('srgb').webp({ quality: 80 }).toBuffer();
    },
  });
}
