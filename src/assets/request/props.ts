import {
  type Placeholder,
  placeholders,
  type QualityWord,
  qualityWords,
  type RenditionFormat,
  renditionFormats,
} from '../formats/output-formats.ts';
import { sharp } from '../formats/sharp.ts';
import type { Crop, Focus } from '../geometry/crop.ts';
import { type Fit, fits, formatPosition, parsePosition } from '../geometry/fit-image.ts';
import { type Layout, layouts } from '../geometry/output-sizes.ts';
import type { Point } from '../geometry/rectangle.ts';
import { readAspect, readCrop, readFocus } from './parse-crop.ts';
import { type Readers, readSizes } from './prop-readers.ts';

/** A length in layout pixels. Templates may write it as text. */
type Length = number | `${number}`;

/** A format as templates may write it. As in Astro's `<Image>`, `jpg` means `jpeg`. */
type AskedFormat = RenditionFormat | 'jpg';

/** The part of an asset to show, and its sizes. Values come from templates and are checked. */
export interface ImageRequest {
  /** The part to show, in pixels, or in fractions with `unit: 'fraction'`. @default the whole image */
  readonly crop?: Crop | undefined;
  /** Width divided by height, as a number or `'16:9'`. Shows the largest part with this shape. */
  readonly aspect?: number | string | undefined;
  /** What `aspect` is cut around, and what `fit` keeps without one. @default the middle */
  readonly focus?: Focus | undefined;
  /**
   * Layout size in pixels. Without one of them, it follows from the other.
   * @default the image's size, at most 1280 wide or as wide as `widths`; its own with the layout `none`
   */
  readonly width?: Length | undefined;
  /** Layout size in pixels. @default by `width` */
  readonly height?: Length | undefined;
  /** How the image fills `width` and `height` of another shape. @default 'cover' */
  readonly fit?: Fit | undefined;
  /** What `cover` keeps, in words or percentages as in CSS's `object-position`. @default 'center' */
  readonly position?: string | undefined;
  /**
   * Pixel densities, for an image that doesn't shrink. Larger ones than the image's become its own.
   * Ignored when `layout` is set, also by the Astro config. @default [1, 2] with the layout `none`
   */
  readonly densities?: readonly (number | `${number}x`)[] | undefined;
  /** Widths of the published files in pixels. Widths above the image's become its own. */
  readonly widths?: readonly number[] | undefined;
  /** The attribute `sizes`. Not with `densities` or the layout `none`. @default by `layout` */
  readonly sizes?: string | undefined;
  /**
   * `constrained`, `fixed` or `full-width`, as in Astro: decides `sizes`, the styles, and the widths if
   * you set none. `none` uses `densities`.
   * @default `image.layout` of the Astro config, else `constrained`; with `densities`, `none`
   */
  readonly layout?: Layout | undefined;
}

/** The props of an image that can be data, also as parameters of its address. */
export interface ImageProps extends ImageRequest {
  /** A name from the option `presets`, whose props apply unless the request sets them. */
  readonly preset?: keyof MediaAssetPresets | undefined;
  /** The format of the published files. @default 'webp' */
  readonly format?: AskedFormat | undefined;
  /** Formats that browsers choose from, best first. The fallback has the original's own format. */
  readonly formats?: readonly AskedFormat[] | undefined;
  /** 1 to 100, or one of Astro's words. @default by format: webp 80, jpeg 80, avif 56, png lossless */
  readonly quality?: number | QualityWord | undefined;
  /**
   * How long the encoder searches for a smaller file: 0 to 10, at most the format's own highest (avif 9,
   * webp 6). @default by format: avif 3, webp 4, gif 7
   */
  readonly effort?: number | undefined;
  /** A CSS color that fills transparent parts. @default none; white in a JPEG */
  readonly background?: string | undefined;
  /** Shown until the image has loaded. @default 'none' */
  readonly placeholder?: Placeholder | undefined;
}

/** An image's address as data: `media:4711?crop=400,200,2400,1600&widths=640,1280`. */
export interface MediaAddress extends ImageProps {
  readonly id: number;
  /** Loads the image immediately and before other images. */
  readonly priority?: boolean | undefined;
  /** Stands for an empty `alt`. */
  readonly decoration?: boolean | undefined;
}

/** Checks a value, which can be anything. */
type ReadValue<T> = (value: unknown, name: string, read: Readers) => T;

