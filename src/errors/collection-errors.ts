import type { CatalogueEntries } from './catalogue-entries.ts';

/** Content collections that come from the service. */
export const collectionErrors = {
  'collection-stale': {
    message: (details: { collection: string; checked: string }) =>
      `The collection ${details.collection} is stale: it is as it was ${details.checked}, because the service could not be reached or failed.`,
    hint: 'The next build with the service lists it anew.',
  },
  'collection-stale-too-long': {
    message: (details: { collection: string; days: number }) =>
      `The collection ${details.collection} could not be listed by the service for more than ${details.days} days.`,
    hint: 'Rights may have changed since. Build when the service can be reached, or raise `maxStale`.',
  },
} satisfies CatalogueEntries;
