import type { CatalogueEntries } from './catalogue-entries.ts';

/** Uploads and updates of a file's metadata. */
export const uploadErrors = {
  'upload-source-unusable': {
    message: (details: { file: string; problem: string }) =>
      `${details.file} cannot be uploaded: ${details.problem}.`,
    hint: 'Nothing was sent. Name a file that is there and may be read.',
  },
  'upload-source-changed': {
    message: (details: { file: string; problem: string }) =>
      `${details.file} changed while it was uploaded: ${details.problem}.`,
    hint: 'Upload it again once nobody writes to it. A record that was made for another size cannot take it.',
  },
  'upload-unanswered': {
    message: (details: { file: string; reason: string }) =>
      `Whether the service made a record for ${details.file} is not known: ${details.reason}`,
    hint: 'Nothing was repeated, so that there is no second record. Look for the file in the service before you upload it again.',
  },
  'upload-url-refused': {
    message: (details: { file: string; record: string; target: string; reason: string }) =>
      `The service wants ${details.file} at ${details.target}, where it is not sent: ${details.reason}. For it, ${details.record} exists in the service, without its content.`,
    hint: 'Files and tokens go to public hosts over https only. Ask the operator of the service, then upload it again with the `resume` of this error: no second record is made.',
  },
  'upload-incomplete': {
    message: (details: { file: string; record: string; reason: string }) =>
      `${details.file} was not uploaded: ${details.record} exists in the service, without its content. ${details.reason}`,
    hint: 'Upload it again with the `resume` of this error: it goes into the same record. Without it a second record is made.',
  },
  'upload-not-updated': {
    message: (details: { file: string; record: string; reason: string }) =>
      `${details.file} was uploaded (${details.record}), but its metadata was not changed. ${details.reason}`,
    hint: 'Change it with files.update(), or upload again with the `resume` of this error: only the metadata is sent then.',
  },
} satisfies CatalogueEntries;
