import { openAssetParts } from './asset-parts.ts';
import type { AssetsOptions } from './assets-options.ts';
import { createPageAssets } from './page-assets.ts';
import { createPeopleAssets } from './people-assets.ts';
import { createPublisherAssets } from './publisher-assets.ts';

/** Opens the cache, and does nothing else until a method is called. */
export function createAssets(options: AssetsOptions) {
  const parts = openAssetParts(options);
  return {
    pages: createPageAssets(parts),
    publisher: createPublisherAssets(parts),
    people: createPeopleAssets(parts),
  };
}
