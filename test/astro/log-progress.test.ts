import { expect, test } from 'vitest';
import { logProgress } from '../../src/astro/log-progress.ts';

type Point = [seconds: number, done: number];

/** The output of work that reaches these steps, of 100, this many seconds after its start. */
function linesOf(...points: Point[]): string[] {
  const lines: string[] = [];
  let now = 1_000;
  const logger = { info: (line: string) => void lines.push(line) };
  const onProgress = logProgress(logger, 'images', () => now);
  for (const [seconds, done] of points) {
    now = 1_000 + seconds * 1000;
    onProgress(done, 100);
  }
  return lines;
}

test('short work prints nothing', () => {
  expect(linesOf([1, 40], [3, 80], [14.9, 99])).toEqual([]);
});

test('long work prints at most one line every 15 seconds', () => {
  expect(linesOf([5, 4], [15, 11], [20, 20], [29.9, 30], [31, 40], [32, 41], [60, 81])).toEqual([
    'images: 11 of 100',
    'images: 40 of 100',
    'images: 81 of 100',
  ]);
});

test("the end of the work isn't logged as progress", () => {
  expect(linesOf([30, 100])).toEqual([]);
});
