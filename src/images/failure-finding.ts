import { type Finding, isMediaAssetError } from '../errors.ts';

/**
 * What went wrong with nobody waiting for it, as a finding.
 *
 * @throws what is no error of ours
 */
export function failureFinding(thrown: unknown, place: string): Finding {
  if (!isMediaAssetError(thrown)) throw thrown;
  const { code, message, hint } = thrown;
  const refused = code === 'asset-unknown' || code === 'asset-withdrawn';
  return { code, severity: refused ? 'error' : 'warning', place, message, hint };
}
