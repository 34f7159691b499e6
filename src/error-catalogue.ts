import { countOf, listUnavailable, show, type UnavailableAsset } from './error-wording.ts';

/**
 * Every error and finding of the product: its permanent code, its message (what happened and
 * why, naming the page, file, asset or URL) and its hint (what to do next).
 *
 * Messages avoid the words "document" and "window": Astro replaces the hint of an error whose
 * message holds one of them.
 */
export const catalogue = {
  // Configuration
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

  // Props and requests for renditions
  'asset-id-invalid': {
    message: (details: { value: unknown; page: string }) =>
      `${details.page}: ${show(details.value)} is not an asset id.`,
    hint: 'An asset id is a positive integer, as the service shows it: id={4711}.',
  },
  'alt-missing': {
    message: (details: { id: number; page: string }) =>
      `${details.page}: the picture of asset ${details.id} has no \`alt\`.`,
    hint: 'Say what the picture shows, or pass alt="" if it is only decoration.',
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
    hint: 'Correct the prop of <MediaAsset> (or the argument of getMediaAsset) on that page.',
  },
  'crop-invalid': {
    message: (details: { id: number; page: string; problem: string; value: unknown }) =>
      `${details.page}: the crop of asset ${details.id} is not usable: ${details.problem}; received ${show(details.value)}.`,
    hint: 'A crop is { x, y, width, height } in whole pixels of the original as displayed; x and y from 0, width and height from 1.',
  },
  'crop-outside': {
    message: (details: { id: number; page: string; crop: string; width: number; height: number }) =>
      `${details.page}: the crop ${details.crop} of asset ${details.id} reaches outside its picture, which has ${details.width} × ${details.height} pixels.`,
    hint: 'Choose a rectangle inside the picture. Asset versions can differ in size: look it up in the service.',
  },

  // The service
  'service-unreachable': {
    message: (details: { call: string; reason: string }) =>
      `The service could not be reached for ${details.call}: ${details.reason}.`,
    hint: 'Check the address and the network. What is cached keeps working; what is not sent goes out with the next build.',
  },
  'service-failed': {
    message: (details: { call: string; status: number; answer: string }) =>
      `The service answered ${details.call} with ${details.status}${details.answer && `: ${details.answer}`}.`,
    hint: 'This is an error inside the service. Try again later; if it stays, tell its operator.',
  },
  'service-limited': {
    message: (details: { call: string; status: number }) =>
      `The service limits our requests (${details.status} for ${details.call}), also after waiting.`,
    hint: 'Try again later, or lower `service.concurrency`.',
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
    hint: 'The request does not fit what the service knows. The answer above says why.',
  },
  'answer-html': {
    message: (details: { call: string }) =>
      `An HTML page came where ${details.call} should answer: a sign-in wall, a proxy or a maintenance page.`,
    hint: 'Check the base URL, and that nothing stands between this machine and the service.',
  },
  'answer-unexpected': {
    message: (details: { call: string; problem: string }) =>
      `The answer to ${details.call} fits nothing that the interface allows: ${details.problem}.`,
    hint: 'Check that the base URL is that of a Media Asset Service, version /1.',
  },
  'redirect-refused': {
    message: (details: { call: string; target: string; reason: string }) =>
      `The service sent ${details.call} on to ${details.target}, which is not followed: ${details.reason}.`,
    hint: 'Redirects go to public hosts over https only. Check the base URL, and ask the operator of the service.',
  },
  'url-insecure': {
    message: (details: { url: string }) => `${details.url} is not an https address.`,
    hint: 'Credentials travel over https only; plain http is accepted for this machine (127.0.0.1, localhost) alone.',
  },
  'refresh-token-rotated': {
    message: () =>
      'The service replaced the refresh token, and there is no store to keep the new one.',
    hint: 'Use a client id whose refresh tokens stay valid, or the password grant.',
  },
  'download-truncated': {
    message: (details: { what: string; expected: number; received: number }) =>
      `The download of ${details.what} was cut short: ${details.received} of ${details.expected} bytes came.`,
    hint: 'Nothing of it was kept. Try again; if it stays, the service or a proxy breaks downloads.',
  },
  'download-too-large': {
    message: (details: { what: string; limit: number }) =>
      `The download of ${details.what} is larger than the limit of ${details.limit} bytes.`,
    hint: 'Nothing of it was kept. Use a smaller version of the file, or raise `service.maxDownloadBytes`.',
  },

  // Pictures
  'download-not-a-picture': {
    message: (details: { what: string; received: string }) =>
      `${details.what} is no picture that can be shown: the service gave ${details.received}.`,
    hint: 'Nothing of it was kept. <MediaAsset> shows JPEG, PNG, WebP, AVIF, GIF and TIFF.',
  },
  'picture-too-large': {
    message: (details: { what: string; width: number; height: number; limit: number }) =>
      `${details.what} has ${details.width} × ${details.height} pixels, more than the limit of ${details.limit}.`,
    hint: 'Nothing of it was kept. Put a smaller version into the service.',
  },
  'rendition-failed': {
    message: (details: { url: string; id: number; reason: string }) =>
      `${details.url} could not be made from asset ${details.id}: ${details.reason}.`,
    hint: 'Try another `format` or a smaller `width`. If it stays, look at the file in the service.',
  },
  'cache-unusable': {
    message: (details: { path: string }) => `The picture cache ${details.path} is not usable.`,
    hint: 'Check the rights and the free space. The folder can be deleted; it is filled again.',
  },
  'catalogue-broken': {
    message: (details: { path: string; problem: string }) =>
      `The catalogue ${details.path} could not be read: ${details.problem}. A new one was begun.`,
    hint: 'Nothing is lost: pages are rendered anew. If it stays, delete the folder.',
  },
  'custom-format-mismatch': {
    message: (details: { id: number; page: string; expected: string; received: string }) =>
      `${details.page}: for the crop of asset ${details.id} the service gave ${details.received} pixels instead of ${details.expected}.`,
    hint: "The service reads `w` and `h` in another way. Set `crops: 'local'` to cut crops from the original instead.",
  },
  'asset-unknown': {
    message: (details: { assets: readonly UnavailableAsset[] }) =>
      `The service does not know:\n${listUnavailable(details.assets)}`,
    hint: 'Check the id in the service, and that the integration may see the folder.',
  },
  'asset-withdrawn': {
    message: (details: { assets: readonly UnavailableAsset[] }) =>
      `The service no longer gives out:\n${listUnavailable(details.assets)}`,
    hint: "Take the assets off these pages, or restore them in the service. `unavailable: 'warn'` publishes the pages without them.",
  },
  'asset-stale-too-long': {
    message: (details: { id: number; page: string; days: number }) =>
      `${details.page}: asset ${details.id} could not be checked with the service for more than ${details.days} days.`,
    hint: 'Rights may have changed since. Build when the service can be reached, or raise `maxStale`.',
  },
  'rendition-lost': {
    message: (details: { renditions: readonly { url: string; pages: string }[] }) =>
      `The bytes of published pictures can no longer be had:\n${details.renditions.map((lost) => `  - ${lost.url} on ${lost.pages}`).join('\n')}`,
    hint: 'Render the pages anew: `astro build --force`.',
  },
  'service-address-shown': {
    message: (details: { page: string; id: number }) =>
      `${details.page} names asset ${details.id} by the service's own address, which may need a token that visitors do not have.`,
    hint: "Use <MediaAsset> or getMediaAsset(). If the service answers visitors, set `delivery: 'service'`.",
  },
  'rendition-unknown': {
    message: (details: { url: string; page: string }) =>
      `${details.page} names ${details.url}, a picture that no component of this site has issued.`,
    hint: 'Use <MediaAsset> or getMediaAsset() in place of a copied address.',
  },
  'tokenless-refused': {
    message: (details: { url: string; answer: string }) =>
      `A request without a token for ${details.url} was answered with ${details.answer}: visitors may not see this picture.`,
    hint: "`delivery: 'service'` needs a gateway that answers visitors. Use `delivery: 'static'` where there is none.",
  },
  'asset-stale': {
    message: (details: { id: number; checked: string }) =>
      `Asset ${details.id} was taken from the cache, last checked ${details.checked}: the service could not be reached.`,
    hint: 'The next build with the service checks it.',
  },
  'renderer-alone': {
    message: () =>
      'The pages are rendered where the integration cannot be reached: in another process or in workerd.',
    hint: "Add mediaAssets() to the integrations. With Cloudflare, set `cloudflare({ prerenderEnvironment: 'node' })`.",
  },

  // Pages and usages
  'folder-missing': {
    message: (details: { dir: string }) => `There is no folder ${details.dir}.`,
    hint: 'Name the folder of the built site, for example dist.',
  },
  'scan-empty': {
    message: (details: { dir: string; redirects?: number; excluded?: number }) =>
      `There is no HTML page below ${details.dir}${details.redirects || details.excluded ? `, apart from ${details.redirects ?? 0} redirects and ${details.excluded ?? 0} excluded pages` : ''}.`,
    hint: 'Build the site first. No usage was removed.',
  },
  'pages-on-demand': {
    message: (details: { dir: string }) =>
      `There is no page to scan below ${details.dir}: this site renders its pages on demand.`,
    hint: 'No usage was sent and none removed. Prerender the pages whose usages count: `export const prerender = true`.',
  },
  'scan-unreadable': {
    message: (details: { file: string }) => `${details.file} could not be read.`,
    hint: 'No usage was sent. Check the rights of the file, and that no other build is writing it.',
  },
  'scan-too-large': {
    message: (details: { file: string; limit: number }) =>
      `${details.file} is larger than the limit of ${details.limit} bytes.`,
    hint: 'No usage was sent. Split the file, or keep it out of the built site.',
  },
  'page-too-deep': {
    message: (details: { page: string }) =>
      `${details.page} could not be read: its elements are nested too deeply.`,
    hint: 'No usage was sent. Browsers stop at 512 levels; look for tags that are never closed.',
  },
  'page-outside': {
    message: (details: { file: string; dir: string }) =>
      `${details.file} is a symbolic link that leads out of ${details.dir}; it was not read.`,
    hint: 'Put the page itself into the folder if it is published.',
  },
  'page-twice': {
    message: (details: { page: string; files: readonly string[] }) =>
      `${details.page} is built twice: ${details.files.join(' and ')}. Their assets were counted together.`,
    hint: 'A host serves one of them. Remove or rename the other.',
  },
  'page-json-broken': {
    message: (details: { page: string; what: string }) =>
      `${details.page}: ${details.what} could not be read as JSON, and was not searched for assets.`,
    hint: 'Correct the JSON; search engines and browsers cannot read it either.',
  },
  'asset-id-unreadable': {
    message: (details: { page: string; value: string }) =>
      `${details.page}: data-media-asset holds ${show(details.value)}, which is not an asset id.`,
    hint: 'An asset id is a positive integer; several are separated by spaces.',
  },
  'page-not-utf8': {
    message: (details: { page: string; charset: string }) =>
      `${details.page} is not in UTF-8, but in ${details.charset}: its name may be misread.`,
    hint: 'Publish the page as UTF-8.',
  },
  'ledger-missing': {
    message: (details: { path: string }) =>
      `There is no ledger at ${details.path} yet: everything that the pages show is reported.`,
    hint: 'In CI, keep the .media-asset folder from build to build; without it usages that have ended are not found.',
  },
  'ledger-broken': {
    message: (details: { path: string; problem: string; copy: string }) =>
      `The ledger ${details.path} is broken: ${details.problem}. A copy is kept as ${details.copy}.`,
    hint: 'Nothing was sent and nothing overwritten. Bring the file back from an earlier build, or move it away to report everything anew.',
  },
  'ledger-newer': {
    message: (details: { path: string; version: number }) =>
      `The ledger ${details.path} has version ${details.version}, written by a newer astro-media-asset.`,
    hint: 'Nothing was sent. Update astro-media-asset here too.',
  },
  'ledger-foreign': {
    message: (details: { path: string; found: string; expected: string }) =>
      `The ledger ${details.path} belongs to ${details.found}, not to ${details.expected}.`,
    hint: 'Nothing was sent. Give each site its own ledger.',
  },
  'ledger-unreadable': {
    message: (details: { path: string }) => `The ledger ${details.path} could not be read.`,
    hint: 'Nothing was sent. Check the rights of the file.',
  },
  'ledger-unwritable': {
    message: (details: { path: string }) => `The ledger ${details.path} could not be written.`,
    hint: 'What was not recorded is in doubt and is put right by the next run. Check the rights and the free space.',
  },
  'ledger-busy': {
    message: (details: { path: string; owner: string }) =>
      `Another run is reporting with the ledger ${details.path} (${details.owner}).`,
    hint: 'Wait until it has ended, then run `media-asset report` again.',
  },
  'store-unreachable': {
    message: (details: { path: string }) =>
      `The store of the ledger ${details.path} could not be reached, or did not answer in time.`,
    hint: 'Nothing was overwritten, and what has no recorded answer is put right by the next run. Check the address, the credentials and the network.',
  },
  'store-package-missing': {
    message: (details: { path: string; package: string }) =>
      `The ledger ${details.path} needs the package ${details.package}, which could not be loaded.`,
    hint: 'Nothing was sent. Install it beside astro-media-asset: npm install redis.',
  },
  'store-unknown': {
    message: (details: { store: 'redis' | 'unstorage' }) =>
      `The build keeps its ledger in ${details.store === 'redis' ? 'Redis, whose address is not known here' : 'a storage of unstorage, which only the build can open'}.`,
    hint: "Nothing was sent. Set MEDIA_ASSET_STATE_URL to the address of Redis; with unstorage, let the build itself report (`report: { when: 'always' }`).",
  },
  'store-best-effort': {
    message: (details: { path: string }) =>
      `The store of the ledger ${details.path} cannot replace a value only where it is unchanged: runs are kept apart as well as it allows, but not for certain.`,
    hint: 'Let one build report at a time (a concurrency group), or keep the ledger in Redis or in a file.',
  },
  'removals-held': {
    message: (details: { removals: number; known: number; limit: number }) =>
      `${details.removals} of ${details.known} known usages would be removed, more than the guard allows (${details.limit}). They are held.`,
    hint: 'If the pages are really gone, run once with --allow-removals, or with MEDIA_ASSET_ALLOW_REMOVALS=1.',
  },
  'usage-refused': {
    message: (details: { page: string; id: number; status: number; answer: string }) =>
      `The service refused the usage of asset ${details.id} on ${details.page} with ${details.status}${details.answer && `: ${details.answer}`}.`,
    hint: 'Check the asset in the service. The usage is tried again with the next run.',
  },
  'usage-unsent': {
    message: (details: { unsent: number; reason: string }) =>
      `${countOf(details.unsent, 'usage')} could not be sent: ${details.reason}`,
    hint: 'They are kept, and the next run sends them.',
  },
  'usage-unsent-too-long': {
    message: (details: { unsent: number; days: number; since: string }) =>
      `${countOf(details.unsent, 'usage')} waiting since ${details.since}, longer than ${details.days} days.`,
    hint: "The service's list is out of date. Run `media-asset report` when the service can be reached.",
  },
  'build-unfinished': {
    message: (details: { site: string }) => `The last build of ${details.site} was not finished.`,
    hint: 'Its folder may lack pages: nothing was sent, nothing removed. Build the site again.',
  },
  'rules-missing': {
    message: () =>
      'The address of the site is not known: there is no --site, and no .media-asset/build.json here.',
    hint: 'Pass --site https://www.example.org, or run the command in the folder where the site was built.',
  },
  'rules-broken': {
    message: (details: { path: string; problem: string }) =>
      `The rules of the build in ${details.path} could not be read: ${details.problem}.`,
    hint: 'Build the site again; the build writes them.',
  },
  'rules-unwritable': {
    message: (details: { path: string }) => `The build's rules ${details.path} were not written.`,
    hint: 'Check the rights and the free space.',
  },
  'markdown-unwritable': {
    message: (details: { path: string; problem: string }) =>
      `The Markdown about the usages could not be written to ${details.path}: ${details.problem}.`,
    hint: 'What was sent is recorded all the same. Check the path, the rights and the free space.',
  },
  'usages-not-listed': {
    message: (details: { service: string; status: number }) =>
      `The service ${details.service} does not list usages: each list was answered with ${details.status}.`,
    hint: 'Nothing was changed. Bring the ledger back from an earlier build or the store; where there is none, `media-asset report` reports everything anew, and usages that have ended are removed in the service by hand.',
  },
  'usage-asset-unlisted': {
    message: (details: { id: number; status: number }) =>
      `The usages of asset ${details.id} could not be listed: the service answered with ${details.status}.`,
    hint: 'The asset may be gone. What the ledger holds about it was left as it is.',
  },
  'usages-not-removed': {
    message: (details: { pairs: number }) =>
      `The service accepts removals, and still lists ${countOf(details.pairs, 'usage')} as often as before.`,
    hint: 'Remove the repeated usages in the service by hand, then run `media-asset reconcile` again.',
  },
  'command-usage': {
    message: (details: { problem: string }) => details.problem,
    hint: 'See media-asset --help.',
  },

  // The emulator
  'emulator-media-missing': {
    message: (details: { folder: string }) => `There is no media folder ${details.folder}.`,
    hint: 'Name a folder with pictures: media-asset emulator --media <folder> --data <folder>.',
  },
  'emulator-data-unusable': {
    message: (details: { folder: string; problem: string }) =>
      `The emulator's data folder ${details.folder} can't be used: ${details.problem}.`,
    hint: 'Check the rights and the free space, or name another folder: --data <folder>.',
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
} satisfies Record<string, { message: (details: never) => string; hint: string }>;
