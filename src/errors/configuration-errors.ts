import type { CatalogueEntries } from './catalogue-entries.ts';

/** Options and the environment. */
export const configurationErrors = {
  'options-invalid': {
    message: (details: { problems: readonly string[] }) =>
      `The media asset options are not valid:\n${details.problems.map((problem) => `  - ${problem}`).join('\n')}`,
    hint: 'Correct the options in astro.config, or the MEDIA_ASSET_… variables that they come from.',
  },
  'site-missing': {
    message: () => 'Usages name pages by their absolute URL, and the Astro config has no `site`.',
    hint: "Add it to astro.config: `site: 'https://www.example.org'`.",
  },
  'service-not-configured': {
    message: (details: { missing: readonly string[] }) =>
      `No Media Asset Service is configured: ${details.missing.join(', ')} missing.`,
    hint: 'Set them in the environment or a .env file, or pass `service: { … }` to mediaAssets().',
  },
  'environment-unreadable': {
    message: (details: { path: string }) => `The file ${details.path} could not be read.`,
    hint: 'Check the rights of the file: it may hold the address and the credentials of the service.',
  },
} satisfies CatalogueEntries;
