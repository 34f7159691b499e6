type Side = number | string | null | undefined;

interface Sides {
  readonly width?: Side;
  readonly height?: Side;
}

/**
 * The `width` and `height` attributes of a video. A missing side follows from the given one and the
 * video's aspect ratio, so the page keeps its layout while the video loads. A side in other units
 * than pixels, such as `100%`, adds no second one.
 *
 * @param given the page's attributes
 * @param natural the video's size in pixels, if known
 */
export function videoSize(
  given: Sides,
  natural: Partial<Record<'width' | 'height', number | undefined>>,
): Sides {
  const { width, height } = given;
  if (width === undefined && height === undefined) return natural;
  if (!natural.width || !natural.height) return given;
  const aspect = natural.width / natural.height;
  if (height === undefined) return { width, height: scaled(width, 1 / aspect) };
  if (width === undefined) return { width: scaled(height, aspect), height };
  return given;
}

function scaled(side: Side, factor: number): number | undefined {
  const pixels = /^\d+$/.test(`${side}`) ? Math.round(Number(side) * factor) : 0;
  return pixels > 0 ? pixels : undefined;
}
