import { find, html } from 'property-information';
import { markerKinds } from '../../assets/formats/markers.ts';
import { parseAssetId } from '../../errors/asset-id.ts';
import { attribute, type PageElement } from '../read/page-element.ts';

export type Marker = ReturnType<typeof pageMarkers>[number];

const properties = markerKinds.map(
  (kind) => [kind, find(html, `data-media-asset-${kind}`).property] as const,
);

/** The markers of a page, in page order. Only an element has one: who can write elements needs none. */
export function pageMarkers(elements: readonly PageElement[]) {
  return elements.flatMap(({ element, at }) =>
    properties.flatMap(([kind, property]) => {
      const value = attribute(element, property);
      const id = kind === 'unavailable' ? parseAssetId(value) : undefined;
      return value === undefined ? [] : { kind, value, id, at, lang: attribute(element, 'lang') };
    }),
  );
}
