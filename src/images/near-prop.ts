import leven from 'leven';
import { pictureProps } from './picture-props.ts';

/** By what people may write, in small letters: the props of a picture, and other components' names for them. */
const ofPicture = {
  ...named(...Object.keys(pictureProps)),
  aspectratio: 'aspect',
  breakpoints: 'widths',
  fallbackformat: 'format',
  focalpoint: 'focus',
  objectfit: 'fit',
  objectposition: 'position',
};

const props = {
  MediaAsset: { ...ofPicture, ...named('priority', 'pictureAttributes') },
  MediaFile: named('name', 'download'),
  MediaVideo: named('name', 'poster', 'width', 'height', 'controls', 'preload'),
  getMediaAsset: ofPicture,
  getMediaFile: named('name', 'locale'),
} as const;

function named(...names: string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name.toLowerCase(), name]));
}

/**
 * The prop that somebody probably meant by an attribute: one that differs by a slip of the hand, by
 * capitals or by hyphens. `undefined` for what is no slip, and for names of namespaces, such as
 * `x-fit` or `class:list`.
 */
export function nearProp(component: keyof typeof props, attribute: string): string | undefined {
  const known: Readonly<Record<string, string>> = props[component];
  const plain = attribute.toLowerCase().replace(/[-_]/g, '');
  if (Object.hasOwn(known, plain)) return known[plain];
  if (!/^(?!on)[a-z]+$/i.test(attribute)) return undefined;
  const [nearest] = Object.keys(known)
    .map((name) => ({ name, distance: leven(name, plain) }))
    .filter(({ name, distance }) => distance <= slips(name, plain))
    .sort((one, other) => one.distance - other.distance);
  return nearest && known[nearest.name];
}

/** In a short name another letter makes another word; letters in another order do not. */
function slips(name: string, written: string): number {
  if (name.length >= 8 || sorted(name) === sorted(written)) return 2;
  return name.length >= 4 ? 1 : 0;
}

function sorted(text: string): string {
  return [...text].sort().join('');
}
