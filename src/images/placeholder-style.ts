import type { Fit } from './fit-picture.ts';

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
