import { type CatalogueEntries, countOf, oneLine, show } from './wording.ts';

/** The service: reaching it, its credentials, its answers. */
export const serviceErrors = {
  'service-unreachable': {
    message: (details: { call: string; reason: string }) =>
      `The service could not be reached for ${details.call}: ${details.reason}.`,
    hint: 'Check the address and the network. What is cached keeps working; what is not sent goes out with the next build.',
  },
  'service-failed': {
    message: (details: { call: string; status: number; answer: string }) =>
      `The service answered ${details.call} with ${details.status}${details.answer && `: ${details.answer}`}.`,
    hint: "Try again later. If it stays, tell the service's operator: this is an error inside the service.",
  },
  'service-limited': {
    message: (details: { call: string; status: number }) =>
      `The service limits our requests (${details.status} for ${details.call}), also after waiting.`,
    hint: 'Try again later, or lower `service.concurrency`.',
  },
  'call-ended': {
    message: ({ call }: { call?: string }) =>
      `The run was ended before ${call === undefined ? 'it was done' : `the service had answered ${call}`}.`,
    hint: 'Run it again. What may have been done is in doubt, and the next run puts it right.',
  },
  'credentials-refused': {
    message: (details: { status: number; answer: string }) =>
      `The service refused the credentials (token request answered ${details.status}${details.answer && `: ${details.answer}`}).`,
    hint: 'Check client id, client secret and the refresh token or user name and password. Not every client id may use the password grant.',
  },
  'request-unauthorized': {
    message: (details: { call: string }) =>
      `The service does not accept the access token for ${details.call} (401), not even a new one.`,
    hint: 'Check that the credentials belong to this service and that the client id may use its API.',
  },
  'request-forbidden': {
    message: (details: { call: string; answer: string }) =>
      `The service forbids ${details.call} (403)${details.answer && `: ${details.answer}`}.`,
    hint: 'Give the integration the right in the service, or use credentials that have it.',
  },
  'request-refused': {
    message: (details: { call: string; status: number; answer: string }) =>
      `The service refused ${details.call} with ${details.status}${details.answer && `: ${details.answer}`}.`,
    hint: "Compare the request with the service's answer, which the message quotes: it doesn't fit what the service knows.",
  },
  'answer-html': {
    message: (details: { call: string }) =>
      `An HTML page came where ${details.call} should answer: a sign-in wall, a proxy or a maintenance page.`,
    hint: 'Check the base URL, and that nothing stands between this machine and the service.',
  },
  'answer-unexpected': {
    message: (details: { call: string; problem: string; came?: string | undefined }) =>
      `The answer to ${details.call} fits nothing that the interface allows: ${details.problem}${details.came ? `; it was: ${details.came}` : ''}.`,
    hint: 'Check that the base URL is that of a Media Asset Service, without the /1 that its paths begin with.',
  },
  'list-unfinished': {
    message: (details: { call: string; records: number; limit: string }) =>
      `The reading of ${details.call} was ended after ${countOf(details.records, 'record')}: it takes more than ${details.limit}.`,
    hint: 'Raise the limit that it names (`maxPages`, `maxRecords`), or ask for less.',
  },
  'argument-invalid': {
    message: (details: { place: string; name: string; value: unknown; expected: string }) =>
      `${details.place}: ${details.name} is ${show(details.value)}; expected ${details.expected}.`,
    hint: 'Correct the call. Its types (of `astro-media-asset/service` or `astro-media-asset/loaders`) say what it takes.',
  },
  'redirect-refused': {
    message: (details: { call: string; target: string; reason: string }) =>
      `The service sent ${details.call} on to ${details.target}, which is not followed: ${details.reason}.`,
    hint: 'Check the base URL, and ask the operator of the service. Redirects are only followed to public hosts over https.',
  },
  'url-insecure': {
    message: (details: { url: string }) => `${details.url} is not an https address.`,
    hint: 'Use an https address. Plain http works only for this machine (127.0.0.1, localhost).',
  },
  'refresh-token-rotated': {
    message: (details: { problem: string }) =>
      `The service replaced the refresh token, and the new one could not be kept: ${details.problem}`,
    hint: 'Fix the token store, if there is one, and run `media-asset login`, or set a new MEDIA_ASSET_REFRESH_TOKEN: the old one may no longer work. In CI, set MEDIA_ASSET_TOKEN_STORE (an address of Redis) and MEDIA_ASSET_TOKEN_KEY; or use a client id whose refresh tokens stay valid, or the password grant.',
  },
  'download-corrupt': {
    message: (details: { what: string; problem: string }) =>
      `The download of ${details.what} did not arrive whole: ${details.problem}.`,
    hint: 'Try again. If it stays, the service or a proxy breaks downloads. Nothing of it was kept.',
  },
  'download-too-large': {
    message: (details: { what: string; limit: number }) =>
      `The download of ${details.what} is larger than the limit of ${details.limit} bytes.`,
    hint: 'Use a smaller version of the file, or raise `service.maxDownloadBytes` (`--max-size` of media-asset download). Nothing of it was kept.',
  },
} satisfies CatalogueEntries;

