import type { CatalogueEntries } from './catalogue-entries.ts';

/** The emulator. */
export const emulatorErrors = {
  'emulator-media-missing': {
    message: (details: { folder: string }) => `There is no media folder ${details.folder}.`,
    hint: 'Name a folder with pictures: media-asset emulator --media <folder> --data <folder>.',
  },
  'emulator-media-unreadable': {
    message: (details: { folder: string }) =>
      `The folder ${details.folder} of the media folder could not be read.`,
    hint: 'Check its rights, or move it out of the media folder.',
  },
  'emulator-data-unusable': {
    message: (details: { folder: string; problem: string }) =>
      `The emulator's data folder ${details.folder} can't be used: ${details.problem}.`,
    hint: 'Check the rights and the free space, or name another folder: --data <folder>.',
  },
  'emulator-data-busy': {
    message: (details: { folder: string }) =>
      `Another emulator is using the data folder ${details.folder}.`,
    hint: 'End the other emulator, or name another folder: --data <folder>.',
  },
  'emulator-options-invalid': {
    message: (details: { problems: readonly string[] }) =>
      `The settings of the emulator are not valid:\n${details.problems.map((problem) => `  - ${problem}`).join('\n')}`,
    hint: 'Correct the flags, or the MEDIA_ASSET_EMULATOR_… variables that they come from.',
  },
  'emulator-port-busy': {
    message: (details: { port: number }) => `Port ${details.port} of 127.0.0.1 is in use.`,
    hint: 'End the other program, or choose another port: --port 0 takes a free one.',
  },
} satisfies CatalogueEntries;
