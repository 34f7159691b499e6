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
  'upload-pending': {
    message: (details: { file: string; record: string }) =>
      `An earlier upload of ${details.file} is unfinished: ${details.record} exists in the service.`,
    hint: 'Go on in that record with --resume. With --anew a second one is made.',
  },
  'upload-state-unusable': {
    message: (details: { path: string; problem: string }) =>
      `What is known of an unfinished upload cannot be kept or read in ${details.path}: ${details.problem}.`,
    hint: 'Check the rights and the room of the folder. Without the file the next upload makes a new record: look for the file in the service first.',
  },
} satisfies CatalogueEntries;
