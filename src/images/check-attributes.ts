import { isAssetId } from './is-asset-id.ts';
import { propReaders } from './prop-readers.ts';

/** What decides which asset an element shows; every name that begins with `data-media-asset` does. */
const ownAttributes = {
  MediaAsset: ['src', 'srcset'],
  MediaFile: ['href', 'type'],
  MediaVideo: ['src'],
  getMediaAsset: [],
  getMediaFile: [],
} as const;

/** Attributes that a page gives to the element of a component, or what it gives a function beside its properties. */
export interface GivenAttributes {
  readonly component: keyof typeof ownAttributes;
  /** As the page gives it. */
  readonly id: unknown;
  readonly page: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Those of the `<picture>` around it. */
  readonly pictureAttributes?: Readonly<Record<string, unknown>> | undefined;
  /** Props that are pictures themselves, or lists of them: `poster`, `sources`. */
  readonly pictures?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Sees that an element shows, and tells the service of, the asset that its `id` names.
 *
 * @throws `prop-invalid` for an attribute that the component sets itself, or a poster that names no
 * asset; it names the page
 */
export function checkAttributes({
  component,
  id,
  page,
  attributes,
  pictureAttributes = {},
  pictures = {},
}: GivenAttributes): void {
  // Said by the request.
  if (!isAssetId(id)) return;
  const { poster } = pictures;
  const isGiven = Boolean(poster) || typeof poster === 'number';
  if (isGiven && !isAssetId(poster) && !isAssetId(Reflect.get(Object(poster), 'id'))) {
    const expected = "an asset's id, or { id, crop, width, … }";
    throw propReaders({ id, page }).wrong('poster', poster, expected);
  }
  const own: readonly string[] = ownAttributes[component];
  const given = [
    ...Object.entries(attributes),
    ...Object.entries(pictureAttributes).map(
      ([name, value]) => [`pictureAttributes.${name}`, value] as const,
    ),
  ];
  for (const [name, value] of given) {
    if (value === undefined) continue;
    // Browsers do not tell `SRC` from `src`.
    const lower = name.toLowerCase().replace('pictureattributes.', '');
    if (!own.includes(lower) && !/^data-media-asset(?:-|$)/.test(lower)) continue;
    const expected = `nothing: \`id\` says what ${called(component)} shows, and what the service is told`;
    throw propReaders({ id, page }).wrong(name, value, expected);
  }
}

/** A component or function as messages name it: `<MediaAsset>`, `getMediaAsset()`. */
export function called(component: GivenAttributes['component']): string {
  return component.startsWith('get') ? `${component}()` : `<${component}>`;
}
