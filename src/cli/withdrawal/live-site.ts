import { type Duplex, pipeline, Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import zlib from 'node:zlib';
import { detectedBytes, detectFileType } from '../../assets/formats/detect-file-type.ts';
import { assetUrlReader } from '../../scan/extract/asset-url.ts';
import { readPage } from '../../scan/read/read-page.ts';
import { scanPage } from '../../scan/scan-page.ts';
import { readUpTo } from '../../service/http/read-answer.ts';
import { codingOf, sendRequest } from '../../service/http/send-request.ts';
import { sha256 } from '../../storage/digest.ts';
import { errorCode } from '../../storage/file-problems.ts';
import {
  folderOf,
  isPage,
  newestFirst,
  type PublicationHistory,
  type Published,
} from '../../usage/ledger/publication-history.ts';

/** What visitors get at a URL. */
export interface LiveState {
  /** `null` without an answer. */
  readonly status: number | null;
  /** For a file: nothing is there anymore. For a page: it doesn't name the asset anymore. */
  readonly gone: boolean;
  /** Why that isn't proved, if the status doesn't say it. */
  readonly reason?: string;
}

/** No error page is longer, in bytes. */
const longestError = 1024 * 1024;
/** No page is longer, in bytes. */
const longestPage = 32 * 1024 * 1024;

const mostRedirects = 5;

/** How many URLs that should be online are requested, until one is. */
const mostControls = 3;

const isMissing = (status: number) => status === 404 || status === 410;

/** How a browser asks. CDNs keep an answer for each coding, and hosts can refuse those without a page. */
interface Way {
  /** `image`: on a page. `page`: opened by itself. */
  readonly kind: 'image' | 'page';
  /** `Accept-Encoding`. */
  readonly coding: string | undefined;
}

const codings = ['gzip, deflate, br, zstd', 'gzip', undefined];
const waysOf = (kind: Way['kind']) => codings.map((coding): Way => ({ kind, coding }));

function labelOf({ kind, coding }: Way): string {
  const opened = kind === 'page' ? 'to someone who opens it, ' : '';
  return `${opened}with ${coding ? `the codings ${coding}` : 'no coding'}`;
}

/**
 * Looks at a site like a visitor's browser. A 404 proves something only if the host gives out what is
 * known to be online to the same request: a build's stamp in the same folder. On the service's own
 * server, it's another asset.
 *
 * @param service its base URL
 */
export function createLiveSite(history: PublicationHistory, service: string) {
  const newest = newestFirst(history);
  const visited = newest.filter(isPage).map(({ url }) => url);

  /** Hosts can give images to visitors of their own pages alone. A CDN has none. */
  function request(url: string, way: Way, maxBytes: number): Promise<LiveAnswer> {
    const host = `${new URL(url).origin}/`;
    const from = visited.find((page) => page.startsWith(host)) ?? visited[0];
    return requestFrom(way.kind === 'image' ? from : undefined, url, { way, maxBytes });
  }
  const stamps = newest.filter(({ kind }) => kind === 'stamp');
  const doubts = new Map<string, Promise<string>>();

  /** Why a 404 to the same request proves nothing; empty if it proves that nothing is there. */
  function doubtOf(controls: readonly Published[], way: Way): Promise<string> {
    const asked = controls.slice(0, mostControls);
    const key = [labelOf(way), ...asked.map(({ url }) => url)].join(' ');
    const known = doubts.get(key) ?? findDoubt(asked, way).catch(reasonOf);
    doubts.set(key, known);
    return known;
  }

  async function findDoubt(controls: readonly Published[], way: Way): Promise<string> {
    const found: string[] = [];
    for (const { url, hash } of controls) {
      const { status, body } = await request(url, way, longestPage);
      if (status === 200 && body && (hash ? sha256(body).startsWith(hash) : isImage(body)))
        return '';
      found.push(`${url} answers ${status}${status === 200 ? ' with something else' : ''}`);
    }
    return found.length === 0
      ? 'it proves nothing, because nothing else is known there'
      : `it proves nothing, because ${found.join(', and ')} ${labelOf(way)}`;
  }

  function controlsOf({ id, url, hash }: Published): Published[] {
    const own = stamps.filter((stamp) => url.startsWith(folderOf(stamp)));
    // Without a hash, the file isn't in a build's output.
    if (own.length > 0 || hash !== '') return own;
    const host = `${new URL(url).origin}/`;
    return newest.filter(
      (one) => one.kind === 'file' && one.hash === '' && one.id !== id && one.url.startsWith(host),
    );
  }

  async function judgeFile(file: Published, way: Way): Promise<Judgement> {
    const answer = await request(file.url, way, longestError);
    const { status } = answer;
    if (!isMissing(status)) {
      const isFirst = way.kind === 'image' && way.coding === codings[0];
      return { status, doubt: redirectOf(answer) || (isFirst ? '' : labelOf(way)), gone: false };
    }
    const content = contentOf(answer, file.hash);
    return { status, doubt: content || (await doubtOf(controlsOf(file), way)) };
  }

  async function judgePage(page: string, id: number, way: Way): Promise<Judgement> {
    const { url, ...answer } = await follow(page, (at) => request(at, way, longestPage));
    const { status, body, type, charset } = answer;
    if (status !== 200 && !isMissing(status)) {
      return { status, doubt: redirectOf(answer), gone: false };
    }
    if (!body) return { status, doubt: 'it is too long to be read' };
    if (status === 200 && !/^(text\/html|application\/xhtml\+xml)$/.test(type)) {
      return { status, doubt: `it isn't HTML, but ${type || 'of no type'}` };
    }
    if (!isReadable.test(charset)) return { status, doubt: `its encoding ${charset} isn't read` };
    if (await names(body, { page: url, id, service })) {
      return { status, doubt: 'it still names the asset' };
    }
    const { origin } = new URL(page);
    const controls = stamps.filter((stamp) => stamp.url.startsWith(`${origin}/`));
    return { status, doubt: await doubtOf(controls, way) };
  }

  return {
    file: (file: Published) =>
      toState([...waysOf('image'), ...waysOf('page')], (way) => judgeFile(file, way)),
    page: (page: string, id: number) => toState(waysOf('page'), (way) => judgePage(page, id, way)),
  };
}

interface Judgement {
  readonly status: number;
  readonly doubt: string;
  readonly gone?: false;
}

/** It's gone if it's gone in every way. */
async function toState(
  ways: readonly Way[],
  judge: (way: Way) => Promise<Judgement>,
): Promise<LiveState> {
  let last: number | null = null;
  try {
    for (const way of ways) {
      const { status, doubt, gone = doubt === '' } = await judge(way);
      if (!gone) return { status, gone, ...(doubt && { reason: doubt }) };
      last = status;
    }
    return { status: last, gone: true };
  } catch (thrown) {
    return { status: null, gone: false, reason: reasonOf(thrown) };
  }
}

/** Follows what is permanent and on the same host. A sign-in page is reached in other ways. */
async function follow(
  page: string,
  request: (url: string) => Promise<LiveAnswer>,
): Promise<LiveAnswer & { url: string }> {
  for (let [url, redirects] = [page, 0]; ; redirects += 1) {
    const answer = await request(url);
    const { status, location = '' } = answer;
    const next = URL.parse(location, url);
    const isFollowed = (status === 301 || status === 308) && redirects < mostRedirects;
    if (!isFollowed || next?.host !== new URL(url).host) return { ...answer, url };
    url = next.href;
  }
}

/** Encodings in which IDs and URLs are ASCII. Others are known by a byte order mark, or not read. */
const isReadable = /^(?:|utf-?8|us-ascii|ascii|iso-8859-\d+|latin-?1|windows-125\d)$/;

/** Whether a page names an asset: as the scan of a build reads it, or anywhere in its text. */
async function names(
  body: Buffer,
  { page, id, service }: { page: string; id: number; service: string },
): Promise<boolean> {
  const assetUrls = assetUrlReader({ site: page, service });
  const read = readPage(body, page);
  if (assetUrls.named(read.text).includes(id)) return true;
  const scan = scanPage({ ...read, elements: read.elements(), page, assetUrls });
  return scan?.usage.assets.includes(id) ?? false;
}

/** What the body of a 404 has that an error page doesn't; empty for an error page. */
function contentOf({ type, body }: LiveAnswer, hash: string): string {
  if (!body) return 'its body is longer than an error page';
  if (body.length === 0) return '';
  if (hash && sha256(body).startsWith(hash)) return 'its body is the asset';
  if (/^(image|video|audio)\//.test(type)) return `its body is of type ${type}`;
  const isText = typeOf(body).extension === 'txt' && !isImage(body);
  return isText ? '' : "its body is a file, and isn't an error page";
}

function isImage(body: Buffer): boolean {
  return typeOf(body).guarded.some(({ kind }) => kind === 'picture' || kind === 'svg');
}

function typeOf(body: Buffer) {
  const start = body.subarray(0, detectedBytes);
  return detectFileType({ start, declared: undefined, filename: undefined });
}

function redirectOf({ status, location }: LiveAnswer): string {
  const isRedirect = status >= 300 && status < 400 && status !== 304;
  return isRedirect ? `it redirects to ${location ?? 'nowhere'}` : '';
}

function reasonOf(thrown: unknown): string {
  const { cause = thrown } = thrown as { cause?: unknown };
  // Without a message, it's the failure of several addresses of one host.
  return (cause instanceof Error && cause.message) || (errorCode(cause) ?? String(cause));
}

interface LiveAnswer {
  readonly status: number;
  /** Without parameters, in lower case. Empty without one. */
  readonly type: string;
  /** Of the type, in lower case. Empty without one. */
  readonly charset: string;
  readonly location: string | undefined;
  /** Without its content coding. `undefined` if it's longer than the limit. */
  readonly body: Buffer | undefined;
}

/** Time limit for one answer with its body, in ms. */
const timeout = 20_000;

/** The headers of a current Chromium. Without `Cache-Control`, a CDN's cache answers. */
const browser = {
  'sec-ch-ua': '"Not:A-Brand";v="8", "Chromium";v="156"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Linux"',
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  'accept-language': 'en-US,en;q=0.9',
};
const headers: Readonly<Record<Way['kind'], Record<string, string>>> = {
  image: {
    ...browser,
    accept: 'image/jxl,image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
    'sec-fetch-dest': 'image',
    'sec-fetch-mode': 'no-cors',
  },
  page: {
    ...browser,
    accept:
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/jxl,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
    'sec-fetch-dest': 'document',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-user': '?1',
    'upgrade-insecure-requests': '1',
  },
};

/** Browsers tell another origin only the origin of the page. */
function refererOf(url: string, page: string | undefined): Record<string, string> {
  if (page === undefined) return { 'sec-fetch-site': 'none' };
  const { origin } = new URL(page);
  return origin === new URL(url).origin
    ? { referer: page, 'sec-fetch-site': 'same-origin' }
    : { referer: `${origin}/`, 'sec-fetch-site': 'cross-site' };
}

/** Of codings that the answer still has. Node has zstd from 22.15 on. */
const decoders: Readonly<Record<string, (() => Duplex) | undefined>> = {
  deflate: zlib.createInflate,
  br: zlib.createBrotliDecompress,
  zstd: zlib.createZstdDecompress,
};

/** Requests a URL once like a browser that shows `page`, without following redirects. */
async function requestFrom(
  page: string | undefined,
  url: string,
  { way: { kind, coding: accepted }, maxBytes }: { way: Way; maxBytes: number },
): Promise<LiveAnswer> {
  const signal = AbortSignal.timeout(timeout);
  const sent = {
    ...{ ...headers[kind], ...refererOf(url, page) },
    ...(accepted && { 'accept-encoding': accepted }),
  };
  const response = await sendRequest(new URL(url), { headers: sent, signal });
  const coding = codingOf(response.headers) ?? 'gzip';
  const decoder = decoders[coding]?.();
  if (!decoder && coding !== 'gzip') {
    await response.body?.cancel();
    throw new Error(`The answer has the content coding ${coding}, which can't be read here.`);
  }
  const received = Readable.fromWeb((response.body ?? new Response('').body) as NodeReadableStream);
  const decoded = decoder ? pipeline(received, decoder, () => {}) : received;
  const { bytes, isComplete } = await readUpTo(decoded, maxBytes);
  const [type = '', ...parameters] = (response.headers.get('content-type') ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((one) => one.startsWith('charset='))?.slice('charset='.length);
  return {
    status: response.status,
    type,
    charset: charset?.replaceAll('"', '') ?? '',
    location: response.headers.get('location') ?? undefined,
    body: isComplete ? bytes : undefined,
  };
}
