import { beforeEach, describe, expect, test } from 'vitest';
import type { SettingChanges } from '../../support/bends/bent-emulator.ts';
import { startService } from '../../support/service/start-service.ts';
import { postUsage, removalBody, usageBody } from '../../support/service/usage-posts.ts';

const otherName = { ...usageBody, web: { ...usageBody.web, pageName: 'Quay' } };

const defaults: SettingChanges = {
  usages: 'overwrite',
  removalMatches: 'page',
  removalTakes: 'all',
  removalOfNothing: 200,
  batches: 'whole',
};

const emulator = await startService(
  ['a.png', 'b.png', 'c.png'].map((path) => ({ path, width: 9, height: 9 })),
);

beforeEach(async () => {
  await emulator.reset();
  await emulator.setSettings(defaults);
});

/** Asset and page name of each record, oldest first. */
const records = () => emulator.usages().map(({ asset, pageName }) => `${asset} ${pageName}`);

describe('removalTakes', () => {
  test.each<[SettingChanges, string[]]>([
    [{ removalTakes: 'all' }, []],
    [{ removalTakes: 'first' }, ['4711 Quay', '4711 The quay']],
    [{ removalTakes: 'all', removalMatches: 'all-fields' }, ['4711 Quay']],
    [{ removalTakes: 'first', removalMatches: 'all-fields' }, ['4711 Quay', '4711 The quay']],
  ])('%j leaves %j of three records of a page', async (settings, left) => {
    await emulator.setSettings({ usages: 'append', ...settings });
    for (const body of [usageBody, otherName, usageBody]) await postUsage(emulator, body);
    expect((await postUsage(emulator, removalBody)).status).toBe(200);
    expect(records()).toEqual(left);
  });
});

describe('removalOfNothing', () => {
  test.each([404, 410] as const)('answers %i if no record matches', async (status) => {
    await emulator.setSettings({ removalOfNothing: status });
    const response = await postUsage(emulator, removalBody);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code: 'usage-unknown' } });
    expect(emulator.log().at(-1)).toMatchObject({ status, outcome: 'answered', effect: false });
  });

  test("doesn't apply if a record matches", async () => {
    await emulator.setSettings({ removalOfNothing: 404 });
    await postUsage(emulator, usageBody);
    expect((await postUsage(emulator, removalBody)).status).toBe(200);
    expect((await postUsage(emulator, removalBody)).status).toBe(404);
  });

  test('respects the fields that a removal must match', async () => {
    await emulator.setSettings({ removalOfNothing: 410, removalMatches: 'all-fields' });
    await postUsage(emulator, otherName);
    expect((await postUsage(emulator, removalBody)).status).toBe(410);
    expect(records()).toEqual(['4711 Quay']);
  });
});

describe('a batch with a bad id', () => {
  const report = { ...usageBody, id: [4711, 9999, 4712] };
  const removal = { ...removalBody, id: [4711, 4712, 4713] };
  const both = ['4711 The quay', '4712 The quay'];
  test.each<['whole' | 'part', object, number, string[], boolean]>([
    ['whole', report, 404, ['4711 The quay'], false],
    ['part', report, 404, both, true],
    ['whole', removal, 410, ['4711 The quay'], false],
    ['part', removal, 410, [], true],
  ])('done in %s: %j answers %i', async (batches, body, status, left, effect) => {
    await emulator.setSettings({ batches, removalOfNothing: 410 });
    await postUsage(emulator, usageBody);
    expect((await postUsage(emulator, body)).status).toBe(status);
    expect(records()).toEqual(left);
    expect(emulator.log().at(-1)).toMatchObject({ status, effect });
  });

  test('has no effect without a valid ID', async () => {
    await emulator.setSettings({ batches: 'part' });
    expect((await postUsage(emulator, { ...usageBody, id: [9998, 9999] })).status).toBe(404);
    expect(records()).toEqual([]);
    expect(emulator.log().at(-1)).toMatchObject({ effect: false });
  });
});
