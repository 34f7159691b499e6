import { type Finding, finding } from '../../errors/errors.ts';

/** Milliseconds. */
const timeLimit = 30_000;

/** Asks for a download address as a visitor would, without a token. Warns if no picture came. */
export async function checkTokenless(
  url: string,
  { fetch, onFinding }: { fetch: typeof globalThis.fetch; onFinding: (finding: Finding) => void },
): Promise<void> {
  const answer = await ask(url, fetch);
  if (answer !== undefined)
    onFinding(finding('warning', 'tokenless-refused', url, { url, answer }));
}

async function ask(url: string, fetchPage: typeof fetch): Promise<string | undefined> {
  try {
    const response = await fetchPage(url, {
      credentials: 'omit',
      signal: AbortSignal.timeout(timeLimit),
    });
    // Nothing of the body is wanted.
    await response.body?.cancel().catch(() => undefined);
    if (!response.ok) return `status ${response.status}`;
    const type = response.headers.get('content-type') ?? '';
    return /html/i.test(type) ? 'an HTML page' : undefined;
  } catch (thrown) {
    return `no answer (${thrown instanceof Error ? thrown.message : String(thrown)})`;
  }
}
