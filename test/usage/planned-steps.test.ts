import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plannedSteps } from '../../src/usage/planned-steps.ts';
import { purposes, requestsOf } from '../support/planned-requests.ts';

test('the steps of a plan hold all its requests in order, whole, and one purpose after the other', () => {
  const step = fc.tuple(fc.constantFrom(...purposes), fc.integer({ min: 1, max: 4 }));
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const requests = requestsOf(steps);
      const lists = plannedSteps(requests);
      expect(lists.flat(2)).toEqual(requests);
      expect(lists.flat().map(({ length }) => length)).toHaveLength(steps.length);
      const found = lists.map((list) => new Set(list.flat().map(({ purpose }) => purpose)));
      expect(found.map(({ size }) => size)).toEqual(lists.map(() => 1));
      expect(new Set(found.flatMap((one) => [...one])).size).toBe(lists.length);
    }),
  );
});
