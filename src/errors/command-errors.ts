import type { CatalogueEntries } from './catalogue-entries.ts';

/** The command line. */
export const commandErrors = {
  'command-usage': {
    message: (details: { problem: string }) => details.problem,
    hint: 'See media-asset --help.',
  },
  'command-ended': {
    message: () => 'The command was ended before it was done.',
    hint: 'Run it again.',
  },
} satisfies CatalogueEntries;
