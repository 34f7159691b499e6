import { type Finding, finding } from '../errors.ts';
import { mostRefused, type RefusedUsage } from './last-run.ts';
import type { LedgerIdentity } from './ledger-identity.ts';

/** What people are told of the usages that the service refused: the first ones, and how many more. */
export function refusedFindings(
  refused: readonly RefusedUsage[],
  { site }: Pick<LedgerIdentity, 'site'>,
): Finding[] {
  const findings = refused
    .slice(0, mostRefused)
    .map(({ page, id, status, text }) =>
      finding('warning', 'usage-refused', page, { page, id, status, answer: text }),
    );
  const more = refused.length - findings.length;
  if (more > 0) findings.push(finding('warning', 'usage-refused-more', site, { more }));
  return findings;
}
