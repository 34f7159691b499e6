import { type AssetSubject, formatSubject, type Subject } from './place.ts';
import * as wording from './wording.ts';

/** Node's reason if nothing listens at an address of this machine. */
const localRefusal = /\bECONNREFUSED (?:127\.|::1\b)/;

/** The service: reaching it, its credentials, its answers. */
export const serviceErrors = {
  'service-unreachable': {
    message: (details: { call: string; reason: string }) =>
      `The service couldn't be reached for ${details.call}: ${details.reason}.`,
    hint: 'Check the address, the network, a proxy and its certificate.',
    hintFor: ({ reason }: { reason: string }) =>
      localRefusal.test(reason)
        ? 'Start the emulator: `npx media-asset emulator`. Or correct the address.'
        : undefined,
  },
  'service-failed': {
    message: (details: { call: string; status: number; answer: string }) =>
      `The service answered ${details.call} with ${details.status}${details.answer && `: ${details.answer}`}.`,
    hint: "Try again later. If the error persists, tell the service's operator.",
  },
  'service-limited': {
    message: ({ call, status, asked }: { call: string; status: number; asked?: number }) =>
      `The service rate-limited ${call} (${status})${asked ? `, and asks for a wait of ${Math.ceil(asked / 1000)} s` : ''}.`,
    hint: 'Try again later, or lower `service.concurrency`.',
  },
  'call-ended': {
    message: ({ call }: { call?: string }) =>
      `The run ended before ${call === undefined ? 'it was done' : `the service answered ${call}`}.`,
    hint: 'Run it again. The next run repairs requests that have no answer yet.',
  },
  /** A secret may have expired. */
  'credentials-refused': {
    message: (details: { status: number; answer: string }) =>
      `The service refused the credentials (token request answered ${details.status}${details.answer && `: ${details.answer}`}).`,
    hint: 'Check the client ID, the client secret, and the refresh token or the user name and password. Not every client ID may use the password grant. `media-asset init` finds out how a service takes token requests.',
  },
  'request-unauthorized': {
    message: 'The service rejected the access token for {call} (401), even a new one.',
    hint: 'Check that the credentials belong to this service and that the client ID may use its API.',
  },
  'request-forbidden': {
    message: (details: { call: string; answer: string }) =>
      `The service forbids ${details.call} (403)${details.answer && `: ${details.answer}`}.`,
    hint: 'Grant the permission in the service, or use credentials that have it.',
  },
  'request-refused': {
    message: (details: { call: string; status: number; answer: string }) =>
      `The service refused ${details.call} with ${details.status}${details.answer && `: ${details.answer}`}.`,
    hint: "Compare the request with the service's answer.",
  },
  /** A proxy's page often has status 200. Taking it for an answer would lose images or usages. */
  'answer-html': {
    message:
      'The service answered {call} with an HTML page: a sign-in wall, a proxy or a maintenance page.',
    hint: 'Check the base URL, and what is in front of the service.',
  },
  'answer-unexpected': {
    message: (details: { call: string; problem: string; came?: string | undefined }) =>
      `The service answered ${details.call} in an unknown form: ${details.problem}${details.came ? `; received: ${details.came}` : ''}.`,
    hint: 'Check that the base URL is that of a Media Asset Service, without /1.',
  },
  'clocks-differ': {
    message: ({ days }: { days: number }) =>
      `The service's clock is ${wording.countOf(Math.abs(days), 'day')} ${days > 0 ? 'ahead of' : 'behind'} this machine's. Rights end by the later one.`,
    hint: 'Correct the clock that is wrong.',
  },
  'records-skipped': {
    message: (details: { call: string; problems: readonly string[] }) =>
      `Skipped ${wording.countOf(details.problems.length, 'record')} of ${details.call}: ${wording.listNames([...new Set(details.problems)])}.`,
    hint: 'Look at the record in the service: an ID is a whole number other than 0. All other records are used.',
  },
  'list-unfinished': {
    message: (details: { call: string; records: number; limit: string }) =>
      `Stopped reading ${details.call} after ${wording.countOf(details.records, 'record')}: it has more than ${details.limit}.`,
    hint: 'Raise that limit (`maxPages`, `maxRecords`), or ask for less.',
  },
  'argument-invalid': {
    message: (details: { call: string; name: string; value: unknown; expected: string }) =>
      `${details.call}: ${details.name} is ${wording.show(details.value)}; expected ${details.expected}.`,
    hint: "Correct the call, or the command's flag. The package's types show what a call takes.",
  },
  'redirect-refused': {
    message: "The service redirected {call} to {target}. The redirect wasn't followed: {reason}.",
    hint: "Check the base URL, and ask the service's operator. Redirects are only followed to public hosts over https.",
  },
  /** Some services replace the refresh token at each use. The old one is no longer valid. */
  'refresh-token-rotated': {
    message:
      "The service replaced the refresh token, and the new one couldn't be stored: {problem}",
    hint: 'Run `media-asset login`, or set a new MEDIA_ASSET_REFRESH_TOKEN. In CI, set MEDIA_ASSET_TOKEN_STORE (a Redis URL) and MEDIA_ASSET_TOKEN_KEY, or use the password grant.',
  },
  'download-corrupt': {
    message: 'The download of {what} is incomplete or damaged: {problem}.',
    hint: 'Try again. If it persists, the service or a proxy breaks downloads. Nothing was kept.',
  },
  'download-too-large': {
    message: 'The download of {what} is larger than the limit of {limit} bytes.',
    hint: 'Use a smaller version of the file, or raise `service.maxDownloadBytes`. Nothing was kept.',
  },
} as const satisfies wording.CatalogueEntries;

