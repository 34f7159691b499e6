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
 * Runs work that calls the service, with a progress line, until it's done, interrupted or out of
 * time. `timeLimit` is in seconds.
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
 * Returns the plan or report. If the ledger's store can't be reached, prints a warning and returns
 * `undefined`, or throws if `onError` is `fail`. Nothing has been sent then.
 *
 * @param unknown the command's JSON in an outage: the same keys, `null` for what isn't known
 * @param file absolute path of `--markdown`
 */
export async function unlessOutage<T>(
  work: Promise<T>,
  {
    unknown,
    onError,
    file,
    terminal,
  }: {
    unknown: object;
    onError: 'warn' | 'fail';
    file: string | undefined;
    terminal: Terminal;
  },
): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    const outage = storeOutage(error);
    if (!outage || onError === 'fail') throw error;
    const { message } = outage;
    const onFinding = (found: Finding) => noteFindings([found], terminal);
    onFinding(outage);
    terminal.print(unknown, () => `Stopped: ${message}`);
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

/**
 * The contract of `media-asset report --json`. `held` is only there if the guard holds removals.
 */
export function countsToJson({ reported, removed, requests, unsent, held }: RunCounts) {
  return { reported, removed, requests, unsent, ...(held > 0 && { held }) };
}

/** Summarizes a run. Returns `unchanged` if nothing happened. */
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
