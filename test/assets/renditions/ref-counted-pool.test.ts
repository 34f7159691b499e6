import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import pLimit from 'p-limit';
import { expect, test } from 'vitest';
import { createRefCountedPool } from '../../../src/assets/renditions/ref-counted-pool.ts';

test('concurrent users share a value, which stays open until the last one has finished', async () => {
  const users = fc.array(
    fc.record({
      key: fc.constantFrom('a', 'b', 'c'),
      comes: fc.nat({ max: 6 }),
      stays: fc.nat({ max: 4 }),
    }),
    { maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(users, fc.integer({ min: 1, max: 3 }), async (users, room) => {
      const inUse = new Map<string, number>();
      const limit = pLimit(room);
      const opened = new Set<object>();
      const closed = new Set<object>();
      const share = createRefCountedPool<{ key: string }>();
      const open = (key: string, whileOpen: (value: { key: string }) => Promise<void>) =>
        limit(async () => {
          const value = { key };
          opened.add(value);
          expect(inUse.get(key) ?? 0).toBe(0);
          await turn();
          await whileOpen(value);
          closed.add(value);
        });
      const wait = async (turns: number) => {
        for (let index = 0; index < turns; index += 1) await turn();
      };
      await Promise.all(
        users.map(async ({ key, comes, stays }) => {
          await wait(comes);
          const used = await share(key, {
            open: (whileOpen) => open(key, whileOpen),
            async use(value) {
              inUse.set(key, (inUse.get(key) ?? 0) + 1);
              expect([...inUse.values()].filter((count) => count > 0).length).toBeLessThanOrEqual(
                room,
              );
              await wait(stays);
              expect(closed.has(value)).toBe(false);
              inUse.set(key, (inUse.get(key) ?? 0) - 1);
              return value.key;
            },
          });
          expect(used).toBe(key);
        }),
      );
      await turn();
      expect(closed).toEqual(opened);
    }),
  );
});

test("a value that can't be opened fails for all waiting users, and is opened again for the next one", async () => {
  const share = createRefCountedPool<string>();
  const use = async (value: string) => value;
  const fail = { open: () => Promise.reject(new Error('broken')), use };
  const both = await Promise.allSettled([share('a', fail), share('a', fail)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await share('a', { open: (whileOpen) => whileOpen('opened'), use })).toBe('opened');
});
