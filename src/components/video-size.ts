interface Sides {
  readonly width?: unknown;
  readonly height?: unknown;
}

/**
 * The attributes `width` and `height` of a video. A side that is not given comes from the other one,
 * in the video's own shape, so that its place is kept until it has come; of what is no number of
 * pixels nothing comes.
 *
 * @param given by the page
 * @param natural in pixels, where it is known
 */
export function videoSize(given: Sides, natural: { width?: number; height?: number }): Sides {
  const { width, height } = given;
  if (width === undefined && height === undefined) return natural;
  if (!natural.width || !natural.height) return given;
  const aspect = natural.width / natural.height;
  if (height === undefined) return { width, height: scaled(width, 1 / aspect) };
  if (width === undefined) return { width: scaled(height, aspect), height };
  return given;
}

function scaled(side: unknown, factor: number): number | undefined {
  const pixels = /^\d+$/.test(`${side}`) ? Math.round(Number(side) * factor) : 0;
  return pixels > 0 ? pixels : undefined;
}
