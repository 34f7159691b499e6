import { isAssetId } from '../../errors/asset-id.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import {
  formatFacts,
  gamuts,
  placeholders,
  type QualityWord,
  qualityWords,
  type RenditionFormat,
  renditionFormats,
} from '../formats/rendition.ts';
import { sharp } from '../formats/sharp.ts';
import type { Focus } from '../geometry/crop.ts';
import { fits, formatPosition, parsePosition } from '../geometry/fit-image.ts';
import { type Layout, layouts, type SizesRequest } from '../geometry/output-sizes.ts';
import type { AssetRecord } from '../records/asset-record.ts';
import { partProps } from './media-address.ts';
import type { Asked, MediaAssetRequest } from './media-asset.ts';
import { parseCropRequest } from './parse-crop.ts';
import {
  type Asking,
  propReaders,
  type Readers,
  readBalanced,
  readSizes,
  subjectOf,
} from './prop-readers.ts';

export type ParsedRequest = ReturnType<typeof parseRequest>;
export type ParsedImage = ReturnType<typeof parseImage> & { readonly media?: string | undefined };

/** `inMarkdown`: the image is in Markdown, whose column is narrow. */
type Untrusted = Asked<{ readonly [Key in keyof MediaAssetRequest | 'inMarkdown']?: unknown }>;

/** The props of a request that sets none of its own, and the widths of layouts. */
export interface ImageDefaults extends Untrusted {
  readonly breakpoints?: readonly number[] | undefined;
  /** By name. They override the other defaults. */
  readonly presets?: Readonly<Record<string, Untrusted>> | undefined;
  /** The asset's record. Props and presets override it. */
  readonly record?: AssetRecord | undefined;
}

/** Astro's breakpoints for sites that create their images themselves. */
const defaultBreakpoints = [640, 750, 828, 1080, 1280, 1668, 2048, 2560];

const most = { side: 65_535, density: 10, colour: 100 };

const words = Object.keys(qualityWords) as QualityWord[];

/** The props of an entry of `sources`. */
const sourceProps = ['media', ...partProps];

/** Props that an entry of `sources` inherits together, or not at all. */
const groups = [
  ['crop', 'aspect', 'focus'],
  ['width', 'height'],
  ['densities', 'widths', 'layout', 'sizes'],
] as const;

/**
 * The widest image in Markdown, in CSS pixels: columns with lines that are easy to read are 600 to 720
 * wide. Dense screens get files of twice that width.
 */
const columnWidth = 720;

/** The widest image elsewhere, unless it has a `width` or `widths`, in CSS pixels. Few columns are wider. */
const pageWidth = 1280;

/** Props and presets with one of these decide the size of an image in Markdown. */
const sizing = ['width', 'height', 'densities', 'widths', 'layout'] as const;

/** Props that leave out the defaults of others. */
const replaces = {
  width: ['height'],
  height: ['width'],
  widths: ['densities'],
  densities: ['widths', 'sizes'],
  format: ['formats', 'effort'],
  formats: ['format', 'effort'],
} as const;

