import { wholePixels } from './fit-picture.ts';
import type { Size } from './rendition.ts';

/** A size that a picture is published in, and how a `srcset` names it. */
export interface OutputSize extends Size {
  /** `2x` for a density, `1280w` for a width. */
  readonly descriptor: string;
}

/** Astro's layouts, with Astro's meaning. */
export const layouts = ['constrained', 'fixed', 'full-width', 'none'] as const;
export type Layout = (typeof layouts)[number];

/** Which sizes a page asks for: by density, by width, or by a layout. */
export type SizesRequest =
  | { readonly kind: 'densities'; readonly densities: readonly number[] }
  | {
      readonly kind: 'widths';
      readonly widths: readonly number[];
      readonly sizes: string | undefined;
    }
  | {
      readonly kind: 'layout';
      readonly layout: Exclude<Layout, 'none'>;
      readonly breakpoints: readonly number[];
      readonly sizes: string | undefined;
    };

export interface OutputSizes {
  /** For the attributes `width` and `height`; never larger than the picture. */
  readonly layout: Size;
  /** At least one, from small to large. */
  readonly outputs: readonly [OutputSize, ...OutputSize[]];
  /** The output of `src`: the smallest that fills the layout, else the largest. */
  readonly main: OutputSize;
  /** The attribute `sizes`. */
  readonly sizes: string | undefined;
}

/**
 * The sizes that a picture is published in. None is larger than the picture: a layout that asks
 * for more pixels than there are gets as many as there are in the shape that it asked for, and
 * instead of widths that are too large there is the largest possible one.
 *
 * @param picture what is shown: the crop, or the whole picture
 * @param longestSide the most pixels that a side can have in the output's format
 */
export function outputSizes({
  picture,
  layout,
  request,
  longestSide,
}: {
  picture: Size;
  layout: Size;
  request: SizesRequest;
  longestSide: number;
}): OutputSizes {
  const most = {
    width: Math.min(picture.width, longestSide),
    height: Math.min(picture.height, longestSide),
  };
  const bounded = withinBounds(layout, most);
  if (request.kind === 'densities') {
    const outputs = byDensity(bounded, most, request.densities);
    return { layout: bounded, outputs, main: outputs[0], sizes: undefined };
  }
  const wanted =
    request.kind === 'widths' ? request.widths : layoutWidths(request, { layout: bounded, most });
  const outputs = byWidth(bounded, most, wanted);
  const main = outputs.find(({ width }) => width >= bounded.width) ?? outputs.at(-1) ?? outputs[0];
  const sizes =
    request.sizes ??
    (request.kind === 'layout' ? layoutSizesAttribute(request.layout, bounded.width) : undefined);
  return { layout: bounded, outputs, main, sizes };
}

function byDensity(
  layout: Size,
  most: Size,
  densities: readonly number[],
): [OutputSize, ...OutputSize[]] {
  const larger = [...new Set(densities)]
    .filter((density) => density > 1)
    .sort((one, other) => one - other)
    .map((density) => ({
      width: Math.round(layout.width * density),
      height: Math.round(layout.height * density),
      descriptor: `${density}x`,
    }))
    .filter((size) => size.width <= most.width && size.height <= most.height);
  return [{ ...layout, descriptor: '1x' }, ...larger];
}

function byWidth(
  layout: Size,
  most: Size,
  widths: readonly number[],
): [OutputSize, ...OutputSize[]] {
  const ratio = layout.width / layout.height;
  const widest = Math.max(1, Math.min(most.width, Math.floor(most.height * ratio)));
  const distinct = [...new Set(widths.map((width) => Math.min(width, widest)))];
  const [first = widest, ...others] = distinct.sort((one, other) => one - other);
  const toSize = (width: number): OutputSize => ({
    width,
    height: Math.min(most.height, wholePixels(width / ratio)),
    descriptor: `${width}w`,
  });
  return [toSize(first), ...others.map(toSize)];
}

/** As Astro's `getWidths` chooses them. */
function layoutWidths(
  { layout: kind, breakpoints }: Extract<SizesRequest, { kind: 'layout' }>,
  { layout: { width }, most }: { layout: Size; most: Size },
): readonly number[] {
  const double = Math.min(2 * width, most.width);
  switch (kind) {
    case 'fixed':
      return [width, double];
    case 'constrained':
      return [width, double, ...breakpoints.filter((breakpoint) => breakpoint <= double)];
    case 'full-width':
      return breakpoints;
  }
}

function layoutSizesAttribute(layout: Exclude<Layout, 'none'>, width: number): string {
  switch (layout) {
    case 'fixed':
      return `${width}px`;
    case 'constrained':
      return `(min-width: ${width}px) ${width}px, 100vw`;
    case 'full-width':
      return '100vw';
  }
}

function withinBounds({ width, height }: Size, most: Size): Size {
  const scale = Math.min(1, most.width / width, most.height / height);
  return {
    width: Math.min(most.width, wholePixels(width * scale)),
    height: Math.min(most.height, wholePixels(height * scale)),
  };
}
