import { describe, expect, test } from 'vitest';
import { createStaleGuard } from '../../../src/assets/sources/stale-guard.ts';
import type { Finding } from '../../../src/errors/errors.ts';

const day = 24 * 60 * 60 * 1000;
const now = Date.UTC(2026, 2, 8);

/** `since`: the last checks of each asset, in days ago. `most`: for how many days an asset may be stale. */
function openGuard(since: Readonly<Record<number, readonly number[]>>, most = 7) {
  const findings: Finding[] = [];
  const guard = createStaleGuard({
    staleSince: (id) => (since[id] ?? []).map((days) => now - days * day),
    maxStale: most * day,
    clock: () => now,
    onFinding: (found) => void findings.push(found),
  });
  const allows = (id: number) => {
    try {
      guard.allow({ id, page: '/' });
      return true;
    } catch (thrown) {
      expect(thrown).toMatchObject({ code: 'stale-too-long' });
      return false;
    }
  };
  return { guard, findings, allows };
}

describe('an asset whose record and file were last checked', () => {
  test.each<[record: number, file: number, isShown: boolean]>([
    [1, 1, true],
    [7, 7, true],
    [1, 8, false],
    [8, 1, false],
    [8, 8, false],
    [-0.1, 1, true],
    [-8, 1, false],
    [-8, -8, false],
  ])('%i and %i days ago is shown: %s', (record, file, isShown) => {
    expect(openGuard({ 4711: [record, file] }).allows(4711)).toBe(isShown);
  });

  test.each([0.5, 7, 365])('longer than %s days ago is an error that names the limit', (most) => {
    const { guard } = openGuard({ 4711: [most + 1] }, most);
    const allow = () => guard.allow({ id: 4711, page: '/' });
    expect(allow).toThrow(
      `/: asset 4711 couldn't be checked with the service for more than ${most} days.`,
    );
  });

  test('in this run is shown, and counts as checked', () => {
    const { guard, allows, findings } = openGuard({});
    expect(allows(4711)).toBe(true);
    guard.report();
    expect([guard.count(), findings]).toEqual([0, []]);
  });
});

test('stale assets are reported once, with the oldest check', () => {
  const { guard, allows, findings } = openGuard({ 4712: [1, 3], 4711: [2], 4713: [9] });
  for (const id of [4712, 4711, 4713, 4712]) allows(id);
  guard.report();
  guard.report();
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatchObject({ code: 'asset-stale', severity: 'warning' });
  expect(findings[0]?.message).toMatch(/^2 assets .* 2026-03-05T00:00:00\.000Z.*: 4711, 4712\.$/);
  expect(guard.count()).toBe(2);
});
