import type { Finding } from '../../errors/errors.ts';
import { countOf } from '../../errors/wording.ts';
import { missingPlanToMarkdown } from '../../usage/output/plan-to-markdown.ts';
import { publishMarkdown } from '../../usage/output/publish-markdown.ts';
import type { ReportResult } from '../../usage/report/report-result.ts';
import type { ReportRun } from '../../usage/report/report-usage.ts';
import { storeOutage } from '../../usage/site-usages.ts';
import { progressLine } from '../terminal/progress-line.ts';
import { type ExitCode, exitCodes, noteFindings, type Terminal } from '../terminal/terminal.ts';

/**
 * Runs what calls the service with the terminal's progress line, until it is done, told to end, or
 * out of time. `timeLimit` in seconds.
 */
export async function withTerminal<T>(
  {
    terminal,
    timeLimit,
    title = 'Sending',
  }: { terminal: Terminal; timeLimit?: number | undefined; title?: string },
  send: (part: Required<Pick<ReportRun, 'signal' | 'onProgress'>>) => Promise<T>,
): Promise<T> {
  const progress = progressLine(title, terminal);
  const limit =
    timeLimit === undefined
      ? undefined
      : AbortSignal.timeout(Math.max(0, Math.floor(timeLimit * 1000)));
  const signal = AbortSignal.any([terminal.signal, ...(limit ? [limit] : [])]);
  const onEnd = () => {
    progress.end();
    terminal.note(
      limit?.aborted
        ? 'Time limit reached. Finishing the current requests.'
        : 'Finishing the current requests. Press Ctrl-C again to stop at once.',
    );
  };
  signal.addEventListener('abort', onEnd, { once: true });
  try {
    return await send({ signal, onProgress: progress.show });
  } finally {
    progress.end();
    signal.removeEventListener('abort', onEnd);
  }
}

/**
 * What has been planned or sent; `undefined` if the ledger's store could not be reached: then a
 * warning is the result, unless `onError` is `fail`.
 *
 * @param file the absolute path of `--markdown`
 */
export async function unlessOutage<T>(
  work: Promise<T>,
  {
    onError,
    file,
    terminal,
  }: { onError: 'warn' | 'fail'; file: string | undefined; terminal: Terminal },
): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    const outage = storeOutage(error);
    if (!outage || onError === 'fail') throw error;
    const { message } = outage;
    const onFinding = (found: Finding) => noteFindings([found], terminal);
    onFinding(outage);
    terminal.print({}, () => `Stopped: ${message}`);
    const { environment } = terminal;
    await publishMarkdown(missingPlanToMarkdown(message), { file, environment, onFinding });
    return undefined;
  }
}

export type RunCounts = Pick<ReportResult, 'reported' | 'removed' | 'requests' | 'unsent' | 'held'>;

export const outcomeCodes: Readonly<Record<ReportResult['outcome'], ExitCode>> = {
  done: exitCodes.done,
  held: exitCodes.held,
  unsent: exitCodes.unsent,
  failed: exitCodes.error,
};

/** The contract of `media-asset report --json`. `held` is there where the guard holds removals. */
export function countsToJson({ reported, removed, requests, unsent, held }: RunCounts) {
  return { reported, removed, requests, unsent, ...(held > 0 && { held }) };
}

/** What a run has done, as a sentence. `unchanged` is what to say where it is nothing. */
export function countsText(
  { reported, removed, requests, unsent, held }: RunCounts,
  unchanged: string,
): string {
  if (requests + unsent + held === 0) return unchanged;
  const parts = [
    requests === 0
      ? 'Nothing was sent'
      : `${countOf(reported, 'usage')} reported, ${removed} removed, in ${countOf(requests, 'request')}`,
    ...(unsent > 0 ? [`${unsent} unsent`] : []),
    ...(held > 0 ? [`${countOf(held, 'removal')} held`] : []),
  ];
  return `${parts.join('; ')}.`;
}
