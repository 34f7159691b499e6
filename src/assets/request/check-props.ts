import { htmlElementAttributes } from 'html-element-attributes';
import { isAssetId } from '../../errors/asset-id.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import type { AssetSubject, Place } from '../../errors/place.ts';
import { propReaders } from './prop-readers.ts';
import { imageProps, posterProps } from './props.ts';

interface PropRule {
  readonly props: () => readonly string[];
  /** The element whose attributes are valid too. */
  readonly element?: string;
  /** Attributes that the asset's ID sets. */
  readonly decided?: readonly string[];
}

const components = {
  MediaAsset: {
    props: () => [...imageProps(), 'htmlId', 'pictureAttributes', 'structuredData'] as const,
    element: 'img',
    decided: ['src', 'srcset'],
  },
  MediaCredit: { props: () => ['id', 'htmlId'] as const, element: 'span' },
  MediaCredits: { props: () => ['htmlId'] as const, element: 'ul' },
  MediaFile: {
    props: () => ['id', 'htmlId', 'name', 'download'] as const,
    element: 'a',
    decided: ['href', 'type'],
  },
  MediaVideo: {
    props: () =>
      ['id', 'htmlId', 'name', 'poster', 'width', 'height', 'controls', 'preload'] as const,
    element: 'video',
    decided: ['src'],
  },
} as const satisfies Record<string, PropRule>;

const pictureRule: PropRule = { props: () => [], element: 'picture' };
const posterRule: PropRule = { props: posterProps };
/** An `<img>` in the HTML of Markdown. */
const imgRule: PropRule = { ...components.MediaAsset, props: () => [] };

/** Attributes that `html-element-attributes` lacks, from MDN, and RDFa, which Astro's types have. */
const furtherAttributes: Readonly<Record<string, readonly string[]>> = {
  '*': [
    ...['about', 'datatype', 'inlist', 'prefix', 'property', 'resource', 'typeof', 'vocab'],
    ...['anchor', 'containertiming', 'containertimingignore', 'elementtiming'],
    ...['focusgroup', 'focusgroupstart', 'headingoffset', 'headingreset'],
    ...['role', 'virtualkeyboardpolicy'],
  ],
  a: ['attributionsrc', 'interestfor'],
  img: ['attributionsrc'],
  video: ['controlslist', 'disablepictureinpicture', 'disableremoteplayback', 'loading'],
};

/** Families of attributes: `data-*`, `aria-*`, event handlers, Astro's directives, Alpine, htmx. */
const family = /^(?:aria|data|hx|x)-|^on[a-z]|[:@]/i;

/** How a page calls a component. */
export interface ComponentCall {
  readonly component: keyof typeof components;
  /** The path of the page's URL. */
  readonly page: string;
  readonly place?: Place | undefined;
  /** Whether Astro prerenders the page. */
  readonly isPrerendered: boolean;
  readonly props: Readonly<Record<string, unknown>>;
}

/** The names of each component's own props. All others are attributes of its element. */
export type OwnProps = {
  [Name in keyof typeof components]: ReturnType<(typeof components)[Name]['props']>[number];
};

export function ownProps(): { [Name in keyof OwnProps]: readonly string[] } {
  const own = Object.entries(components).map(([name, { props }]) => [name, props()]);
  return Object.fromEntries(own);
}

/** Checks the names of a component's props. Requests check values, except that of `poster`. */
export function checkProps({ component, page, place, props }: ComponentCall): void {
  const { id, poster, pictureAttributes } = props;
  // The request reports an invalid ID. A list has none.
  if (!isAssetId(id) && component !== 'MediaCredits') return;
  const tag = id === undefined ? `<${component}>` : `<${component} id={${id}}>`;
  const subject = { id: id as number, page, place };
  checkNames(components[component], props, { ...subject, tag });
  const ofPicture = { ...subject, tag, path: 'pictureAttributes.' };
  checkNames(pictureRule, Object(pictureAttributes), ofPicture);
  if (component === 'MediaVideo') checkPoster(poster, subject, tag);
}

/** Checks the attributes of a Markdown image in the same way. */
export function checkImageAttributes(
  attributes: Readonly<Record<string, unknown>>,
  subject: AssetSubject,
): void {
  checkNames(imgRule, attributes, { ...subject, tag: `<img src="media:${subject.id}">` });
}

function checkNames(
  rule: PropRule,
  given: object,
  { tag, path = '', ...asking }: AssetSubject & { tag: string; path?: string },
): void {
  const own = rule.props();
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || own.includes(name)) continue;
    // Browsers treat `SRC` as `src`.
    const lower = name.toLowerCase();
    if (rule.decided?.includes(lower) || /^data-media-asset(?:-|$)/.test(lower)) {
      const expected = 'nothing, because the asset ID sets it';
      throw propReaders(asking).wrong(`${path}${name}`, value, expected);
    }
    if (isAttribute(rule, lower)) continue;
    const valid = [...own, ...(rule.element ? [`the attributes of <${rule.element}>`] : [])];
    throw mediaAssetError('prop-unknown', { ...asking, tag, name: `${path}${name}`, valid });
  }
}

/** @param name in lower case */
function isAttribute({ element, props }: PropRule, name: string): boolean {
  if (!element || props().some((prop) => prop.toLowerCase() === name)) return false;
  const names = ['*', element].flatMap((key) => [
    ...(htmlElementAttributes[key] ?? []),
    ...(furtherAttributes[key] ?? []),
  ]);
  return family.test(name) || names.includes(name);
}

function checkPoster(poster: unknown, subject: AssetSubject, tag: string): void {
  if (!poster && typeof poster !== 'number') return;
  if (isAssetId(poster)) return;
  if (!isAssetId(Reflect.get(Object(poster), 'id'))) {
    const expected = 'an asset ID, or { id, crop, width, … }';
    throw propReaders(subject).wrong('poster', poster, expected);
  }
  checkNames(posterRule, Object(poster), { ...subject, tag, path: 'poster.' });
}