export function parseRequest(
  asked: Untrusted,
  { breakpoints = [], presets = {}, record, ...defaults }: ImageDefaults = {},
  toError?: Asking['toError'],
) {
  const { id } = asked;
  if (!isAssetId(id)) throw mediaAssetError('asset-id-invalid', { value: id, ...subjectOf(asked) });
  const subject = { ...subjectOf(asked), id };
  const asking = { ...subject, toError };
  const read = propReaders(asking);
  const preset = read.optional(asked.preset, (value) => {
    const found = typeof value === 'string' && Object.hasOwn(presets, value) && presets[value];
    const names = Object.keys(presets).join(', ') || 'the option `presets`, which is empty';
    if (!found) throw read.wrong('preset', value, `one of ${names}`, Object.keys(presets));
    return found;
  });
  const own: Untrusted = { ...preset, ...withoutUndefined(asked) };
  const inColumn = own.inMarkdown && sizing.every((name) => own[name] === undefined);
  const files = { breakpoints, widest: inColumn ? columnWidth : pageWidth };
  const request: Untrusted = {
    ...(record && { alt: record.alt }),
    ...withDefaults(asked, withDefaults(preset ?? {}, defaults)),
  };
  // Without an `aspect`, the focus waits for that of a source.
  const waiting = (request.aspect === undefined ? request.focus : undefined) ?? record?.focus;
  const withFocus = (props: Untrusted, position: unknown) =>
    placeFocus({ ...props, focus: props.focus ?? waiting }, position !== undefined);
  const image = parseImage(withFocus(request, own.position), asking, files);
  if (request.alt === undefined || request.alt === null)
    throw mediaAssetError('alt-missing', { ...subject, hasRecord: record !== undefined });
  const readFormat = (name: string, value: unknown) =>
    value === 'jpg' ? 'jpeg' : read.oneOf(name, value, renditionFormats);
  const formats = read.list('formats', request.formats, (value) => readFormat('formats', value));
  const format = read.optional(request.format, (value) => readFormat('format', value));
  const sources = read.list('sources', request.sources, (value) => {
    if (typeof value !== 'object' || value === null) {
      throw read.wrong('sources', value, 'a list of { media, crop, width, … }');
    }
    for (const [name, one] of Object.entries(value)) {
      if (one === undefined || sourceProps.includes(name)) continue;
      const expected = `only ${sourceProps.join(', ')} in a source`;
      throw read.wrong(`sources.${name}`, one, expected);
    }
    const written = Reflect.get(value, 'media');
    const media = readBalanced('sources.media', written, read);
    if (media.trim() === '') throw read.wrong('sources.media', media, 'a media query');
    const position = own.position ?? Reflect.get(value, 'position');
    const props = withFocus(inherit(request, value), position);
    return { ...parseImage(props, asking, files), media };
  });
  const published = format ?? (formats ? undefined : 'webp');
  const { gamut = 'srgb', placeholder = 'none' } = request;
  return {
    id,
    subject,
    alt: read.text('alt', request.alt),
    image,
    sources: sources ?? [],
    /** `undefined` if only `formats` is set. Then the fallback has the original's own format. */
    format: published,
    formats: formats ?? [],
    quality: read.optional(request.quality, (value) =>
      typeof value === 'string'
        ? qualityWords[read.oneOf('quality', value, words)]
        : read.wholeNumber('quality', value, { most: 100 }),
    ),
    /** Within the range of each requested format. */
    effort: read.optional(request.effort, (value) =>
      readEffort(value, { read, named: [...(formats ?? []), ...(published ? [published] : [])] }),
    ),
    background: read.optional(request.background, (value) => {
      const colour = read.text('background', value, most.colour).trim();
      if (!isColour(colour)) throw read.wrong('background', value, 'a CSS colour');
      return colour;
    }),
    gamut: read.oneOf('gamut', gamut, gamuts),
    placeholder: read.oneOf('placeholder', placeholder, placeholders),
  };
}

/** Keeps the focus in what `fit` cuts, unless `aspect` needs it or the page has chosen a part. */
function placeFocus(request: Untrusted, isPositioned: boolean): Untrusted {
  const { focus, aspect, crop } = request;
  const isChosen = isPositioned || aspect !== undefined || crop !== undefined;
  if (isChosen || typeof focus !== 'object' || focus === null) return request;
  const { x, y } = focus as Exclude<Focus, 'attention'>;
  return { ...request, position: `${100 * x}% ${100 * y}%` };
}

/** The valid range is the one that all requested formats share. Formats without an effort don't count. */
function readEffort(
  value: unknown,
  { read, named }: { read: Readers; named: readonly RenditionFormat[] },
): number {
  const ranges = named.flatMap((format) => formatFacts[format].effort ?? []);
  const formats = named.filter((format) => formatFacts[format].effort);
  return read.wholeNumber('effort', value, {
    least: Math.max(0, ...ranges.map(({ least }) => least)),
    most: Math.min(10, ...ranges.map(({ most }) => most)),
    unit: formats.length > 0 ? ` for ${[...new Set(formats)].join(' and ')}` : '',
  });
}

