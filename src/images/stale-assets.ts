import { type Finding, finding, mediaAssetError } from '../errors.ts';

const day = 24 * 60 * 60 * 1000;

/**
 * Decides whether an asset that could not be checked may be shown. Each is said once.
 *
 * @throws (the function that it returns) `asset-stale-too-long`
 */
export function createStaleGuard({
  staleSince,
  maxStale,
  clock,
  onFinding,
}: {
  /** When the asset was last checked, where it could not be in this run; ms since the epoch. */
  staleSince: (id: number) => number | undefined;
  /** Milliseconds. */
  maxStale: number;
  clock: () => number;
  onFinding: (finding: Finding) => void;
}) {
  const said = new Set<number>();
  return {
    allow(id: number, page: string): void {
      const since = staleSince(id);
      if (since === undefined) return;
      if (clock() - since > maxStale) {
        const days = Math.round((10 * maxStale) / day) / 10;
        throw mediaAssetError('asset-stale-too-long', { id, page, days });
      }
      if (said.has(id)) return;
      said.add(id);
      const checked = new Date(since).toISOString();
      onFinding(finding('warning', 'asset-stale', `asset ${id}`, { id, checked }));
    },
    count: () => said.size,
  };
}
