import { type Finding, finding } from '../../errors/errors.ts';

/** Requests a URL without credentials, and follows redirects. */
export type Visit = (url: string, request: { signal: AbortSignal }) => Promise<Response>;

/** In milliseconds. */
const timeLimit = 30_000;

/** Requests a download URL without a token, as a visitor would. Warns if no image arrives. */
export async function checkTokenless(
  url: string,
  { visit, onFinding }: { visit: Visit; onFinding: (finding: Finding) => void },
): Promise<void> {
  const answer = await ask(url, visit);
  if (answer !== undefined) onFinding(finding('warning', 'tokenless-refused', { url, answer }));
}

async function ask(url: string, visit: Visit): Promise<string | undefined> {
  try {
    const response = await visit(url, { signal: AbortSignal.timeout(timeLimit) });
    // Only the headers matter.
    await response.body?.cancel().catch(() => undefined);
    if (!response.ok) return `status ${response.status}`;
    const type = response.headers.get('content-type') ?? '';
    return /html/i.test(type) ? 'an HTML page' : undefined;
  } catch (thrown) {
    return `no answer (${thrown instanceof Error ? thrown.message : String(thrown)})`;
  }
}
