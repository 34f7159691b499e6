import { type Finding, finding, mediaAssetError } from '../../errors/errors.ts';
import type { AssetSubject } from '../../errors/place.ts';
import { oneDay } from '../../storage/day.ts';

/** Decides whether a build may show an asset that it couldn't check, and reports those that it has shown. */
export function createStaleGuard(rule: {
  /** When the asset was last checked, if this run couldn't check it; in ms since the epoch. */
  staleSince: (id: number) => readonly number[];
  /** In milliseconds. */
  maxStale: number;
  clock: () => number;
  onFinding: (finding: Finding) => void;
}) {
  const { staleSince, maxStale, clock, onFinding } = rule;
  /** When each asset was last checked, by ID. */
  const allowed = new Map<number, number>();
  const unreported = new Set<number>();

  return {
    allow(subject: AssetSubject): void {
      const { id } = subject;
      const checks = staleSince(id);
      const since = Math.min(...checks);
      if (!Number.isFinite(since)) return;
      // After a clock was wrong, a check can be in the future.
      if (checks.some((time) => Math.abs(clock() - time) > maxStale)) {
        const days = Math.round((10 * maxStale) / oneDay) / 10;
        throw mediaAssetError('stale-too-long', { ...subject, what: `asset ${id}`, days });
      }
      if (allowed.has(id)) return;
      allowed.set(id, since);
      unreported.add(id);
    },
    report(): void {
      const ids = [...unreported].sort((a, b) => a - b);
      unreported.clear();
      if (ids.length === 0) return;
      const since = Math.min(...ids.map((id) => allowed.get(id) ?? clock()));
      onFinding(finding('warning', 'asset-stale', { ids, checked: new Date(since).toISOString() }));
    },
    count: () => allowed.size,
  };
}
