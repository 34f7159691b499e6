import type { CatalogueEntries } from './catalogue-entries.ts';

/** Content collections that come from the service. */
export const collectionErrors = {
  'collection-stale': {
    message: (details: { collection: string; checked: string }) =>
      `The collection ${details.collection} is stale: it is as it was ${details.checked}, because the service could not be reached or failed.`,
    hint: 'Build again when the service can be reached: that lists the collection again.',
  },
} satisfies CatalogueEntries;
