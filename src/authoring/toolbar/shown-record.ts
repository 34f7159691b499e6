import type { KnownRecord } from '../../assets/records/records.ts';
import type { Verdict } from '../../assets/records/verdict.ts';
import type { ShownRecord } from './protocol.ts';

export function toShownRecord(
  described: Pick<KnownRecord, 'record' | 'verdict'> | undefined,
): ShownRecord | undefined {
  if (!described) return undefined;
  const { record, verdict } = described;
  const { alt, credit, focus } = record ?? {};
  const isForbidden = verdict.state === 'forbidden';
  return { alt, credit, focus, rights: rightsText(verdict), isForbidden };
}

export function rightsText({ state, until, reason }: Verdict): string {
  if (state === 'forbidden') return reason ? `forbidden: ${reason}` : 'forbidden';
  if (state === 'unknown') return 'unknown';
  return until === undefined ? 'allowed' : `allowed until ${until}`;
}