const correctProp = 'Correct or remove the prop. Start your own attributes with data-.';

/** A value that a prop can't have. */
export interface WrongValue {
  readonly name: string;
  readonly value: unknown;
  readonly expected: string;
  readonly known?: readonly string[] | undefined;
}

/** Requests from pages: props, crops. */
export const requestErrors = {
  'asset-id-invalid': {
    message: (details: Subject & { value: unknown }) =>
      `${wording.at(details)}${wording.show(details.value)} isn't an asset ID.`,
    hint: "Write the ID as the service shows it, a whole number other than 0: id={4711}, or { id: 4711, … } in a call. HTML's `id` is the prop `htmlId`. In `data-media-asset`, separate several IDs with spaces.",
  },
  'alt-missing': {
    message: (details: AssetSubject & { hasRecord?: boolean }) =>
      `${wording.at(details)}the image of asset ${details.id} has no \`alt\`${details.hasRecord ? ', and its record has no text for it either' : ''}.`,
    hint: 'Describe the image. If it is only decoration, write `alt=""`, or `![](media:4711?decoration)` in Markdown.',
  },
  /** In MDX or a barrel file, only the page is known: search the sources for the asset's ID. */
  'prop-invalid': {
    message: (details: AssetSubject & WrongValue) =>
      `${wording.at(details)}asset ${details.id} has ${details.name}=${wording.show(details.value)}; expected ${details.expected}.${wording.didYouMean(`${details.value}`, details.known ?? [])}`,
    hint: 'Correct the prop, the argument, or the parameter of the media: address.',
  },
  'prop-unknown': {
    message: (details: Subject & { tag: string; name: string; valid: readonly string[] }) =>
      `Unknown prop \`${wording.oneLine(details.name)}\` on ${details.tag} on ${formatSubject(details)}.${wording.didYouMean(details.name.replace(/.*\./, ''), details.valid)}`,
    hint: correctProp,
    hintFor: ({ valid }: { valid: readonly string[] }) =>
      `${correctProp} Valid props: ${valid.join(', ')}.`,
  },
  'parameter-unknown': {
    message: (details: AssetSubject & { name: string; valid: readonly string[] }) =>
      `${wording.at(details)}Unknown parameter \`${wording.oneLine(details.name)}\` of asset ${details.id}.${wording.didYouMean(details.name, details.valid)} Valid parameters: ${details.valid.join(', ')}.`,
    hint: 'Correct or remove the parameter.',
  },
  'crop-invalid': {
    message: (details: AssetSubject & { problem: string; value: unknown }) =>
      `${wording.at(details)}invalid crop of asset ${details.id}: ${details.problem}; received ${wording.show(details.value)}.`,
    hint: "Write { x, y, width, height } in whole pixels of the original as displayed. With unit: 'fraction', write fractions from 0 to 1. In a media: address, write crop=x,y,width,height; a decimal point makes them fractions.",
  },
  'crop-outside': {
    message:
      '{at}the crop {crop} of asset {id} reaches outside the image, which has {width} × {height} pixels.',
    hint: 'Choose a rectangle inside the image, which may have been replaced in the service.',
  },
} as const satisfies wording.CatalogueEntries;

