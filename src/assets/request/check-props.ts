import { htmlElementAttributes } from 'html-element-attributes';
import { isAssetId } from '../../errors/asset-id.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import type { AssetSubject, Place } from '../../errors/place.ts';
import { imageProps } from './media-address.ts';
import { type Asking, propReaders } from './prop-readers.ts';

/** A poster is one file without a text. */
const notOfPosters =
  /^(?:alt|preset|priority|densities|widths|sizes|layout|formats|placeholder|sources)$/;

interface PropRule {
  readonly props: readonly string[];
  /** The element whose attributes are valid too. */
  readonly element?: keyof typeof furtherAttributes;
  /** Attributes that the asset's ID sets. */
  readonly decided?: readonly string[];
}

const components = {
  MediaAsset: {
    props: [...imageProps, 'pictureAttributes', 'structuredData'],
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
} as const satisfies Record<string, PropRule>;

const pictureRule: PropRule = { props: [], element: 'picture' };
const posterRule: PropRule = { props: imageProps.filter((name) => !notOfPosters.test(name)) };
/** An `<img>` in the HTML of Markdown. */
const imgRule: PropRule = { ...components.MediaAsset, props: [] };

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

/** The names of each component's own props. All others are attributes of its element. */
export const ownProps = Object.fromEntries(
  Object.entries(components).map(([name, { props }]) => [name, props]),
);

export interface GivenProps {
  readonly component: keyof typeof components;
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
  checkNames(components[component], props, asking);
  const ofPicture = { ...asking, path: 'pictureAttributes.' };
  checkNames(pictureRule, Object(pictureAttributes), ofPicture);
  if (component === 'MediaVideo') checkPoster(poster, asking);
}

/** Checks the attributes of a Markdown image in the same way. */
export function checkImageAttributes(
  attributes: Readonly<Record<string, unknown>>,
  subject: AssetSubject,
): void {
  checkNames(imgRule, attributes, { ...subject, tag: `<img src="media:${subject.id}">` });
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
  checkNames(posterRule, Object(poster), { ...asking, path: 'poster.' });
}
