import { joinSubjects, listSubjects } from './place.ts';
import {
  type CatalogueEntries,
  nameUnavailable,
  subjectOfOne,
  type UnavailableAsset,
} from './wording.ts';

/** Records of assets, and the rights to show them. */
export const recordErrors = {
  /** The option `record.read` turns the service's fields into alt text, credit, focus and rights. */
  'record-invalid': {
    message: (details: { id: number; problem: string }) =>
      `The record of asset ${details.id} can't be read by \`record.read\`: ${details.problem}.`,
    hint: 'Correct the function in astro.config. `media-asset record <id>` shows the fields of an asset.',
  },
  'record-unread': {
    message: () => "This site doesn't read the records of its assets.",
    hint: 'Set the option `record` in astro.config.',
  },
  /**
   * The asset's record forbids it, its rights have ended, or they're unknown and the site sets
   * `rights: { unknown: 'forbid' }`.
   */
  'asset-forbidden': {
    message: (details: { assets: readonly UnavailableAsset[]; isShown?: boolean }) =>
      nameUnavailable(
        details.isShown
          ? 'This site shows forbidden'
          : 'According to the service, the site may not show',
        details.assets,
      ),
    subject: subjectOfOne,
    hint: "Remove the asset from these pages, or correct its record in the service. `rights: { forbidden: 'hide' }` publishes the pages without it.",
  },
  /** Someone wrote the URL into a page, a stylesheet or data, so the build can't leave the asset out. */
  'forbidden-address': {
    message: (details: { assets: readonly UnavailableAsset[] }) =>
      nameUnavailable(
        'The site may not show these assets, but built files contain the URL of',
        details.assets,
      ),
    subject: subjectOfOne,
    hint: 'Use <MediaAsset> or getMediaAsset() instead of a URL, or remove it. If the page comes from an earlier build, run `astro build --force`.',
  },
  'asset-unpublished': {
    message: ({ id }: { id: number }) =>
      `No page and no URL of asset ${id} is known here, so there is nothing to prove.`,
    hint: 'Check the ID. If an earlier run has proved that it is gone, its record is in `.media-asset/withdrawals`.',
  },
  'rights-ending': {
    message: ({ id, until, asked }: UnavailableAsset & { until: string }) =>
      `${listSubjects(asked)}: the rights to asset ${id} end on ${until}.`,
    subject: joinSubjects,
    hint: 'Extend the rights, or replace the asset. From the next day on, builds treat it as forbidden.',
  },
  'rights-unknown': {
    message: (details: UnavailableAsset) =>
      `${listSubjects(details.asked)}: the service doesn't say whether the site may show asset ${details.id} (${details.reason ?? 'rights unknown'}).`,
    subject: joinSubjects,
    hint: "Fill in the record in the service. `rights: { unknown: 'forbid' }` forbids such assets, and `'allow'` shows them without this warning.",
  },
} satisfies CatalogueEntries;
