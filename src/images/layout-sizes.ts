import type { Size } from './rendition.ts';

/** An output size, and the pixels that it gives to one layout pixel. */
export interface LayoutSize extends Size {
  readonly density: number;
}

const densities = [1, 2] as const;

/**
 * The sizes that a picture is published in, the layout's own first: 1x, and 2x where there are
 * pixels for it. A layout that asks for more pixels than there are gets as many as there are, in
 * the shape that it asked for.
 */
export function layoutSizes({
  picture,
  width,
  height,
  longestSide,
}: {
  /** What is shown: the crop, or the whole picture. */
  picture: Size;
  width: number | undefined;
  height: number | undefined;
  /** The most pixels that a side can have in the output's format. */
  longestSide: number;
}): [LayoutSize, ...LayoutSize[]] {
  const most = {
    width: Math.min(picture.width, longestSide),
    height: Math.min(picture.height, longestSide),
  };
  const layout = withinBounds(wantedSize(picture, width, height), most);
  return [
    { ...layout, density: 1 },
    ...densities
      .slice(1)
      .map((density) => ({
        width: layout.width * density,
        height: layout.height * density,
        density,
      }))
      .filter((size) => size.width <= most.width && size.height <= most.height),
  ];
}

function wantedSize(picture: Size, width: number | undefined, height: number | undefined): Size {
  if (width === undefined && height === undefined) return picture;
  if (width !== undefined && height !== undefined) return { width, height };
  const ratio = picture.width / picture.height;
  return width !== undefined
    ? { width, height: atLeastOne(width / ratio) }
    : { width: atLeastOne((height ?? 1) * ratio), height: height ?? 1 };
}

function withinBounds({ width, height }: Size, most: Size): Size {
  const scale = Math.min(1, most.width / width, most.height / height);
  return {
    width: Math.min(most.width, atLeastOne(width * scale)),
    height: Math.min(most.height, atLeastOne(height * scale)),
  };
}

function atLeastOne(pixels: number): number {
  return Math.max(1, Math.round(pixels));
}
