import type { AssetSubject } from './place.ts';
import { at, type CatalogueEntries, countOf } from './wording.ts';

/** Files that are published unchanged: downloads, videos. */
export const fileErrors = {
  'file-empty': {
    message: (details: { what: string }) => `${details.what} is empty (0 bytes).`,
    hint: 'Check the file in the service, and upload it again. Nothing was kept.',
  },
  'file-too-large': {
    message: (details: { what: string; limit: number }) =>
      `${details.what} is larger than the limit for published files, ${countOf(details.limit, 'byte')}.`,
    hint: 'Use a smaller version of the file, or raise `files.maxBytes`. Many hosts have their own limit.',
  },
  'file-guarded': {
    message: (details: AssetSubject & { what: string; by: string }) =>
      `${at(details)}asset ${details.id} is ${details.what}, judging by its ${details.by}. Such files aren't published.`,
    hint: 'Put it into a zip archive: a browser would run it with the rights of your own pages. If you trust everyone who can change it, allow the kind with `files: { allow: […] }`.',
  },
  'file-is-picture': {
    message: (details: AssetSubject) =>
      `${at(details)}asset ${details.id} is an image. Published as a file, it would keep the places and names in its metadata.`,
    hint: "Show it with <MediaAsset>, or in Markdown with `![…](media:4711)`. To link it, use `(await getMediaAsset({ id, alt, format: 'jpeg' })).src` in an .astro file. `files: { allow: ['picture'] }` publishes images unchanged, also from Markdown links.",
  },
  'file-not-video': {
    message: (details: AssetSubject & { contentType: string }) =>
      `${at(details)}asset ${details.id} isn't a video, but ${details.contentType}.`,
    hint: 'Use <MediaAsset> for images and <MediaFile> for a download link. <MediaVideo> shows videos (MP4, WebM, …).',
  },
} satisfies CatalogueEntries;
