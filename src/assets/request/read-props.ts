import { htmlElementAttributes } from 'html-element-attributes';
import { isAssetId } from '../../errors/asset-id.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import type { ArtDirection, MediaAssetRequest } from './media-asset.ts';
import { type Place, propReaders } from './prop-readers.ts';

/** What an entry of `sources` takes. A property of `ArtDirection` that is not here is an error of `tsc`. */
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

/** What an image takes. A property of `MediaAssetRequest` that is not here is an error of `tsc`. */
const imageProps: Record<Exclude<keyof MediaAssetRequest, 'page'>, true> = {
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
};

const { alt, densities, widths, sizes, layout, formats, placeholder, sources, ...posterProps } =
  imageProps;

interface PropRule {
  readonly props: readonly string[];
  /** The element whose attributes it takes too. */
  readonly element?: keyof typeof furtherAttributes;
  /** Those of them that the asset's id decides. */
  readonly decided?: readonly string[];
}

const rules = {
  MediaAsset: {
    props: [...Object.keys(imageProps), 'priority', 'pictureAttributes'],
    element: 'img',
    decided: ['src', 'srcset'],
  },
  MediaFile: { props: ['id', 'name', 'download'], element: 'a', decided: ['href', 'type'] },
  MediaVideo: {
    props: ['id', 'name', 'poster', 'width', 'height', 'controls', 'preload'],
    element: 'video',
    decided: ['src'],
  },
  pictureAttributes: { props: [], element: 'picture' },
  poster: { props: Object.keys(posterProps) },
  /** An `<img>` in the HTML of Markdown. */
  img: { props: [], element: 'img', decided: ['src', 'srcset'] },
} as const satisfies Record<string, PropRule>;

/** What `html-element-attributes` lacks of MDN's lists, and RDFa, which Astro's types have. */
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
  video: ['controlslist', 'disablepictureinpicture', 'disableremoteplayback', 'loading'],
} as const;

/** Families of attributes: `data-*`, `aria-*`, event handlers, Astro's directives, Alpine, htmx. */
const family = /^(?:aria|data|hx|x)-|^on[a-z]|[:@]/i;

/** What a page gives to a component. Values come from templates. */
export interface GivenProps {
  readonly component: 'MediaAsset' | 'MediaFile' | 'MediaVideo';
  readonly page: string;
  readonly props: Readonly<Record<string, unknown>>;
}

/**
 * Parts what a page gives to a component into its own props and the attributes of its element. Own
 * props are checked by name, apart from `poster`; their values are the request's matter.
 *
 * @throws `prop-unknown`; `prop-invalid` for an attribute that the asset's id decides, and for a
 * poster that names no asset. Both name the page.
 */
export function readProps({ component, page, props }: GivenProps) {
  const { id, poster, pictureAttributes } = props;
  // An id that is none is an error of the request.
  if (isAssetId(id)) {
    const place = { id, page, tag: `<${component} id={${id}}>` };
    checkNames(rules[component], props, place);
    checkNames(rules.pictureAttributes, Object(pictureAttributes), {
      ...place,
      path: 'pictureAttributes.',
    });
    if (component === 'MediaVideo') checkPoster(poster, place);
  }
  const own: readonly string[] = rules[component].props;
  const entries = Object.entries(props);
  return {
    own: Object.fromEntries(entries.filter(([name]) => own.includes(name))),
    attributes: Object.fromEntries(entries.filter(([name]) => !own.includes(name))),
  };
}

/** The same for an image of Markdown. @throws as `readProps` does */
export function checkImageAttributes(
  attributes: Readonly<Record<string, unknown>>,
  { id, page }: { id: number; page: string },
): void {
  checkNames(rules.img, attributes, { id, page, tag: `<img src="media:${id}">` });
}

interface TagPlace extends Place {
  /** What has the props, as messages name it. */
  readonly tag: string;
  /** Before the name of a prop. */
  readonly path?: string;
}

function checkNames(rule: PropRule, given: object, { id, page, tag, path = '' }: TagPlace): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || rule.props.includes(name)) continue;
    // Browsers do not tell `SRC` from `src`.
    const lower = name.toLowerCase();
    if (rule.decided?.includes(lower) || /^data-media-asset(?:-|$)/.test(lower)) {
      const expected = "nothing: the asset's id decides it";
      throw propReaders({ id, page }).wrong(`${path}${name}`, value, expected);
    }
    if (isAttribute(rule, lower)) continue;
    const valid = [...rule.props, ...(rule.element ? [`the attributes of <${rule.element}>`] : [])];
    throw mediaAssetError('prop-unknown', { page, tag, name: `${path}${name}`, valid });
  }
}

/** @param name in small letters */
function isAttribute({ element, props }: PropRule, name: string): boolean {
  if (!element || props.some((prop) => prop.toLowerCase() === name)) return false;
  const names: string[] = ['*', element].flatMap((key) => [
    ...(htmlElementAttributes[key] ?? []),
    ...furtherAttributes[key as keyof typeof furtherAttributes],
  ]);
  return family.test(name) || names.includes(name);
}

function checkPoster(poster: unknown, place: TagPlace): void {
  if (!poster && typeof poster !== 'number') return;
  if (isAssetId(poster)) return;
  if (!isAssetId(Reflect.get(Object(poster), 'id'))) {
    const expected = "an asset's id, or { id, crop, width, … }";
    throw propReaders(place).wrong('poster', poster, expected);
  }
  checkNames(rules.poster, Object(poster), { ...place, path: 'poster.' });
}
