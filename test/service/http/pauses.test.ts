import { expect, test } from 'vitest';
import { createPauses } from '../../../src/service/http/timing.ts';

const origin = 'https://media.example';

/** Waits for a pause of 1000 ms. Each sleep advances the clock by the next value of `passes`. */
async function slept(passes: (milliseconds: number) => number): Promise<number[]> {
  let now = 5000;
  const sleeps: number[] = [];
  const pauses = createPauses({
    clock: () => now,
    async sleep(milliseconds) {
      sleeps.push(milliseconds);
      now += passes(milliseconds);
    },
  });
  pauses.extend(origin, now + 1000, 429);
  await pauses.wait(origin);
  return sleeps;
}

test.each<[string, (milliseconds: number) => number, number[]]>([
  ['sleeps once', (milliseconds) => milliseconds, [1000]],
  [
    'sleeps again if a timer fired early',
    (milliseconds) => Math.max(1, milliseconds - 1),
    [1000, 1],
  ],
])('waiting for a pause %s', async (_, passes, sleeps) => {
  expect(await slept(passes)).toEqual(sleeps);
});
