import type { CatalogueEntries } from './catalogue-entries.ts';

/** What the service holds: folders and assets, collections of them. */
export const libraryErrors = {
  'library-unknown': {
    message: (details: { what: 'folder' | 'asset'; id: number }) =>
      `There is no ${details.what} ${details.id}.`,
    hint: 'Look it up: `media-asset folders` shows the folders that the credentials may see, `media-asset search <text>` finds an asset by its name.',
  },
  'collection-stale': {
    message: (details: { collection: string; checked: string }) =>
      `The collection ${details.collection} is stale: it is as it was ${details.checked}, because the service could not be reached or failed.`,
    hint: 'Build again when the service can be reached: that lists the collection again.',
  },
  'upload-source-unusable': {
    message: (details: { file: string; problem: string }) =>
      `${details.file} cannot be uploaded: ${details.problem}.`,
    hint: 'Name a file that is there and may be read, and that nothing is writing to.',
  },
  'upload-unanswered': {
    message: (details: { file: string; reason: string }) =>
      `It's unknown whether the service created a record for ${details.file}. ${details.reason}`,
    hint: "Look for the file in the service before you upload it again. The upload wasn't retried: that could have created a second record.",
  },
  'upload-url-refused': {
    message: (details: { file: string; record: string; target: string; reason: string }) =>
      `${details.file} wasn't sent to ${details.target}: ${details.reason}. In the service, ${details.record} exists without content.`,
    hint: "Ask the service's operator to fix the upload URL: files and tokens are only sent to public hosts over https. Then delete the empty record, and upload the file again.",
  },
  'upload-incomplete': {
    message: (details: { file: string; record: string; reason: string }) =>
      `${details.file} wasn't uploaded completely: ${details.record} exists in the service, but its content may be missing. ${details.reason}`,
    hint: 'Look at the record in the service. If it has no content, delete it and upload the file again: each upload creates a new record.',
  },
  'upload-not-updated': {
    message: (details: { file: string; record: string; reason: string }) =>
      `${details.file} was uploaded as ${details.record}, but its metadata wasn't set. ${details.reason}`,
    hint: 'Set the metadata with files.update(). A second upload would create a second record.',
  },
} satisfies CatalogueEntries;
