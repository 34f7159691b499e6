import type { ReportResult } from '../../../src/usage/report/report-result.ts';
import type { ReportRun } from '../../../src/usage/report/report-usage.ts';
import type { BentRequest } from '../bends/bend-log.ts';

export type HistoryCounts = ReturnType<typeof createHistoryCounts>;

/** The events of histories, with their counts. */
export function createHistoryCounts() {
  const counts = new Map<string, number>();
  const of = (what: string) => counts.get(what) ?? 0;
  return {
    add: (what: string) => void counts.set(what, of(what) + 1),
    of,
    /** One line per event. */
    toText: () =>
      [...counts.keys()]
        .sort()
        .map((what) => `${what}: ${of(what)}`)
        .join('\n'),
  };
}

/** Counts the results of requests. */
export function countRequests(counts: HistoryCounts, log: readonly BentRequest[]): void {
  for (const { fault, effect, status, body } of log) {
    if (fault) counts.add(`fault ${fault}`);
    if (fault === 'status' && status === 404) counts.add('stranger in the place of the service');
    if (fault && effect && fault !== 'late') counts.add('answer lost');
    if (fault === 'late' && effect) counts.add('request arrived late');
    if (fault || status === null || status < 400) continue;
    const isRemoval = body.includes('"removed":"true"');
    if (effect) counts.add('batch done in part');
    else if (isRemoval) counts.add(`removal of nothing answered ${status}`);
    else counts.add('report refused');
  }
}

/** Counts the result of a run, and its replacements by reason. */
export function countResult(
  counts: HistoryCounts,
  result: ReportResult,
  fields: ReportRun['fields'],
): void {
  const { requests, outcome, reason, plan } = result;
  const { guard } = plan;
  counts.add(`run ${outcome}`);
  if (requests === 0) counts.add('run without a request');
  if (guard.held) counts.add('removals held');
  if (guard.held && requests > 0) counts.add('removals held while others are sent');
  if (guard.removals > guard.limit && !guard.held) counts.add('guard overridden');
  if (requests > 0 && reason?.includes('interrupted')) counts.add('run interrupted');
  for (const { requests: sent } of plan.steps) {
    const report = sent.find(({ removed }) => !removed);
    for (const removal of sent) {
      if (!report || !removal.removed) continue;
      if (removal.project !== fields.project) counts.add('project replaced');
      if (removal.contact !== fields.contact) counts.add('contact replaced');
      if (removal.pageName !== report.pageName) counts.add('title replaced');
    }
  }
}

/** The events that a large sample of histories must contain: each step and its purpose. */
export const expectedCounts: readonly string[] = [
  'edit',
  'edit all',
  'delete',
  'delete all',
  'title',
  'move',
  'swap',
  'project',
  'contact',
  'next day',
  'run',
  'run on a lost ledger',
  'removals fail',
  'removals refused',
  'two runs',
  'run that waits',
  'overlapping runs',
  'reconcile',
  'ledger lost',
  'published lost',
  'ledger and published lost',
  'ledger rolled back',
  'ledger and published rolled back',
  'gap recorded, and the list is right',
  'wrong list, and a gap',
  'wrong list, and an answer that is not known',
  'title replaced',
  'project replaced',
  'contact replaced',
  'page moved',
  'asset swapped',
  'run done',
  'run unsent',
  'run held',
  'run without a request',
  'run failed for good',
  'removals held',
  'removals held while others are sent',
  'listed pairs guarded',
  'guard overridden',
  'stranger in the place of the service',
  'run interrupted',
  'run killed',
  'run killed after a request',
  'run killed with its lease',
  'run killed that leaves doubt',
  'run refused next to another',
  'run in between',
  'run overtaken',
  'run overtaken after a request',
  'fault reset-before',
  'fault reset-after',
  'fault status',
  'fault limit',
  'fault late',
  'answer lost',
  'request arrived late',
  'batch done in part',
  'report refused',
  'removal of nothing answered 400',
  'removal of nothing answered 404',
  'removal of nothing answered 409',
  'removal of nothing answered 410',
  'removal of nothing answered 422',
  'ledger behind the service',
  'reconcile that sends',
  'reconcile cut short',
  'reconcile of usages listed twice',
  'reconcile of repeated usages',
  'reconcile of what only the service names',
  'reconcile under a former name',
  'reconcile at the end',
];
