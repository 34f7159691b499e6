import pLimit from 'p-limit';

/** What visitors get at a URL. */
export interface LiveAnswer {
  readonly url: string;
  /** `null` without an answer. */
  readonly status: number | null;
  /** Whether the server says that nothing is there: 404 or 410. */
  readonly gone: boolean;
  /** Why there is no answer. */
  readonly reason?: string;
}

const atOnce = 8;

/** Time limit for one URL, in ms. */
const timeout = 20_000;

/** Requests each URL as a visitor does: without credentials, and with redirects. */
export async function askLiveSite(
  urls: readonly string[],
  {
    onProgress,
    fetch = globalThis.fetch,
  }: { onProgress: (done: number, total: number) => void; fetch?: typeof globalThis.fetch },
): Promise<LiveAnswer[]> {
  const limit = pLimit(atOnce);
  let done = 0;
  return Promise.all(
    urls.map((url) =>
      limit(async () => {
        const answer = await ask(url, fetch);
        done += 1;
        onProgress(done, urls.length);
        return answer;
      }),
    ),
  );
}

async function ask(url: string, fetch: typeof globalThis.fetch): Promise<LiveAnswer> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeout) });
    await response.body?.cancel();
    const { status } = response;
    return { url, status, gone: status === 404 || status === 410 };
  } catch (thrown) {
    const { cause = thrown } = thrown as { cause?: unknown };
    const reason = cause instanceof Error ? cause.message : String(cause);
    return { url, status: null, gone: false, reason };
  }
}