/** Fills in the defaults of a request. A default `sizes` only counts if the files have a choice of widths. */
function withDefaults(request: Untrusted, defaults: Untrusted): Untrusted {
  const given = withoutUndefined(request);
  const left: Record<string, unknown> = withoutUndefined(defaults);
  for (const [name, replaced] of Object.entries(replaces)) {
    if (Object.hasOwn(given, name)) for (const other of replaced) delete left[other];
  }
  const all: Untrusted = { ...left, ...given };
  if (layoutOf(all) === 'none' && all.widths === undefined) delete left.sizes;
  return { ...left, ...given };
}

/** An image shrinks with the page, unless its files are chosen by the screen's density alone. */
function layoutOf({ layout, densities }: Untrusted): unknown {
  return layout ?? (densities === undefined ? 'constrained' : 'none');
}

function withoutUndefined(props: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined));
}

function parseImage(
  request: Untrusted,
  asking: Asking,
  { breakpoints, widest }: { breakpoints: readonly number[]; widest: number },
) {
  const read = propReaders(asking);
  const crop = parseCropRequest(request, asking);
  const side = (name: 'width' | 'height') =>
    read.optional(request[name], (value) =>
      read.wholeNumber(name, asNumber(value), { most: most.side, unit: ' of pixels' }),
    );
  const layout = read.oneOf('layout', layoutOf(request), layouts);
  const sizes = parseSizes(request, { layout, breakpoints, read });
  const position = request.position ?? 'center';
  const point = parsePosition(position);
  if (!point) {
    throw read.wrong('position', position, "words or percentages, such as 'top' or '25% 75%'");
  }
  return {
    crop,
    /** In pixels. */
    width: side('width'),
    height: side('height'),
    /** In pixels, of a layout without `width` and `height`. `undefined` for the image's own size. */
    mostWidth:
      layout === 'none' ? undefined : sizes.kind === 'widths' ? Math.max(...sizes.widths) : widest,
    fit: read.oneOf('fit', request.fit ?? 'cover', fits),
    position: point,
    layout,
    sizes,
  };
}

function parseSizes(
  request: Untrusted,
  { layout, breakpoints, read }: { layout: Layout; breakpoints: readonly number[]; read: Readers },
): SizesRequest {
  const widths = read.list('widths', request.widths, (value) =>
    read.wholeNumber('widths', asNumber(value), { most: most.side, unit: ' of pixels' }),
  );
  const densities = read.list('densities', request.densities, (value) => {
    const density =
      typeof value === 'string' ? Number(/^(\d+(?:\.\d+)?)x?$/.exec(value)?.[1]) : value;
    if (typeof density === 'number' && density >= 1 && density <= most.density) return density;
    throw read.wrong('densities', value, `numbers from 1 to ${most.density}`);
  });
  if (widths && densities)
    throw read.wrong('densities', densities, 'either `widths` or `densities`, not both');
  const sizes = read.optional(request.sizes, (value) => readSizes(value, read));
  if (widths) return { kind: 'widths', layout, widths, sizes };
  // As in Astro, a layout excludes densities, because its images grow and shrink.
  if (layout === 'none') {
    const expected = '`widths` or a `layout` with it, such as widths={[640, 1280]}';
    if (sizes !== undefined) throw read.wrong('sizes', sizes, expected);
    return { kind: 'densities', densities: densities ?? [1, 2] };
  }
  const widest = breakpoints.length > 0 ? breakpoints : defaultBreakpoints;
  return { kind: 'layout', layout, breakpoints: widest, sizes };
}

function inherit(request: Untrusted, source: object): Untrusted {
  const given = withoutUndefined(source);
  const inherited: Record<string, unknown> = { ...request };
  for (const group of groups) {
    if (group.some((name) => Object.hasOwn(given, name))) {
      for (const name of group) delete inherited[name];
    }
  }
  // The `<img>` has the styles for all sources, so the layout is inherited even if the files aren't.
  return { ...inherited, layout: request.layout, ...given };
}

export function placingOf({ layout, fit, position }: ParsedImage) {
  return { layout, fit, position: formatPosition(position) };
}

function asNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\s*\d+(?:\.0*)?\s*$/.test(value) ? Number(value) : value;
}

function isColour(text: string): boolean {
  try {
    const pixel = sharp(Buffer.alloc(1), { raw: { width: 1, height: 1, channels: 1 } });
    pixel.flatten({ background: text });
    return true;
  } catch {
    return false;
  }
}
