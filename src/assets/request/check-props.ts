import { htmlElementAttributes } from 'html-element-attributes';
import { isAssetId } from '../../errors/asset-id.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import type { AssetSubject, Place } from '../../errors/place.ts';
import type { ArtDirection, MediaAssetRequest } from './media-asset.ts';
import { type Asking, propReaders } from './prop-readers.ts';

/** The props of an entry of `sources`. `tsc` fails if one of `ArtDirection` is missing here. */
export const sourceProps: Record<keyof ArtDirection, true> = {
  media: true,
  crop: true,
  aspect: true,
  focus: true,
  width: true,
  height: true,
  fit: true,
  position: true,
  densities: true,
  widths: true,
  sizes: true,
  layout: true,
};

const { media: _, ...partProps } = sourceProps;

/** The props of an image. `tsc` fails if one of `MediaAssetRequest` is missing here. */
export const imageProps: Record<Exclude<keyof MediaAssetRequest, 'page' | 'locale'>, true> = {
  id: true,
  alt: true,
  ...partProps,
  format: true,
  formats: true,
  quality: true,
  effort: true,
  background: true,
  gamut: true,
  placeholder: true,
  sources: true,
  preset: true,
};

/** A poster is one file without a text. */
const notOfPosters = /^(?:alt|preset|densities|widths|sizes|layout|formats|placeholder|sources)$/;

interface PropRule {
  readonly props: readonly string[];
  /** The element whose attributes are valid too. */
  readonly element?: keyof typeof furtherAttributes;
  /** Attributes that the asset's ID sets. */
  readonly decided?: readonly string[];
}

const rules = {
  MediaAsset: {
    props: [...Object.keys(imageProps), 'priority', 'pictureAttributes', 'structuredData'],
    element: 'img',
    decided: ['src', 'srcset'],
  },
  MediaCredit: { props: ['id'], element: 'span' },
  MediaCredits: { props: ['thumbnail'], element: 'ul' },
  MediaFile: { props: ['id', 'name', 'download'], element: 'a', decided: ['href', 'type'] },
  MediaVideo: {
    props: ['id', 'name', 'poster', 'width', 'height', 'controls', 'preload'],
    element: 'video',
    decided: ['src'],
  },
  pictureAttributes: { props: [], element: 'picture' },
  poster: { props: Object.keys(imageProps).filter((name) => !notOfPosters.test(name)) },
  /** An `<img>` in the HTML of Markdown. */
  img: { props: [], element: 'img', decided: ['src', 'srcset'] },
} as const satisfies Record<string, PropRule>;

/** Attributes that `html-element-attributes` lacks, from MDN, and RDFa, which Astro's types have. */
const furtherAttributes = {
  '*': [
    ...['about', 'datatype', 'inlist', 'prefix', 'property', 'resource', 'typeof', 'vocab'],
    ...['anchor', 'containertiming', 'containertimingignore', 'elementtiming'],
    ...['focusgroup', 'focusgroupstart', 'headingoffset', 'headingreset'],
    ...['role', 'virtualkeyboardpolicy'],
  ],
  a: ['attributionsrc', 'interestfor'],
  img: ['attributionsrc'],
  picture: [],
  span: [],
  ul: [],
  video: ['controlslist', 'disablepictureinpicture', 'disableremoteplayback', 'loading'],
} as const;

/** Families of attributes: `data-*`, `aria-*`, event handlers, Astro's directives, Alpine, htmx. */
const family = /^(?:aria|data|hx|x)-|^on[a-z]|[:@]/i;

const components = [
  'MediaAsset',
  'MediaCredit',
  'MediaCredits',
  'MediaFile',
  'MediaVideo',
] as const;

/** The names of each component's own props. All others are attributes of its element. */
export const ownProps = Object.fromEntries(components.map((name) => [name, rules[name].props]));

export interface GivenProps {
  readonly component: (typeof components)[number];
  readonly page: string;
  readonly place?: Place | undefined;
  readonly props: Readonly<Record<string, unknown>>;
}

/**
 * Checks the names of the props that a page passes to a component. Values are checked with the request,
 * except for `poster`.
 */
export function checkProps({ component, page, place, props }: GivenProps): void {
  const { id, poster, pictureAttributes } = props;
  // The request reports an invalid ID. A list has none.
  if (!isAssetId(id) && component !== 'MediaCredits') return;
  const tag = id === undefined ? `<${component}>` : `<${component} id={${id}}>`;
  const asking = { id: id as number, page, place, tag };
  checkNames(rules[component], props, asking);
  const ofPicture = { ...asking, path: 'pictureAttributes.' };
  checkNames(rules.pictureAttributes, Object(pictureAttributes), ofPicture);
  if (component === 'MediaVideo') checkPoster(poster, asking);
}

/** Checks the attributes of a Markdown image in the same way. */
export function checkImageAttributes(
  attributes: Readonly<Record<string, unknown>>,
  subject: AssetSubject,
): void {
  checkNames(rules.img, attributes, { ...subject, tag: `<img src="media:${subject.id}">` });
}

interface AskingTag extends Asking {
  readonly tag: string;
  readonly path?: string;
}

function checkNames(rule: PropRule, given: object, { tag, path = '', ...asking }: AskingTag): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || rule.props.includes(name)) continue;
    // Browsers treat `SRC` as `src`.
    const lower = name.toLowerCase();
    if (rule.decided?.includes(lower) || /^data-media-asset(?:-|$)/.test(lower)) {
      const expected = 'nothing, because the asset ID sets it';
      throw propReaders(asking).wrong(`${path}${name}`, value, expected);
    }
    if (isAttribute(rule, lower)) continue;
    const valid = [...rule.props, ...(rule.element ? [`the attributes of <${rule.element}>`] : [])];
    throw mediaAssetError('prop-unknown', { ...asking, tag, name: `${path}${name}`, valid });
  }
}

/** @param name in lower case */
function isAttribute({ element, props }: PropRule, name: string): boolean {
  if (!element || props.some((prop) => prop.toLowerCase() === name)) return false;
  const names: string[] = ['*', element].flatMap((key) => [
    ...(htmlElementAttributes[key] ?? []),
    ...furtherAttributes[key as keyof typeof furtherAttributes],
  ]);
  return family.test(name) || names.includes(name);
}

function checkPoster(poster: unknown, asking: AskingTag): void {
  if (!poster && typeof poster !== 'number') return;
  if (isAssetId(poster)) return;
  if (!isAssetId(Reflect.get(Object(poster), 'id'))) {
    const expected = 'an asset ID, or { id, crop, width, … }';
    throw propReaders(asking).wrong('poster', poster, expected);
  }
  checkNames(rules.poster, Object(poster), { ...asking, path: 'poster.' });
}