const encrypted =
  'MEDIA_ASSET_TOKEN_STORE names the store, and MEDIA_ASSET_TOKEN_KEY is the key that encrypts its tokens.';

/** Sign-in and the token store. */
export const signInErrors = {
  'sign-in-missing': {
    message: ({ service, ended }: { service: string; ended?: string | undefined }) =>
      ended === undefined
        ? `There are no credentials for ${service}, and no one is signed in to it here.`
        : `The sign-in to ${service} is no longer valid: ${ended}.`,
    hint: 'Run `media-asset login`, or set MEDIA_ASSET_REFRESH_TOKEN, or MEDIA_ASSET_USERNAME and MEDIA_ASSET_PASSWORD, or MEDIA_ASSET_ACCESS_TOKEN.',
  },
  'sign-in-refused': {
    message: "You aren't signed in: {reason}.",
    hint: 'Run `media-asset login` again, and allow access. If the service refuses, ask its administrator whether the client ID may use the authorization page and this redirect URI.',
  },
  'sign-in-callback-invalid': {
    message: 'The authorization page sent back an invalid sign-in: {problem}.',
    hint: 'Run `media-asset login` again, and use the address that it shows in the same run.',
  },
  'token-store-unusable': {
    message: "The token store {store} can't be used: {problem}.",
    hint: 'Check the address, the permissions (of a file: chmod 600) and the free space. If its content is damaged, delete it and run `media-asset login` again. Set MEDIA_ASSET_TOKEN_STORE to keep tokens elsewhere.',
  },
  'token-store-busy': {
    message: 'The token store {store} is in use: {owner}.',
    hint: 'Run it again. The lock of a killed process expires after five minutes.',
  },
  'token-key-missing': {
    message: 'There is no key to encrypt the tokens in {store}.',
    hint: `Create one with: openssl rand -base64 32. ${encrypted}`,
  },
  'token-key-wrong': {
    message: 'The tokens in {store} were encrypted with another key, or modified.',
    hint: 'Set the same MEDIA_ASSET_TOKEN_KEY in all jobs, or run media-asset login again.',
  },
} as const satisfies wording.CatalogueEntries;

/** The service's library: folders, assets, uploads, content collections. */
export const libraryErrors = {
  'library-unknown': {
    message: (details: { what: 'folder' | 'asset'; id: number }) =>
      `There is no ${details.what} ${details.id}.`,
    subject: ({ what, id }: { what: string; id: number }) => (what === 'asset' ? { id } : {}),
    hint: 'Look it up with `media-asset folders` or `media-asset search <text>`. They show what the credentials may see.',
  },
  'collection-stale': {
    message: (details: { collection: string; checked: string | undefined; mayAsk: boolean }) => {
      const { collection, checked, mayAsk } = details;
      const state = checked ? `stale: it was last loaded ${checked}` : 'empty';
      const reason = mayAsk
        ? "the service couldn't be reached or failed"
        : 'there are no credentials for the service';
      return `The collection ${collection} is ${state}, because ${reason}.`;
    },
    hint: 'Build again with credentials, when the service can be reached.',
  },
  'upload-source-unusable': {
    message: "{file} can't be uploaded: {problem}.",
    hint: 'Name a readable file that no program is writing to.',
  },
  'upload-too-large': {
    message: '{file} is larger than the limit of {limit} bytes.',
    hint: 'Upload a smaller file, or raise `service.maxDownloadBytes`. Nothing was uploaded.',
  },
  'upload-unanswered': {
    message: "It's unknown whether the service created a record for {file}. {reason}",
    hint: 'Look for the file in the service before you upload it again: that could create a second record.',
  },
  'upload-incomplete': {
    message: (details: { file: string; record: string; reason: string }) =>
      `${details.file} wasn't uploaded completely: ${details.record} exists in the service, but its content may be missing. ${details.reason}`,
    hint: 'Look at the record in the service. If it has no content, delete it and upload again: each upload creates a new record.',
  },
  'upload-not-updated': {
    message: "{file} was uploaded as {record}, but its metadata wasn't set. {reason}",
    hint: 'Set the metadata with files.update(). A second upload would create a second record.',
  },
} as const satisfies wording.CatalogueEntries;
