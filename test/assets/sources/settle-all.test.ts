import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { settleAll } from '../../../src/assets/sources/settle-all.ts';

test('work is counted as it ends, and each item once', async () => {
  const counts: string[] = [];
  const ended: number[] = [];
  const work = async (turns: number) => {
    for (let left = turns; left > 0; left -= 1) await turn();
    ended.push(turns);
  };
  await settleAll([9, 0, 4], work, (done, total) => counts.push(`${done} of ${total}`));
  expect(ended).toEqual([0, 4, 9]);
  expect(counts).toEqual(['1 of 3', '2 of 3', '3 of 3']);
});

test('the failure of the first item that fails is thrown, once all that has started has ended', async () => {
  const ended: number[] = [];
  const counts: number[] = [];
  const work = async (item: number) => {
    // The later one fails earlier.
    for (let left = item === 1 ? 8 : 4; left > 0; left -= 1) await turn();
    ended.push(item);
    if (item === 1 || item === 2) throw new Error(`${item} failed`);
  };
  const items = Array.from({ length: 100 }, (_, item) => item);
  await expect(settleAll(items, work, (done) => counts.push(done))).rejects.toThrow('1 failed');
  // Those that were at work, and no more.
  expect(ended.sort((one, other) => one - other)).toEqual(items.slice(0, ended.length));
  expect(ended.length).toBeLessThan(64);
  expect(counts).toHaveLength(ended.length - 2);
});

test('nothing to do is no failure', async () => {
  await expect(settleAll([], async () => expect.fail())).resolves.toBeUndefined();
});
