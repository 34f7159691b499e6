import type { Placeholder, Point, Rectangle } from '../formats/rendition.ts';
import type { Source } from '../formats/source.ts';
import type { Fit } from '../geometry/fit-picture.ts';
import { makeOnce, type SourceAccess } from '../sources/source-bytes.ts';
import { cutPicture } from './cut-picture.ts';

/** The longest side of a blurred placeholder, in pixels. */
const longestSide = 20;

/**
 * A tiny picture as a `data:` URL: 20 pixels wide or high at most, or its mean colour only. It is
 * kept in the cache. A drawing has none, and neither has a picture that can be transparent unless
 * a background fills it: the placeholder would shine through.
 *
 * @param corner where the first pixel of the source lies in the original
 * @throws `SourceLost`
 */
export async function findPlaceholder(
  access: SourceAccess,
  {
    kind,
    source,
    corner,
    rectangle,
    background,
  }: {
    kind: Placeholder;
    source: Source;
    corner: Point;
    rectangle: Rectangle;
    /** Of the published picture. */
    background: string | undefined;
  },
): Promise<string | undefined> {
  if (kind === 'none' || source.kind === 'svg') return undefined;
  const filling = source.transparent ? background : undefined;
  if (source.transparent && filling === undefined) return undefined;
  const { x, y, width, height } = rectangle;
  const filled = filling === undefined ? '' : `-${filling}`;
  const bytes = await makeOnce(access, source, {
    name: `${kind}-${x}-${y}-${width}-${height}${filled}`,
    async make(original) {
      const { picture } = await cutPicture(original, { corner, rectangle });
      if (filling !== undefined) picture.flatten({ background: filling });
      const small =
        kind === 'color'
          ? picture.resize(1, 1, { fit: 'fill' })
          : picture.resize(longestSide, longestSide, { fit: 'inside' });
      return small.toColourspace('srgb').webp({ quality: 50, effort: 6 }).toBuffer();
    },
  });
  return `data:image/webp;base64,${bytes.toString('base64')}`;
}

/** How a background is sized where the picture on it leaves some of its box free. */
const sizes: Partial<Record<Fit, string>> = {
  contain: 'contain',
  'scale-down': 'contain',
  none: 'contain',
  fill: '100% 100%',
};

/**
 * Declarations for the `style` attribute of a picture: its placeholder, as its background. No
 * shorthand, so that a site's own background colour stays, which frames a picture with a padding.
 *
 * @param placeholder a `data:` URL
 * @param position as CSS's `object-position`; the middle unless given
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
