import type { CatalogueEntries } from './catalogue-entries.ts';

/** The command line. */
export const commandErrors = {
  'command-usage': {
    message: (details: { problem: string }) => details.problem,
    hint: 'See media-asset --help.',
  },
  'port-busy': {
    message: (details: { port: number }) => `Port ${details.port} of 127.0.0.1 is in use.`,
    hint: 'End the other program, or choose another port with --port: 0 takes a free one. For a sign-in it must be one that the client id may be sent back to.',
  },
} satisfies CatalogueEntries;
