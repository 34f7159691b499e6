import { type Finding, finding } from '../../errors/errors.ts';
import { visit } from '../../service/http/send-request.ts';

/** In milliseconds. */
const timeLimit = 30_000;

/** Requests a download URL without a token, as a visitor would. Warns if no image arrives. */
export async function checkTokenless(
  url: string,
  onFinding: (finding: Finding) => void,
): Promise<void> {
  const answer = await visit(url, { signal: AbortSignal.timeout(timeLimit) }).then(
    problemOf,
    (thrown: unknown) => `no answer (${thrown instanceof Error ? thrown.message : String(thrown)})`,
  );
  if (answer !== undefined) onFinding(finding('warning', 'tokenless-refused', { url, answer }));
}

async function problemOf({ body, headers, ok, status }: Response): Promise<string | undefined> {
  // Only the headers matter.
  await body?.cancel().catch(() => undefined);
  if (!ok) return `status ${status}`;
  return /html/i.test(headers.get('content-type') ?? '') ? 'an HTML page' : undefined;
}
