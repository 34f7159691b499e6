import { fileErrors, imageErrors, recordErrors } from './asset-errors.ts';
import { pageErrors } from './page-errors.ts';
import { libraryErrors, requestErrors, serviceErrors, signInErrors } from './service-errors.ts';
import { usageErrors } from './usage-errors.ts';
import { type CatalogueEntries, oneLine } from './wording.ts';

const configurationErrors = {
  'node-too-old': {
    message: (details: { node: string; least: string }) =>
      `astro-media-asset needs Node ${details.least} or newer, and this is Node ${details.node}.`,
    hint: "Install a newer Node, or name it in your CI host's settings.",
  },
  'options-invalid': {
    message: (details: { problems: readonly string[] }) =>
      `Invalid options of astro-media-asset:\n${details.problems.map((problem) => `  - ${problem}`).join('\n')}`,
    hint: 'Correct them in astro.config, or in their MEDIA_ASSET_… variables.',
  },
  'site-missing': {
    message: () => 'Usages need absolute page URLs, and the Astro config has no `site`.',
    hint: "Add it to astro.config: `site: 'https://www.example.org'`.",
  },
  'service-not-configured': {
    message: ({ missing, goesOn }: { missing: readonly string[]; goesOn?: boolean }) =>
      `No Media Asset Service is configured: ${missing.join(', ')} missing.${goesOn ? ' Pages show cached assets, and placeholders instead of all others.' : ''}`,
    hint: 'Set them in the environment or a .env file, or pass `service: { … }` to mediaAsset(). Only local, preview and pull request builds work without them.',
  },
  /** A changed file could otherwise send your credentials to any host. */
  'service-untrusted': {
    message: (details: { address: string }) =>
      `Credentials aren't sent to ${details.address}: only .media-asset/build.json says where or how to send them, and no build with these credentials wrote that file.`,
    hint: 'Pass `--service`, or set MEDIA_ASSET_BASE_URL and, if the token host has its own address, MEDIA_ASSET_ACCOUNTS_URL. For credentials in URLs, set MEDIA_ASSET_TOKEN_ENCODING too. A build with the same credentials also proves the file.',
  },
  'environment-unreadable': {
    message: (details: { path: string }) => `The file ${details.path} couldn't be read.`,
    hint: "Check the file's permissions.",
  },
} satisfies CatalogueEntries;

const commandErrors = {
  'command-usage': {
    message: (details: { problem: string }) => details.problem,
    hint: 'Run `media-asset --help`.',
  },
  'config-unloadable': {
    message: (details: { file: string; problem: string }) =>
      `${details.file} can't be loaded: ${oneLine(details.problem)}`,
    hint: 'Correct the file, or run `npm install`. `npx astro sync` shows the same mistake with its place.',
  },
  'import-record-broken': {
    message: (details: { file: string; service: string }) =>
      `${details.file} isn't the record of an import into ${details.service}.`,
    hint: 'Restore the file, or delete it: images that the folder has already are found again.',
  },
  'port-busy': {
    message: (details: { port: number }) => `Port ${details.port} of 127.0.0.1 is in use.`,
    hint: 'End the other program, or choose another --port (0 takes a free one). For a sign-in, the client ID has to allow it.',
  },
} satisfies CatalogueEntries;

const emulatorErrors = {
  'emulator-media-unusable': {
    message: (details: { folder: string; problem: string }) =>
      `The media folder ${details.folder} can't be used: ${details.problem}.`,
    hint: 'Name a readable folder of images: media-asset emulator --media <folder>.',
  },
  'emulator-data-unusable': {
    message: (details: { folder: string; problem: string }) =>
      `The emulator's data folder ${details.folder} can't be used: ${details.problem}.`,
    hint: 'End another emulator that uses it, or name another folder: --data <folder>.',
  },
  'emulator-options-invalid': {
    message: (details: { problems: readonly string[] }) =>
      `Invalid settings of the emulator:\n${details.problems.map((problem) => `  - ${problem}`).join('\n')}`,
    hint: 'Correct the option of startEmulator(), or the flag of `media-asset emulator`.',
  },
} satisfies CatalogueEntries;

/**
 * Every error and finding of the product: its permanent code, its message (what happened and
 * why, naming the page, file, asset or URL) and its hint (what to do next).
 *
 * Messages avoid the words "document" and "window": Astro replaces the hint of an error whose
 * message holds one of them.
 */
export const catalogue = {
  ...configurationErrors,
  ...requestErrors,
  ...serviceErrors,
  ...signInErrors,
  ...imageErrors,
  ...fileErrors,
  ...recordErrors,
  ...pageErrors,
  ...usageErrors,
  ...libraryErrors,
  ...commandErrors,
  ...emulatorErrors,
};
