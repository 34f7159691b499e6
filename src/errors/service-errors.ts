import type { CatalogueEntries } from './catalogue-entries.ts';
import { countOf, show } from './wording.ts';

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