interface PropRow {
  /** An entry of `sources` inherits a group together, each `look` alone, and has no `encoding`. */
  readonly group?: 'part' | 'size' | 'files' | 'look' | 'encoding';
  readonly read: ReadValue<unknown>;
  readonly fallback?: unknown;
  /** Reads its text in an address. @default the text itself */
  readonly parse?: (text: string, name: string, read: Readers) => unknown;
}

const asWritten = (value: unknown) => value;
const number = /^\d+(?:\.\d+)?(?:e-\d+)?$/;
const asNumber = (text: string) => (number.test(text) ? Number(text) : text);
const asList = (text: string) => text.split(',').map((entry) => entry.trim());
const asNumbers = (text: string) => asList(text).map(asNumber);
const asWords = (text: string) => text.replaceAll(',', ' ');

/**
 * The props of an image. Parser, addresses, `sources`, presets, posters, collections and the hints of
 * errors follow from this table, in its order.
 */
export const props = {
  crop: { group: 'part', read: readCrop, parse: asCrop },
  aspect: { group: 'part', read: readAspect, parse: asNumber },
  focus: { group: 'part', read: readFocus, fallback: { x: 0.5, y: 0.5 }, parse: asFocus },
  width: { group: 'size', read: readSide, parse: asNumber },
  height: { group: 'size', read: readSide, parse: asNumber },
  fit: { group: 'look', read: oneOf(fits), fallback: 'cover' },
  position: { group: 'look', read: readPosition, fallback: 'center', parse: asWords },
  densities: { group: 'files', read: listOf(readDensity), parse: asNumbers },
  widths: { group: 'files', read: listOf(readSide), parse: asNumbers },
  sizes: { group: 'files', read: readSizes },
  layout: { group: 'files', read: oneOf(layouts), fallback: 'constrained' },
  format: { group: 'encoding', read: readFormat },
  formats: { group: 'encoding', read: listOf(readFormat), parse: asList },
  quality: { group: 'encoding', read: readQuality, parse: asNumber },
  effort: { group: 'encoding', read: readEffort, parse: asNumber },
  background: { group: 'encoding', read: readColour },
  placeholder: { group: 'encoding', read: oneOf(placeholders), fallback: 'none' },
  // Its values depend on the site.
  preset: { read: asWritten },
  priority: { read: asWritten, parse: asFlag },
  decoration: { read: asWritten, parse: asFlag },
} satisfies { readonly [Name in keyof Required<Omit<MediaAddress, 'id'>>]: PropRow };

type Props = typeof props;
export type PropName = keyof Props;

/** Defaults that don't count next to a prop. */
export const replaces: { readonly [Name in PropName]?: readonly PropName[] } = {
  width: ['height'],
  height: ['width'],
  widths: ['densities'],
  densities: ['widths', 'sizes'],
  format: ['formats'],
  formats: ['format'],
};

/** The props of the option `images`. */
export const imageOptions = [
  ...(['layout', 'widths', 'sizes', 'formats', 'format', 'quality', 'effort'] as const),
  'placeholder',
] satisfies PropName[];

const notInPresets = ['crop', 'preset', 'priority', 'decoration'] as const;

/** A poster is one file without a text. */
const notInPosters = [
  ...(['densities', 'widths', 'sizes', 'layout', 'formats', 'placeholder', 'preset'] as const),
  ...(['priority', 'decoration'] as const),
];

export type ImageOption = (typeof imageOptions)[number];
export type PresetProp = Exclude<PropName, (typeof notInPresets)[number]>;
export type PosterProp = Exclude<PropName, (typeof notInPosters)[number]>;

export function propNames<Without extends PropName = never>(without: readonly Without[] = []) {
  const names = Object.keys(props) as Exclude<PropName, Without>[];
  return names.filter((name) => !without.some((one: PropName) => one === name));
}

/** The props of `<MediaAsset>` that can be data. */
export const imageProps = () => ['id', 'alt', ...propNames(['decoration']), 'sources'] as const;
export const posterProps = () => ['id', ...propNames(notInPosters)];
export const presetOptions = () => [...new Set([...imageOptions, ...propNames(notInPresets)])];

type NamesIn<Group> = { [N in PropName]: Props[N] extends { group: Group } ? N : never }[PropName];

export function namesIn<Group extends PropRow['group']>(...groups: Group[]) {
  const isIn = ({ group }: PropRow) => groups.some((one) => one === group);
  return propNames().filter((name) => isIn(props[name])) as NamesIn<Group>[];
}

