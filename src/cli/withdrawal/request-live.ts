import { codingOf, sendRequest } from '../../service/http/send-request.ts';

/** A host's answer to a visitor's browser. */
export interface LiveAnswer {
  readonly status: number;
  /** Without parameters, in lower case. Empty without one. */
  readonly type: string;
  readonly location: string | undefined;
  /** Without its content coding. `undefined` if it's longer than the limit. */
  readonly body: Buffer | undefined;
}

/** What a browser fetches: an image in a page, or the page itself. */
export type LiveKind = 'image' | 'page';

export type RequestLive = (url: string, kind: LiveKind, maxBytes: number) => Promise<LiveAnswer>;

/** Time limit for one answer with its body, in ms. */
const timeout = 20_000;

/**
 * The headers of a current Chrome. It has no `Cache-Control`, because visitors get what a CDN has in
 * its cache.
 */
const browser = {
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'accept-language': 'en-US,en;q=0.9',
  'accept-encoding': 'gzip',
};
const headers: Readonly<Record<LiveKind, Record<string, string>>> = {
  image: {
    ...browser,
    accept: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
    'sec-fetch-dest': 'image',
    'sec-fetch-mode': 'no-cors',
    'sec-fetch-site': 'same-origin',
  },
  page: {
    ...browser,
    accept:
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8',
    'sec-fetch-dest': 'document',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-site': 'none',
    'sec-fetch-user': '?1',
    'upgrade-insecure-requests': '1',
  },
};

/** Requests a URL once like a browser, without following redirects. */
export const requestLive: RequestLive = async (url, kind, maxBytes) => {
  const signal = AbortSignal.timeout(timeout);
  const response = await sendRequest(new URL(url), { headers: headers[kind], signal });
  const coding = codingOf(response.headers);
  if (coding !== undefined && coding !== 'gzip') {
    await response.body?.cancel();
    throw new Error(`The answer has the content coding ${coding}, which wasn't asked for.`);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    // Leaving the loop ends the connection.
    if (length > maxBytes) break;
  }
  return {
    status: response.status,
    type: response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '',
    location: response.headers.get('location') ?? undefined,
    body: length > maxBytes ? undefined : Buffer.concat(chunks),
  };
};
