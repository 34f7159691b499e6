import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { manifestOf, pairsOf } from '../../support/ledger/usage-fixtures.ts';
import { openUsageSite, type UsageSite } from '../../support/ledger/usage-site.ts';

const minute = Date.parse('2026-03-02T12:00:00Z');
const older = manifestOf({ '/': ['Harbour', 1, 2] });
const newer = manifestOf({ '/': ['Harbour', 1, 3] });

let usageSite: UsageSite;

beforeEach(async () => {
  usageSite = await openUsageSite();
});

afterEach(() => usageSite.close());

/** `started` and `clockError` are in seconds. */
const report = (pages: typeof older, started: number, clockError: number, rollback = false) => {
  const startedAt = new Date(minute + (started + clockError) * 1000).toISOString();
  return usageSite.report(pages, { startedAt, rollback });
};
const refused = expect.objectContaining({ code: 'report-older-build' });

/** The second build starts 5 seconds after the first one. */
describe('two builds in the same minute, on machines whose clocks differ', () => {
  test.each([
    ['by less than the builds', 3, -1],
    ['the right way round', -4, 4],
  ])('%s: the order of the builds decides', async (_, first, second) => {
    await report(older, 10, first);
    expect(await report(newer, 15, second)).toMatchObject({ outcome: 'done' });
    await expect(report(older, 10, first)).rejects.toThrow(refused);
    expect(usageSite.server.model.list()).toEqual(pairsOf(newer));
  });

  test('by more than the builds: the newer one is refused, removes nothing, and can be let pass', async () => {
    await report(older, 10, 7);
    usageSite.server.log.length = 0;
    await expect(report(newer, 15, -1)).rejects.toThrow(refused);
    expect(usageSite.server.log).toEqual([]);
    expect(await report(newer, 15, -1, true)).toMatchObject({ outcome: 'done' });
    expect(usageSite.server.model.list()).toEqual(pairsOf(newer));
  });

  test('by more than the builds: the build of the next minute passes without a flag', async () => {
    await report(older, 10, 7);
    await expect(report(newer, 15, -1)).rejects.toThrow(refused);
    expect(await report(newer, 75, -1)).toMatchObject({ outcome: 'done' });
  });
});

test('a build on a machine whose clock is years ahead holds up later ones until a person says so', async () => {
  await report(older, 0, 400_000_000);
  await expect(report(newer, 60, 0)).rejects.toThrow(refused);
  expect(await report(newer, 60, 0, true)).toMatchObject({ outcome: 'done' });
  expect(await report(older, 120, 0)).toMatchObject({ outcome: 'done' });
});
