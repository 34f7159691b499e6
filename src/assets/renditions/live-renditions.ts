import pLimit from 'p-limit';
import { type Finding, finding } from '../../errors/errors.ts';
import { sendRequest } from '../../service/http/send-request.ts';
import { sha256 } from '../store/asset-facts.ts';

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

/** After this many failures in a row, or misses at the start, no more files are requested. */
const mostFailures = 10;

/**
 * Takes renditions from the live site instead of making them. Only bytes with the published hash count.
 * If the site can't be used, one request shows it, and the rest is made here.
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
  let first: Promise<unknown> | undefined;
  let isOver = false;
  /** In a row. */
  let failures = 0;
  let misses = 0;

  function stop(url: string, problem: string): void {
    if (!isOver) onFinding(finding('notice', 'live-site-unusable', { url, problem }));
    isOver = true;
  }

  /** A site that has given out nothing yet isn't asked again. */
  function fail(url: string, problem: string): void {
    failures += 1;
    if (taken.size === 0 || failures === mostFailures) stop(url, problem);
  }

  /** Single images can be missing, as after a deploy that failed. */
  function miss(url: string): void {
    misses += 1;
    if (taken.size > 0 || misses < mostFailures) return;
    stop(url, `the first ${mostFailures} images aren't there as they were published`);
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
      if (body) onFinding(finding('warning', 'rendition-differs', { url }));
      if (problem) fail(url, problem);
      else miss(url);
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
      if (!file) return undefined;
      if (first) await first;
      const asked = limit(() => ask(key, file));
      first ??= asked;
      return asked;
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
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop ends the connection.
    if (size > largest) return {};
  }
  return { body: Buffer.concat(chunks) };
}
