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
  'download-file-exists': {
    message: (details: { path: string }) => `${details.path} is there already.`,
    hint: 'Name another file with --output, or replace it with --force.',
  },
  'download-unwritable': {
    message: (details: { path: string; problem: string }) =>
      `${details.path} could not be written: ${details.problem}.`,
    hint: 'Nothing of it was kept. Name a file in a folder that is there and may be written to, with room for it.',
  },
} satisfies CatalogueEntries;
