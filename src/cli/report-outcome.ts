import { countOf } from '../errors/wording.ts';
import type { ReportResult } from '../usage/report-result.ts';
import { type ExitCode, exitCodes } from './terminal.ts';

/** What a run has done, or would have. */
export type ReportCounts = Pick<
  ReportResult,
  'reported' | 'removed' | 'requests' | 'unsent' | 'held'
>;

/** The exit code that tells how a run ended. */
export const outcomeCodes: Readonly<Record<ReportResult['outcome'], ExitCode>> = {
  done: exitCodes.done,
  held: exitCodes.held,
  unsent: exitCodes.unsent,
  failed: exitCodes.error,
};

/** The contract of `media-asset report --json`. `held` is there where the guard holds removals. */
export function countsToJson({ reported, removed, requests, unsent, held }: ReportCounts) {
  return { version: 1, reported, removed, requests, unsent, ...(held > 0 && { held }) };
}

/** What a run has done, as a sentence. `unchanged` is what to say where it is nothing. */
export function countsText(
  { reported, removed, requests, unsent, held }: ReportCounts,
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