export type Values<Names extends PropName> = {
  readonly [Name in Names]:
    | ReturnType<Props[Name]['read']>
    | (Props[Name] extends { fallback: unknown } ? never : undefined);
};

/** Reads the values of these props. One that the request lacks is its fallback, or `undefined`. */
export function readValues<Name extends PropName>(
  names: readonly Name[],
  request: { readonly [name: string]: unknown },
  read: Readers,
): Values<Name> {
  const values: Partial<Record<Name, unknown>> = {};
  for (const name of names) {
    const { fallback, read: check }: PropRow = props[name];
    const given = fallback === undefined ? request[name] : (request[name] ?? fallback);
    values[name] = read.optional(given, (value) => check(value, name, read));
  }
  return values as Values<Name>;
}

/** Reads the text of an address's parameter. */
export function parseText(name: PropName, text: string, read: Readers): unknown {
  const { parse = asWritten }: PropRow = props[name];
  return parse(text, name, read);
}

/** How an image fills its place. */
export interface Placing {
  readonly layout: Layout;
  readonly fit: Fit;
  /** As in CSS's `object-position`, in percentages such as `50% 0%`; `undefined` for the middle. */
  readonly position: string | undefined;
}

export function placingOf({ layout, fit, position }: Values<keyof Placing>): Placing {
  return { layout, fit, position: formatPosition(position) };
}

function oneOf<T extends string>(known: readonly T[]): ReadValue<T> {
  return (value, name, read) => read.oneOf(name, value, known);
}

function listOf<T>(readOne: ReadValue<T>): ReadValue<T[]> {
  return (value, name, read) => read.list(name, value, (one) => readOne(one, name, read));
}

function readSide(value: unknown, name: string, read: Readers): number {
  const isText = typeof value === 'string' && /^\s*\d+(?:\.0*)?\s*$/.test(value);
  const side = isText ? Number(value) : value;
  return read.wholeNumber(name, side, { most: 65_535, unit: ' of pixels' });
}

function readPosition(value: unknown, name: string, read: Readers): Point {
  const point = parsePosition(value);
  if (point) return point;
  throw read.wrong(name, value, "words or percentages, such as 'top' or '25% 75%'");
}

function readDensity(value: unknown, name: string, read: Readers): number {
  const density =
    typeof value === 'string' ? Number(/^(\d+(?:\.\d+)?)x?$/.exec(value)?.[1]) : value;
  if (typeof density === 'number' && density >= 1 && density <= 10) return density;
  throw read.wrong(name, value, 'numbers from 1 to 10');
}

function readFormat(value: unknown, name: string, read: Readers): RenditionFormat {
  return value === 'jpg' ? 'jpeg' : read.oneOf(name, value, renditionFormats);
}

const words = Object.keys(qualityWords) as QualityWord[];

function readQuality(value: unknown, name: string, read: Readers): number {
  return typeof value === 'string'
    ? qualityWords[read.oneOf(name, value, words)]
    : read.wholeNumber(name, value, { most: 100 });
}

function readEffort(value: unknown, name: string, read: Readers): number {
  return read.wholeNumber(name, value, { least: 0, most: 10 });
}

function readColour(value: unknown, name: string, read: Readers): string {
  const background = read.text(name, value, 100).trim();
  try {
    const pixel = sharp(Buffer.alloc(1), { raw: { width: 1, height: 1, channels: 1 } });
    pixel.flatten({ background });
    return background;
  } catch {
    throw read.wrong(name, value, 'a CSS colour');
  }
}

function asFlag(text: string, name: string, read: Readers): true {
  if (text === '' || text === 'true') return true;
  throw read.wrong(name, text, 'the name alone, without a value');
}

/** Reads pixels, or fractions if any of the four numbers has a decimal point. */
function asCrop(text: string, _: string, read: Readers): unknown {
  const sides = asList(text);
  const [x, y, width, height] = sides.map(Number);
  if (sides.length !== 4 || !sides.every((side) => number.test(side)))
    throw read.wrongCrop('expected four numbers, `x,y,width,height`', text);
  const rectangle = { x, y, width, height };
  return sides.some((side) => /[.e]/.test(side)) ? { unit: 'fraction', ...rectangle } : rectangle;
}

function asFocus(text: string): unknown {
  const [x, y, ...others] = asNumbers(text);
  return y === undefined || others.length > 0 ? text : { x, y };
}
