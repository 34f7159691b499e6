import type { CatalogueEntries } from './catalogue-entries.ts';

/** The library on the command line: folders and assets that are not there, files on this machine. */
export const libraryErrors = {
  'library-folder-unknown': {
    message: (details: { id: number }) => `There is no folder ${details.id}.`,
    hint: 'media-asset folders shows those that the credentials may see.',
  },
  'library-asset-unknown': {
    message: (details: { id: number }) => `There is no asset ${details.id}.`,
    hint: 'media-asset search <text> finds an asset by its name.',
  },
  'download-unwritable': {
    message: (details: { path: string; problem: string }) =>
      `${details.path} could not be written: ${details.problem}.`,
    hint: 'Name another file with --output, or replace it with --force. Nothing of the download was kept.',
  },
} satisfies CatalogueEntries;
