import type { MediaService } from '../service/media-service.ts';
import type { ReportResult } from '../usage/report-result.ts';
import { type ReportRun, reportUsage } from '../usage/report-usage.ts';
import { progressLine } from './progress-line.ts';
import type { Terminal } from './terminal.ts';

/** What a run takes from the terminal. */
type TerminalPart = Required<Pick<ReportRun, 'clock' | 'signal' | 'onProgress'>>;

/** Sends a run for a command: with a progress line, until it is done, told to end, or out of time. */
export function sendUsages(
  run: Omit<ReportRun, keyof TerminalPart> & { readonly service: MediaService },
  options: { terminal: Terminal; timeLimit: number | undefined },
): Promise<ReportResult> {
  const prove: ReportRun['prove'] = (signal) => run.service.folders.tree({ signal });
  return withTerminal(options, (part) => reportUsage({ ...run, ...part, prove }));
}

/** Runs what calls the service with the terminal's progress line and signal. `timeLimit` in seconds. */
export async function withTerminal<T>(
  {
    terminal,
    timeLimit,
    title = 'Sending',
  }: { terminal: Terminal; timeLimit?: number | undefined; title?: string },
  send: (part: TerminalPart) => Promise<T>,
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
        ? 'The time limit is reached. Finishing the requests under way.'
        : 'Finishing the requests under way. Ctrl-C once more ends at once.',
    );
  };
  signal.addEventListener('abort', onEnd, { once: true });
  try {
    return await send({
      clock: Date.now,
      signal,
      onProgress: progress.show,
    });
  } finally {
    progress.end();
    signal.removeEventListener('abort', onEnd);
  }
}