/** What a page asks for: props, crops. */
export const requestErrors = {
  'asset-id-invalid': {
    message: (details: { value: unknown; page: string }) =>
      `${details.page}: ${show(details.value)} is not an asset id.`,
    hint: 'Write an asset id as the service shows it, a positive integer: id={4711}, or { id: 4711, … } in a call. Separate several with spaces in `data-media-asset`.',
  },
  'alt-missing': {
    message: (details: { id: number; page: string }) =>
      `${details.page}: the picture of asset ${details.id} has no \`alt\`.`,
    hint: 'Say what the picture shows. If it is only decoration: alt="", in Markdown ![](media:4711?decoration).',
  },
  'prop-invalid': {
    message: (details: {
      id: number;
      page: string;
      name: string;
      value: unknown;
      expected: string;
    }) =>
      `${details.page}: asset ${details.id} has ${details.name}=${show(details.value)}; expected ${details.expected}.`,
    hint: 'Correct the prop of the component, the argument of getMediaAsset or getMediaFile, or the parameter of the media: address there.',
  },
  'prop-unknown': {
    message: (details: { page: string; tag: string; name: string; valid: readonly string[] }) =>
      `Unknown prop \`${oneLine(details.name)}\` on ${details.tag} on ${details.page}. Valid props: ${details.valid.join(', ')}.`,
    hint: 'Correct the prop, or remove it. Start an attribute of your own with data-.',
  },
  'parameter-unknown': {
    message: (details: { id: number; page: string; name: string; valid: readonly string[] }) =>
      `${details.page}: Unknown parameter \`${oneLine(details.name)}\` of asset ${details.id}. Valid parameters: ${details.valid.join(', ')}.`,
    hint: 'Correct the parameter in the address, or remove it.',
  },
  'crop-invalid': {
    message: (details: { id: number; page: string; problem: string; value: unknown }) =>
      `${details.page}: the crop of asset ${details.id} is not usable: ${details.problem}; received ${show(details.value)}.`,
    hint: "Write { x, y, width, height } in whole pixels of the original as displayed, x and y from 0, width and height from 1. With unit: 'fraction', write fractions of it from 0 to 1, where x + width and y + height are 1 at most. In a media: address: crop=x,y,width,height; with a decimal point in fractions.",
  },
  'crop-outside': {
    message: (details: { id: number; page: string; crop: string; width: number; height: number }) =>
      `${details.page}: the crop ${details.crop} of asset ${details.id} reaches outside its picture, which has ${details.width} × ${details.height} pixels.`,
    hint: 'Choose a rectangle inside the picture. Asset versions can differ in size: look it up in the service.',
  },
} satisfies CatalogueEntries;

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

/** What the service holds: folders and assets, collections of them. */
export const libraryErrors = {
  'library-unknown': {
    message: (details: { what: 'folder' | 'asset'; id: number }) =>
      `There is no ${details.what} ${details.id}.`,
    hint: 'Look it up: `media-asset folders` shows the folders that the credentials may see, `media-asset search <text>` finds an asset by its name.',
  },
  'collection-stale': {
    message: ({
      collection,
      checked,
      mayAsk,
    }: {
      collection: string;
      checked: string | undefined;
      mayAsk: boolean;
    }) => {
      const state = checked ? `stale: it is as it was ${checked}` : 'empty';
      const reason = mayAsk
        ? 'the service could not be reached or failed'
        : 'there are no credentials for the service';
      return `The collection ${collection} is ${state}, because ${reason}.`;
    },
    hint: 'Build again with credentials, when the service can be reached: that lists the collection again.',
  },
  'upload-source-unusable': {
    message: (details: { file: string; problem: string }) =>
      `${details.file} cannot be uploaded: ${details.problem}.`,
    hint: 'Name a file that is there and may be read, and that nothing is writing to.',
  },
  'upload-unanswered': {
    message: (details: { file: string; reason: string }) =>
      `It's unknown whether the service created a record for ${details.file}. ${details.reason}`,
    hint: "Look for the file in the service before you upload it again. The upload wasn't retried: that could have created a second record.",
  },
  'upload-url-refused': {
    message: (details: { file: string; record: string; target: string; reason: string }) =>
      `${details.file} wasn't sent to ${details.target}: ${details.reason}. In the service, ${details.record} exists without content.`,
    hint: "Ask the service's operator to fix the upload URL: files and tokens are only sent to public hosts over https. Then delete the empty record, and upload the file again.",
  },
  'upload-incomplete': {
    message: (details: { file: string; record: string; reason: string }) =>
      `${details.file} wasn't uploaded completely: ${details.record} exists in the service, but its content may be missing. ${details.reason}`,
    hint: 'Look at the record in the service. If it has no content, delete it and upload the file again: each upload creates a new record.',
  },
  'upload-not-updated': {
    message: (details: { file: string; record: string; reason: string }) =>
      `${details.file} was uploaded as ${details.record}, but its metadata wasn't set. ${details.reason}`,
    hint: 'Set the metadata with files.update(). A second upload would create a second record.',
  },
} satisfies CatalogueEntries;
