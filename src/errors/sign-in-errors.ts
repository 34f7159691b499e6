import type { CatalogueEntries } from './catalogue-entries.ts';

const encrypted =
  'MEDIA_ASSET_TOKEN_STORE names the store, MEDIA_ASSET_TOKEN_KEY the key that its tokens are encrypted with.';

/** Signing in, and the store of tokens. */
export const signInErrors = {
  'sign-in-missing': {
    message: ({ service, ended }: { service: string; ended?: string }) =>
      ended === undefined
        ? `There are no credentials for ${service}, and nobody has signed in to it here.`
        : `The sign-in to ${service} has ended: ${ended}.`,
    hint: 'Run `media-asset login`, or set MEDIA_ASSET_REFRESH_TOKEN, or MEDIA_ASSET_USERNAME and MEDIA_ASSET_PASSWORD, or MEDIA_ASSET_ACCESS_TOKEN.',
  },
  'sign-in-refused': {
    message: (details: { reason: string }) => `You are not signed in: ${details.reason}.`,
    hint: 'Run `media-asset login` again, and allow it; --time-limit gives more time. Not every client id may use the authorization page, nor every redirect address: ask the administrator of the account.',
  },
  'sign-in-callback-invalid': {
    message: (details: { problem: string }) =>
      `What came back from the authorization page is no sign-in: ${details.problem}.`,
    hint: 'Begin again with `media-asset login`, and use the address that it shows within the same run.',
  },
  'token-store-unusable': {
    message: (details: { store: string; problem: string }) =>
      `The token store ${details.store} cannot be used: ${details.problem}.`,
    hint: 'Check the address, the rights and the free space there. Set MEDIA_ASSET_TOKEN_STORE to keep tokens elsewhere.',
  },
  'token-store-broken': {
    message: (details: { store: string; problem: string }) =>
      `The token store ${details.store} cannot be used as it is: ${details.problem}.`,
    hint: 'Delete it and run `media-asset login` again. If only its rights are wrong, take them from others (chmod 600). A newer astro-media-asset may have written it.',
  },
  'token-store-busy': {
    message: (details: { store: string; owner: string }) =>
      `The token store ${details.store} is in use: ${details.owner}.`,
    hint: 'Run it again. What a process that was killed has held is free after five minutes, in Redis after half a minute.',
  },
  'token-key-missing': {
    message: (details: { store: string }) =>
      `There is no key for the tokens in ${details.store}, which others can reach.`,
    hint: `Make one with: openssl rand -base64 32. ${encrypted}`,
  },
  'token-key-wrong': {
    message: (details: { store: string }) =>
      `The tokens in ${details.store} were encrypted with another key, or have been changed.`,
    hint: `Use the key that they were written with, or sign in again with media-asset login. ${encrypted}`,
  },
} satisfies CatalogueEntries;
