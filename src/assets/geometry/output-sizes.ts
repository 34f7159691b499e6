import { wholePixels } from './fit-image.ts';
import type { Size } from './rectangle.ts';

/** A size that an image is published in, and its descriptor in `srcset`. */
export interface OutputSize extends Size {
  /** `2x` or `1.67x` for a density, `1280w` for a width. */
  readonly descriptor: string;
}

/** Astro's layouts, with Astro's meaning. */
export const layouts = ['constrained', 'fixed', 'full-width', 'none'] as const;
export type Layout = (typeof layouts)[number];

/** By density, by width, or by a layout. */
export type SizesRequest =
  | { readonly kind: 'densities'; readonly densities: readonly number[] }
  | {
      readonly kind: 'widths';
      readonly layout: Layout;
      readonly widths: readonly number[];
      readonly sizes: string | undefined;
    }
  | {
      readonly kind: 'layout';
      readonly layout: Exclude<Layout, 'none'>;
      readonly breakpoints: readonly number[];
      readonly sizes: string | undefined;
    };

/**
 * Computes the sizes that an image is published in. None is larger than the image. A layout size with
 * more pixels than the image shrinks to fit and keeps its shape. Widths and densities that are too
 * large become the largest possible one.
 *
 * @param asked.aspect width divided by height of the published image, before the layout is rounded
 * @param asked.longestSide the most pixels that the output's format allows for a side
 * @returns `layout` for the attributes `width` and `height`, never larger than the image. `outputs`,
 * smallest first. `main` for `src`: the smallest that fills the layout, or else the largest
 */
export function outputSizes(asked: {
  image: Size;
  layout: Size;
  aspect: number;
  request: SizesRequest;
  longestSide: number;
}) {
  const { image, layout, aspect, request, longestSide } = asked;
  const most = {
    width: Math.min(image.width, longestSide),
    height: Math.min(image.height, longestSide),
  };
  const bounded = withinBounds(layout, most);
  const limit = { most, aspect, widest: wholePixels(Math.min(most.width, most.height * aspect)) };
  if (request.kind === 'densities') {
    const outputs = byDensity(bounded, limit, request.densities);
    return { layout: bounded, outputs, main: outputs[0], sizes: undefined };
  }
  const wanted =
    request.kind === 'widths' ? request.widths : layoutWidths(request, { layout: bounded, most });
  const outputs = byWidth(limit, wanted);
  const main = outputs.find(({ width }) => width >= bounded.width) ?? outputs.at(-1) ?? outputs[0];
  const sizes = request.sizes ?? layoutSizesAttribute(request.layout, bounded.width);
  return { layout: bounded, outputs, main, sizes };
}

interface Limit {
  readonly most: Size;
  readonly aspect: number;
  /** The largest width with this aspect, in pixels. */
  readonly widest: number;
}

function byDensity(
  layout: Size,
  limit: Limit,
  densities: readonly number[],
): [OutputSize, ...OutputSize[]] {
  const outputs: [OutputSize, ...OutputSize[]] = [{ ...layout, descriptor: '1x' }];
  let last = { width: layout.width, density: 1 };
  for (const asked of [...densities].sort((one, other) => one - other)) {
    const width = Math.min(Math.round(layout.width * asked), limit.widest);
    const density = width < limit.widest ? asked : Math.round((100 * width) / layout.width) / 100;
    if (density <= last.density || width <= last.width) continue;
    outputs.push({ ...sizeOf(width, limit), descriptor: `${density}x` });
    last = { width, density };
  }
  return outputs;
}

function byWidth(limit: Limit, widths: readonly number[]): [OutputSize, ...OutputSize[]] {
  const { widest } = limit;
  const distinct = [...new Set(widths.map((width) => Math.min(width, widest)))];
  const [first = widest, ...others] = distinct.sort((one, other) => one - other);
  const toSize = (width: number) => ({ ...sizeOf(width, limit), descriptor: `${width}w` });
  return [toSize(first), ...others.map(toSize)];
}

function sizeOf(width: number, { most, aspect }: Limit): Size {
  return { width, height: Math.min(most.height, wholePixels(width / aspect)) };
}

/** The widths that Astro's `getWidths` chooses. */
function layoutWidths(
  { layout: kind, breakpoints }: Extract<SizesRequest, { kind: 'layout' }>,
  { layout: { width }, most }: { layout: Size; most: Size },
): readonly number[] {
  const double = Math.min(2 * width, most.width);
  const widths = {
    fixed: [width, double],
    constrained: [width, double, ...breakpoints.filter((breakpoint) => breakpoint <= double)],
    'full-width': breakpoints,
  };
  return widths[kind];
}

/** The value of Astro's `getSizesAttribute`, for any widths. */
function layoutSizesAttribute(layout: Layout, width: number): string | undefined {
  const values = {
    none: undefined,
    fixed: `${width}px`,
    constrained: `(min-width: ${width}px) ${width}px, 100vw`,
    'full-width': '100vw',
  };
  return values[layout];
}

function withinBounds({ width, height }: Size, most: Size): Size {
  const scale = Math.min(1, most.width / width, most.height / height);
  return {
    width: Math.min(most.width, wholePixels(width * scale)),
    height: Math.min(most.height, wholePixels(height * scale)),
  };
}
