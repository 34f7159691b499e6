import { expect, test } from 'vitest';
import { createPauses } from '../../../src/service/http/timing.ts';

test('waiting for a pause sleeps again if a timer fired early', async () => {
  let now = 5000;
  const sleeps: number[] = [];
  const pauses = createPauses({
    clock: () => now,
    async sleep(milliseconds) {
      sleeps.push(milliseconds);
      now += Math.max(1, milliseconds - 1);
    },
  });
  pauses.extend('https://media.example', now + 1000, 429);
  await pauses.wait('https://media.example');
  expect(sleeps).toEqual([1000, 1]);
});
