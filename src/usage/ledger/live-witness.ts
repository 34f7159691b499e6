import { isLoopbackHost } from '../../service/http/addresses.ts';
import { readBody } from '../../service/http/read-answer.ts';
import { type SendRequest, sendRequest } from '../../service/http/send-request.ts';
import { type WitnessAnswer, witnessSchema } from './gaps.ts';

/** The file below site and base that names the build that is online. */
export const witnessFile = 'media-asset.json';

/** Time limit for the answer with its body, in ms. */
const timeLimit = 5000;
/** In bytes. A witness has 200. */
const largest = 16 * 1024;

/** The text of a build's witness. It holds no secret. */
export function formatWitness(own: { history: string; build: string; startedAt: string }): string {
  return `${JSON.stringify({ version: 1, ...own })}\n`;
}

/** Reads a witness; `undefined` for any other text, and for one of an unknown version. */
export function parseWitness(text: string): WitnessAnswer | undefined {
  try {
    const { version: _, ...own } = witnessSchema.parse(JSON.parse(text));
    return { kind: 'read', ...own };
  } catch {
    return undefined;
  }
}

/**
 * Asks the live site which build is online. Follows no redirect, because it leads to a sign-in page or to
 * another site. Never throws.
 *
 * @param site the URL of the site with its base, and a slash at its end
 */
export async function readLiveWitness(
  site: string,
  { send = sendRequest, timeout = timeLimit }: { send?: SendRequest; timeout?: number } = {},
): Promise<WitnessAnswer> {
  const unread = (problem: string) => ({ kind: 'unread', problem }) as const;
  const url = new URL(`${witnessFile}?${Math.random().toString(36).slice(2)}`, site);
  if (url.protocol !== 'https:' && !isLoopbackHost(url.hostname)) return unread("it isn't https");
  try {
    const headers = { 'cache-control': 'no-cache', 'user-agent': 'astro-media-asset' };
    const response = await send(url, { headers, signal: AbortSignal.timeout(timeout) });
    const { text } = await readBody(response, largest);
    if (response.status !== 200) return unread(`status ${response.status}`);
    return parseWitness(text) ?? unread("it isn't a build's witness");
  } catch (thrown) {
    return unread(`no answer: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}
