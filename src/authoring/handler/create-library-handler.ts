import { resolve4, resolve6 } from 'node:dns/promises';
import type { z } from 'zod';
import { listedRecords, recordRule } from '../../assets/records/records.ts';
import { type I18n, siteLanguages } from '../../config/languages.ts';
import { url as address } from '../../config/option-values.ts';
import { type OptionsInput, resolveOptions } from '../../config/options.ts';
import { serviceSettings } from '../../config/service-settings.ts';
import { noticeOf } from '../../errors/author-words.ts';
import { type Code, isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import type { StoredTokens } from '../../service/auth/token-store.ts';
import { createMediaService } from '../../service/client.ts';
import { isLoopbackHost } from '../../service/http/addresses.ts';
import type { Credentials, MediaServiceOptions } from '../../service/service-options.ts';
import { pause } from '../../storage/pause.ts';
import { openLibrary } from '../toolbar/library.ts';
import * as protocol from '../toolbar/protocol.ts';
import { previewBody } from './preview-body.ts';
import { sealedCookies } from './sealed-cookies.ts';
import { signInPage } from './sign-in-page.ts';

export interface LibraryHandlerOptions extends Pick<OptionsInput, 'service' | 'record' | 'rights'> {
  /** The public URL of the handler, such as `https://www.example.org/api/media`. */
  readonly url: string;
  /** At least 32 random characters, with which sessions are encrypted. */
  readonly cookieSecret: string;
  /** As in the Astro config. */
  readonly i18n?: I18n | undefined;
  /**
   * The path of an image that the service makes of an asset, below its base URL. Widths are 320 and 1600 px.
   * @default the original, if a browser can show it
   */
  readonly preview?: (id: number, width: number) => string;
}

/** Who has signed in, in a cookie. */
interface EditorSession {
  readonly access: string;
  readonly refresh: string | undefined;
  /** When its tokens are from, and when they're to be renewed, in ms since the epoch. */
  readonly since: number;
  readonly renewAt: number | undefined;
}

/** In ms. */
const [sessionLength, signInLength, readingTime] = [8 * 3_600_000, 600_000, 20_000];
const mostLibraries = 50;
/** The largest originals that stand for a preview, in bytes. */
const largest = { 320: 1_000_000, 1600: 25_000_000 };

/**
 * Creates a function that answers the picker of a CMS on the site's own host: `(request) => response`.
 * Editors sign in to the service themselves, and can only read.
 *
 * @throws `options-invalid`, `service-not-configured`
 */
export function createLibraryHandler(options: LibraryHandlerOptions) {
  const { cookieSecret, i18n, preview, url: given, ...site } = options;
  const url = URL.parse(address.safeParse(given).data ?? '');
  const isSafe = url?.protocol === 'https:' || isLoopbackHost(url?.hostname ?? '');
  const isSecret = String(cookieSecret ?? '').length >= 32;
  const problems = [
    url && isSafe ? [] : 'url: expected the https URL of the handler',
    isSecret ? [] : 'cookieSecret: expected at least 32 random characters',
  ].flat();
  if (!url || problems.length > 0) throw mediaAssetError('options-invalid', { problems });
  const resolved = resolveOptions(site, {});
  const { credentials: _, tokens: __, ...client } = serviceSettings(resolved, { signIn: true });
  const rule = recordRule(resolved);
  const languages = siteLanguages({ i18n, base: '/' });
  const root = `${url.pathname.replace(/\/$/, '')}/_media-asset/`;
  const redirectUri = `${url.origin}${root}callback`;
  const cookies = sealedCookies(cookieSecret, url.href);
  /** Those that no request uses, by access token. */
  const libraries = new Map<string, ReturnType<typeof open>>();

  const connect = (credentials: Credentials, own: Partial<MediaServiceOptions> = {}) =>
    createMediaService({ ...client, ...runtime(), onFinding() {}, credentials, ...own });
  const asEditor = ({ access }: EditorSession, own?: Partial<MediaServiceOptions>) =>
    connect({ kind: 'access-token', accessToken: access }, own);

  function open(session: EditorSession) {
    const service = asEditor(session);
    const records = rule && listedRecords(rule, { service, languages, now: Date.now });
    const { folders, files, search } = service;
    const describeRecord = records?.describe ?? (async () => undefined);
    const images = { listedRecords: records, describeRecord };
    const { concurrency } = client;
    return openLibrary({ service: { folders, files, search }, images, languages, concurrency });
  }

  /** Answers once, because the next request can meet another process. */
  async function assets(request: protocol.AssetsRequest, session: EditorSession) {
    const library = libraries.get(session.access) ?? open(session);
    libraries.delete(session.access);
    const end = Date.now() + readingTime;
    let answer = await library.assets({ ...request, again: false });
    while (answer.isReading && Date.now() < end) {
      await pause(50);
      answer = await library.assets({ ...request, again: true });
    }
    if (answer.failure?.code === 'request-unauthorized')
      throw mediaAssetError('session-stale', undefined);
    if (answer.isReading) {
      const failure = noticeOf(mediaAssetError('library-unfinished', undefined));
      return { ...answer, isReading: false, failure: answer.failure ?? failure };
    }
    libraries.set(session.access, library);
    for (const oldest of [...libraries.keys()].slice(0, -mostLibraries)) libraries.delete(oldest);
    return answer;
  }

  async function image(
    { id, width }: z.output<typeof protocol.imageRequest>,
    session: EditorSession,
    { signal }: Request,
  ): Promise<Response> {
    const { files } = asEditor(session, { maxDownloadBytes: largest[preview ? 1600 : width] });
    const path = preview?.(id, width);
    const opened =
      path === undefined ? files.original(id, { signal }) : files.preview(id, path, { signal });
    const download = await opened.catch((thrown) => {
      if (!isMediaAssetError(thrown, 'download-too-large')) throw thrown;
      throw mediaAssetError('preview-missing', { id, kind: 'too large' });
    });
    if (download.status !== 'received') throw new Error('A whole image was asked for.');
    const { body, type } = await previewBody(id, download.body);
    const whole = path === undefined && { 'x-media-asset-original': '1' };
    return send(body, 200, { 'content-type': type, ...whole });
  }

  async function start(tokens: StoredTokens, until = Date.now() + sessionLength) {
    const { accessToken: access, refreshToken: refresh, obtainedAt: since, expiresAt } = tokens;
    const renewAt = expiresAt && expiresAt - Math.min(60_000, (expiresAt - since) / 10);
    const session: EditorSession = { access, refresh, since, renewAt };
    return cookies.write('session', session, until);
  }

  async function signIn(): Promise<Response> {
    const state = crypto.randomUUID();
    const set = await cookies.write('state', { state }, Date.now() + signInLength);
    const service = connect({ kind: 'authorization-code' });
    const location = service.signIn.authorizationUrl({ redirectUri, state });
    return send(null, 303, { location, 'referrer-policy': 'no-referrer' }, set);
  }

  async function callback(request: Request): Promise<Response> {
    const set = cookies.clear('state');
    let failure: unknown;
    try {
      const { state = '' } = (await cookies.read<{ state: string }>('state', request))?.value ?? {};
      // Who else could end a sign-in that no one has begun?
      if (!state) throw mediaAssetError('sign-in-callback-invalid', { problem: 'no sign-in' });
      const callbackUrl = `${redirectUri}${new URL(request.url).search}`;
      const { signIn } = connect({ kind: 'authorization-code' });
      set.push(...(await start(await signIn.exchangeCode({ callbackUrl, redirectUri, state }))));
    } catch (thrown) {
      failure = thrown;
    }
    const { body, status, policy } = signInPage(failure);
    const type = { 'content-type': 'text/html; charset=utf-8', 'referrer-policy': 'no-referrer' };
    return send(body, status, { ...type, 'content-security-policy': policy }, set);
  }

  function assertOwn({ headers }: Request): void {
    const [from, origin] = [headers.get('sec-fetch-site'), headers.get('origin')];
    const isOwn =
      (from === null || from === 'same-origin') &&
      (origin === null || origin === url?.origin) &&
      headers.has('x-media-asset-toolbar');
    if (!isOwn) throw mediaAssetError('toolbar-refused', undefined);
  }

  /** Only one route renews, and the browser asks it once at a time: a refresh token may work once. */
  async function renew(held: EditorSession, until: number): Promise<Response> {
    if (held.refresh === undefined) throw mediaAssetError('sign-in-required', undefined);
    const { signIn } = connect({ kind: 'authorization-code' });
    const tokens = await signIn.renew(held.refresh).catch((thrown) => {
      if (!isMediaAssetError(thrown, 'credentials-refused')) throw thrown;
      throw mediaAssetError('sign-in-required', undefined);
    });
    const next = { ...tokens, refreshToken: tokens.refreshToken ?? held.refresh };
    return json({}, 200, await start(next, until));
  }

  type AnswerTo = ReturnType<typeof protocol.parsed<never, [EditorSession, Request]>>;
  const answers: Record<string, AnswerTo> = {
    'folders.json': protocol.parsed(protocol.noRequest, (_, session) => open(session).folders()),
    'assets.json': protocol.parsed(protocol.assetsRequest, assets),
    'asset.json': protocol.parsed(protocol.assetRequest, (asked, by) => open(by).asset(asked)),
    'image.webp': protocol.parsed(protocol.imageRequest, image),
  };

  async function answer(request: Request, name: string): Promise<Response> {
    const query = new URL(request.url).searchParams;
    if (name === 'callback') return callback(request);
    if (name === 'sign-in') {
      if (request.headers.get('sec-fetch-site') !== 'cross-site') return signIn();
      throw mediaAssetError('toolbar-refused', undefined);
    }
    assertOwn(request);
    if (name === 'sign-out') return json({}, 200, cookies.clear('session'));
    const held = await cookies.read<EditorSession>('session', request);
    if (!held) throw mediaAssetError('sign-in-required', undefined);
    const { value: session, until } = held;
    const isStale = (session.renewAt ?? Number.POSITIVE_INFINITY) <= Date.now();
    if (name === 'session.json') {
      const isRefused = query.get('after') === String(session.since);
      return isStale || isRefused ? renew(session, until) : json({});
    }
    try {
      if (isStale) throw mediaAssetError('session-stale', undefined);
      const value = await answers[name]?.(Object.fromEntries(query), session, request);
      return value instanceof Response ? value : json(value);
    } catch (thrown) {
      if (!isMediaAssetError(thrown, 'session-stale', 'request-unauthorized')) throw thrown;
      const error = noticeOf(mediaAssetError('session-stale', undefined));
      return json({ error, after: session.since }, 401);
    }
  }

  return async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const name = pathname.startsWith(root) ? pathname.slice(root.length).replace(/\/$/, '') : '';
    const isKnown = Object.hasOwn(answers, name) || otherRoutes.includes(name);
    const method = name === 'sign-out' ? 'POST' : 'GET';
    const fail = (status: number, thrown: unknown) => json({ error: noticeOf(thrown) }, status);
    try {
      const invalid = (problem: string) => mediaAssetError('toolbar-request-invalid', { problem });
      if (!isKnown) return fail(404, invalid('unknown path'));
      if (request.method !== method) return fail(405, invalid(`expected ${method}`));
      return await answer(request, name);
    } catch (thrown) {
      if (isMediaAssetError(thrown)) return fail(statuses[thrown.code] ?? 409, thrown);
      console.error(thrown);
      return fail(500, 'Something went wrong on this website.');
    }
  };
}

const otherRoutes = ['session.json', 'sign-in', 'callback', 'sign-out'];

const statuses: Partial<Record<Code, number>> = {
  'sign-in-required': 401,
  'toolbar-refused': 403,
  'toolbar-request-invalid': 400,
  'preview-missing': 415,
};

const json = (value: unknown, status = 200, cookies: readonly string[] = []) =>
  send(JSON.stringify(value), status, { 'content-type': 'application/json' }, cookies);

function send(
  body: string | ReadableStream | null,
  status: number,
  given: Record<string, string>,
  cookies: readonly string[] = [],
): Response {
  const headers = new Headers({
    'cache-control': 'private, no-store',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'x-media-asset-handler': '1',
    'x-content-type-options': 'nosniff',
    ...given,
  });
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return new Response(body, { status, headers });
}

/** Cloudflare's runtime has neither the requests of `node:http` nor the system's resolver. */
function runtime(): Partial<MediaServiceOptions> {
  if (globalThis.navigator?.userAgent !== 'Cloudflare-Workers') return {};
  const lookup = async (host: string) => {
    const found = await Promise.allSettled([resolve4(host), resolve6(host)]);
    return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  };
  return { fetch: (...request) => fetch(...request), lookup };
}
