import type { CatalogueEntries } from './catalogue-entries.ts';

/** The emulator. */
export const emulatorErrors = {
  'emulator-media-unusable': {
    message: (details: { folder: string; problem: string }) =>
      `The media folder ${details.folder} can't be used: ${details.problem}.`,
    hint: 'Name a folder with images that may be read: media-asset emulator --media <folder> --data <folder>.',
  },
  'emulator-data-unusable': {
    message: (details: { folder: string; problem: string }) =>
      `The emulator's data folder ${details.folder} can't be used: ${details.problem}.`,
    hint: 'End another emulator that uses it, check the rights and the free space, or name another folder: --data <folder>.',
  },
  'emulator-options-invalid': {
    message: (details: { problems: readonly string[] }) =>
      `The settings of the emulator are not valid:\n${details.problems.map((problem) => `  - ${problem}`).join('\n')}`,
    hint: 'Correct the flags, or the MEDIA_ASSET_EMULATOR_… variables that they come from.',
  },
} satisfies CatalogueEntries;
