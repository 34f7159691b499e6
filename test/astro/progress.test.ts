import { expect, test } from 'vitest';
import { logProgress } from '../../src/astro/progress.ts';

/** What is printed where work comes to these points, in seconds after its start, of 100. */
function linesOf(...points: [seconds: number, done: number][]): string[] {
  const lines: string[] = [];
  let now = 1_000;
  const logger = { info: (line: string) => void lines.push(line) };
  const onProgress = logProgress(logger, 'pictures', () => now);
  for (const [seconds, done] of points) {
    now = 1_000 + seconds * 1000;
    onProgress(done, 100);
  }
  return lines;
}

test('short work prints nothing', () => {
  expect(linesOf([1, 40], [3, 80], [4.9, 99])).toEqual([]);
});

test('long work prints a line each five seconds, with what is left by what was done last', () => {
  expect(linesOf([4, 8], [5, 10], [9, 20], [10, 25], [20, 80])).toEqual([
    'pictures: 10 of 100, about 45 s left',
    'pictures: 25 of 100, about 25 s left',
    'pictures: 80 of 100, about 4 s left',
  ]);
});

test('the end of the work is no progress', () => {
  expect(linesOf([30, 100])).toEqual([]);
});
