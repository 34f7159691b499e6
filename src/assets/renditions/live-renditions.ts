import pLimit from 'p-limit';
import { type Finding, finding } from '../../errors/errors.ts';
import { readUpTo } from '../../service/http/read-answer.ts';
import { sendRequest } from '../../service/http/send-request.ts';
import { sha256 } from '../../storage/digest.ts';

/** A rendition that visitors get. */
export interface PublishedRendition {
  readonly url: string;
  /** The first digits of its bytes' SHA-256, in hexadecimal. */
  readonly hash: string;
}

export type LiveRenditions = ReturnType<typeof createLiveRenditions>;

const requestsAtOnce = 16;

/** Time limit for one file, in ms. Making it would take about as long. */
const timeLimit = 10_000;

/** In bytes. Larger renditions are made here. */
const largest = 32 * 1024 * 1024;

/** After this many failures in a row, no more files are requested. */
const mostFailures = 10;

/**
 * Takes renditions from the live site instead of making them. Only bytes with the published hash count.
 * If the site can't be used, the rest is made here.
 */
export function createLiveRenditions(site: {
  /** By rendition key. Called once there is something to take. */
  published: () => Promise<ReadonlyMap<string, PublishedRendition>>;
  onFinding: (finding: Finding) => void;
}) {
  const { published, onFinding } = site;
  const limit = pLimit(requestsAtOnce);
  const taken = new Set<string>();
  let files: ReturnType<typeof published> | undefined;
  let isOver = false;
  /** In a row. */
  let failures = 0;

  /** @param problem of the site; by default, only this image isn't there */
  function fail(url: string, problem?: string): void {
    failures += 1;
    const isUseless = problem !== undefined && taken.size === 0;
    if (isOver || (!isUseless && failures < mostFailures)) return;
    isOver = true;
    const details = { url, problem: problem ?? 'not there as it was published' };
    onFinding(finding('notice', 'live-site-unusable', details));
  }

  async function ask(key: string, { url, hash }: PublishedRendition): Promise<Buffer | undefined> {
    if (isOver) return undefined;
    try {
      const { problem, body } = await request(new URL(url));
      if (body && sha256(body).startsWith(hash)) {
        taken.add(key);
        failures = 0;
        return body;
      }
      fail(url, problem);
    } catch (thrown) {
      fail(url, `no answer (${thrown instanceof Error ? thrown.message : String(thrown)})`);
    }
    return undefined;
  }

  return {
    /** `undefined` if the live site doesn't have it. */
    async take(key: string): Promise<Buffer | undefined> {
      files ??= published();
      const file = (await files).get(key);
      return file && limit(() => ask(key, file));
    },
    has: (key: string) => taken.has(key),
    count: () => taken.size,
  };
}

/** Follows no redirect: it would lead to a sign-in page, or to another site. */
async function request(url: URL): Promise<{ problem?: string; body?: Buffer }> {
  const signal = AbortSignal.timeout(timeLimit);
  // With a list of image types, some hosts convert images.
  const headers = { 'user-agent': 'astro-media-asset' };
  const { status, headers: answered, body } = await sendRequest(url, { headers, signal });
  const isPage = /html/i.test(answered.get('content-type') ?? '');
  if (status !== 200 || isPage) {
    await body?.cancel();
    if (status === 404 || status === 410) return {};
    return { problem: status === 200 ? 'an HTML page instead of an image' : `status ${status}` };
  }
  const { bytes, isComplete } = await readUpTo(body, largest);
  return isComplete ? { body: bytes } : {};
}
