import type { CatalogueEntries } from './catalogue-entries.ts';

const encrypted =
  'MEDIA_ASSET_TOKEN_STORE names the store, MEDIA_ASSET_TOKEN_KEY the key that its tokens are encrypted with.';

/** Signing in, and the store of tokens. */
export const signInErrors = {
  'sign-in-missing': {
    message: (details: { service: string }) =>
      `There are no credentials for ${details.service}, and nobody has signed in to it here.`,
    hint: 'Run `media-asset login`, or set MEDIA_ASSET_REFRESH_TOKEN, or MEDIA_ASSET_USERNAME and MEDIA_ASSET_PASSWORD, or MEDIA_ASSET_ACCESS_TOKEN.',
  },
  'sign-in-ended': {
    message: (details: { service: string; reason: string }) =>
      `The sign-in to ${details.service} has ended: ${details.reason}.`,
    hint: 'Run `media-asset login` again.',
  },
  'sign-in-refused': {
    message: (details: { reason: string }) => `The service did not sign you in: ${details.reason}.`,
    hint: 'Run `media-asset login` again, and allow it. Not every client id may use the authorization page, nor every redirect address: ask the administrator of the account.',
  },
  'sign-in-callback-invalid': {
    message: (details: { problem: string }) =>
      `What came back from the authorization page is no sign-in: ${details.problem}.`,
    hint: 'Begin again with `media-asset login`, and use the address that it shows within the same run.',
  },
  'sign-in-timed-out': {
    message: (details: { seconds: number }) =>
      `Nobody has signed in within ${details.seconds} seconds.`,
    hint: 'Run `media-asset login` again; --time-limit gives more time.',
  },
  'sign-in-port-busy': {
    message: (details: { port: number }) => `Port ${details.port} of 127.0.0.1 is in use.`,
    hint: 'Choose another with --port, one that the client id may be sent back to; without --port a free one is taken.',
  },
  'token-store-unusable': {
    message: (details: { store: string; problem: string }) =>
      `The token store ${details.store} cannot be used: ${details.problem}.`,
    hint: 'Check the address, the rights and the free space there. Set MEDIA_ASSET_TOKEN_STORE to keep tokens elsewhere.',
  },
  'token-store-exposed': {
    message: (details: { store: string; mode: string }) =>
      `The token store ${details.store} can be read by others (mode ${details.mode}), and is not used.`,
    hint: 'Take the rights from others (chmod 600), or delete the file and run `media-asset login` again if somebody may have read it.',
  },
  'token-store-broken': {
    message: (details: { store: string; problem: string }) =>
      `The token store ${details.store} cannot be read: ${details.problem}.`,
    hint: 'Delete it and run `media-asset login` again. A newer astro-media-asset may have written it.',
  },
  'token-store-busy': {
    message: (details: { store: string; owner: string }) =>
      `The token store ${details.store} is in use: ${details.owner}.`,
    hint: 'Run it again. What a process that was killed has held is free after five minutes, in Redis after half a minute.',
  },
  'token-key-missing': {
    message: (details: { store: string }) =>
      `There is no key for the tokens in ${details.store}, which others can reach.`,
    hint: `${encrypted} Make one with: openssl rand -base64 32`,
  },
  'token-key-wrong': {
    message: (details: { store: string }) =>
      `The tokens in ${details.store} were encrypted with another key, or have been changed.`,
    hint: `${encrypted} Use the key that they were written with, or sign in anew with media-asset login.`,
  },
} satisfies CatalogueEntries;
