import type { CatalogueEntries } from './catalogue-entries.ts';

/** The command line. */
export const commandErrors = {
  'command-usage': {
    message: (details: { problem: string }) => details.problem,
    hint: 'See media-asset --help.',
  },
} satisfies CatalogueEntries;
