import type { CatalogueEntries } from './catalogue-entries.ts';

/** The library on the command line: folders and assets that are not there, files on this machine. */
export const libraryErrors = {
  'library-unknown': {
    message: (details: { what: 'folder' | 'asset'; id: number }) =>
      `There is no ${details.what} ${details.id}.`,
    hint: 'Look it up: `media-asset folders` shows the folders that the credentials may see, `media-asset search <text>` finds an asset by its name.',
  },
} satisfies CatalogueEntries;
