import { isAssetId } from '../../errors/asset-id.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import type { Focus } from '../geometry/crop.ts';
import type { SizesRequest } from '../geometry/output-sizes.ts';
import type { AssetRecord } from '../records/asset-record.ts';
import type { Asking } from './asking.ts';
import { propReaders, type Readers } from './prop-readers.ts';
import { type ImageProps, namesIn, readValues, replaces, type Values } from './props.ts';

export type ParsedRequest = ReturnType<typeof parseRequest>;
export type ParsedImage = ReturnType<typeof parseImage> & { readonly media?: string | undefined };

/** Its values can be anything. */
type Untrusted = { readonly [Name in keyof ImageProps | 'alt' | 'sources']?: unknown };

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

/**
 * The widest image in Markdown, in CSS pixels: columns with lines that are easy to read are 600 to 720
 * wide. Dense screens get files of twice that width.
 */
export const columnWidth = 720;

/** The widest image elsewhere, unless it has a `width` or `widths`, in CSS pixels. Few columns are wider. */
export const pageWidth = 1280;

/** Props and presets with one of these decide the size of an image in Markdown. */
const sizing = ['width', 'height', 'densities', 'widths', 'layout'] as const;

/** @param asked the request and who asks */
export function parseRequest(
  asked: Untrusted & Omit<Partial<Asking>, 'id'> & { readonly id?: unknown },
  { breakpoints = [], presets = {}, record, ...defaults }: ImageDefaults = {},
  toError?: Parameters<typeof propReaders>[1],
) {
  const { id, page, place, caller } = asked;
  if (!isAssetId(id)) throw mediaAssetError('asset-id-invalid', { value: id, page, place, caller });
  const subject = { id, page, place, caller };
  const read = propReaders(subject, toError);
  const preset = read.optional(asked.preset, (value) => {
    const found = typeof value === 'string' && Object.hasOwn(presets, value) && presets[value];
    const names = Object.keys(presets).join(', ') || 'the option `presets`, which is empty';
    if (!found) throw read.wrong('preset', value, `one of ${names}`, Object.keys(presets));
    return found;
  });
  const own: typeof asked = { ...preset, ...withoutUndefined(asked) };
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
  const image = parseImage(withFocus(request, own.position), read, files);
  if (request.alt === undefined || request.alt === null)
    throw mediaAssetError('alt-missing', { ...subject, hasRecord: record !== undefined });
  const readSource = (value: unknown) => {
    if (typeof value !== 'object' || value === null) {
      throw read.wrong('sources', value, 'a list of { media, crop, width, … }');
    }
    const known: readonly string[] = ['media', ...sourceProps()];
    for (const [name, one] of Object.entries(value)) {
      if (one === undefined || known.includes(name)) continue;
      const expected = `only ${known.join(', ')} in a source`;
      throw read.wrong(`sources.${name}`, one, expected);
    }
    const media = read.text('sources.media', Reflect.get(value, 'media'));
    if (media.trim() === '') throw read.wrong('sources.media', media, 'a media query');
    const position = own.position ?? Reflect.get(value, 'position');
    const props = withFocus(inherit(request, value), position);
    return { ...parseImage(props, read, files), media };
  };
  const sources = read.optional(request.sources, (all) => read.list('sources', all, readSource));
  const { format, formats = [], ...encoding } = readValues(namesIn('encoding'), request, read);
  return {
    ...encoding,
    id,
    subject,
    alt: read.text('alt', request.alt),
    image,
    sources: sources ?? [],
    /** `undefined` if only `formats` is set. Then the fallback has the original's own format. */
    format: format ?? (formats.length > 0 ? undefined : 'webp'),
    formats,
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

/** Fills in the defaults of a request. A default `sizes` only counts if the files have a choice of widths. */
function withDefaults(request: Untrusted, defaults: Untrusted): Untrusted {
  const given = withoutUndefined(request);
  const left: Record<string, unknown> = withoutUndefined(defaults);
  for (const [name, others] of Object.entries(replaces))
    if (Object.hasOwn(given, name)) for (const other of others) delete left[other];
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

/** The props of an image that an entry of `sources` can have too. */
const sourceProps = () => namesIn('part', 'size', 'look', 'files');

function parseImage(
  request: Untrusted,
  read: Readers,
  { breakpoints, widest }: { breakpoints: readonly number[]; widest: number },
) {
  const asked = { ...request, layout: layoutOf(request) };
  const { crop, aspect, focus, ...values } = readValues(sourceProps(), asked, read);
  const { densities, widths, sizes: written, ...others } = values;
  const { layout } = others;
  const sizes = chooseSizes(values, breakpoints, read);
  return {
    ...others,
    crop: { crop, aspect, focus },
    /** In pixels, of a layout without `width` and `height`. `undefined` for the image's own size. */
    mostWidth:
      layout === 'none' ? undefined : sizes.kind === 'widths' ? Math.max(...sizes.widths) : widest,
    sizes,
  };
}

function chooseSizes(
  { densities, widths, sizes, layout }: Values<'densities' | 'widths' | 'sizes' | 'layout'>,
  breakpoints: readonly number[],
  read: Readers,
): SizesRequest {
  if (widths && densities)
    throw read.wrong('densities', densities, 'either `widths` or `densities`, not both');
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
  for (const group of ['part', 'size', 'files'] as const) {
    const names = namesIn(group);
    if (names.some((name) => Object.hasOwn(given, name)))
      for (const name of names) delete inherited[name];
  }
  // The `<img>` has the styles for all sources, so the layout is inherited even if the files aren't.
  return { ...inherited, layout: request.layout, ...given };
}
