import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import pLimit from 'p-limit';
import { expect, test } from 'vitest';
import { createShared } from '../../src/images/create-shared.ts';

test('users at the same time share a value, and no more values are held than there is room for', async () => {
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
      const made = new Set<object>();
      const free = new Set<object>();
      const share = createShared<{ key: string }>({
        whileHeld: (work) => limit(work),
        letGo: (value) => void free.add(value),
      });
      const make = async (key: string) => {
        const value = { key };
        made.add(value);
        expect(inUse.get(key) ?? 0).toBe(0);
        await turn();
        return value;
      };
      const wait = async (turns: number) => {
        for (let index = 0; index < turns; index += 1) await turn();
      };
      await Promise.all(
        users.map(async ({ key, comes, stays }) => {
          await wait(comes);
          const used = await share(key, {
            make: () => make(key),
            async use(value) {
              inUse.set(key, (inUse.get(key) ?? 0) + 1);
              expect([...inUse.values()].filter((count) => count > 0).length).toBeLessThanOrEqual(
                room,
              );
              await wait(stays);
              expect(free.has(value)).toBe(false);
              inUse.set(key, (inUse.get(key) ?? 0) - 1);
              return value.key;
            },
          });
          expect(used).toBe(key);
        }),
      );
      await turn();
      expect(free).toEqual(made);
    }),
  );
});

test('a value that cannot be made fails for all who wait for it, and is tried again for the next', async () => {
  const share = createShared<string>({ letGo: () => {} });
  const fail = { make: () => Promise.reject(new Error('broken')), use: async () => 'used' };
  const both = await Promise.allSettled([share('a', fail), share('a', fail)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await share('a', { make: async () => 'made', use: async (value) => value })).toBe('made');
});
