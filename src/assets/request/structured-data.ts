import { mediaAssetError } from '../../errors/errors.ts';
import { sourceTypeUri } from '../formats/source-types.ts';
import type { MediaAsset } from './media-asset.ts';

/**
 * An image as schema.org's `ImageObject`, with the properties that search engines show. JSON that can't
 * end its `<script>`. `undefined` for a placeholder, and if the record has none of the properties.
 */
export function structuredData(asset: MediaAsset, page: string): string | undefined {
  const { id, url, creators, credit, copyright, license, acquireLicense, digitalSourceType } =
    asset;
  const known = [credit, copyright, license, digitalSourceType, ...creators];
  if (!known.some(Boolean) || url.startsWith('data:')) return undefined;
  if (!/^https?:/.test(url)) {
    const expected = 'a `site` in the Astro config, because search engines need absolute URLs';
    const details = { id, page, name: 'structuredData', value: true, expected };
    throw mediaAssetError('prop-invalid', details);
  }
  const people = creators.map((name) => ({ '@type': 'Person', name }));
  const image = {
    '@context': 'https://schema.org',
    '@type': 'ImageObject',
    contentUrl: url,
    creator: people.length > 1 ? people : people[0],
    creditText: credit,
    copyrightNotice: copyright,
    license,
    acquireLicensePage: acquireLicense,
    digitalSourceType: digitalSourceType && sourceTypeUri(digitalSourceType),
  };
  return JSON.stringify(image).replaceAll('<', '\\u003c');
}
