import { expect, test } from 'vitest';
import { logProgress } from '../../src/astro/log-progress.ts';

type Point = [seconds: number, done: number, share?: number];

/** What is printed where work comes to these points, in seconds after its start, of 100. */
function linesOf(...points: Point[]): string[] {
  const lines: string[] = [];
  let now = 1_000;
  const logger = { info: (line: string) => void lines.push(line) };
  const onProgress = logProgress(logger, 'pictures', () => now);
  for (const [seconds, done, share] of points) {
    now = 1_000 + seconds * 1000;
    onProgress(done, 100, share);
  }
  return lines;
}

test('short work prints nothing', () => {
  expect(linesOf([1, 40], [3, 80], [4.9, 99])).toEqual([]);
});

test('long work prints a line each five seconds', () => {
  expect(linesOf([0, 1], [4, 8], [5, 11], [9, 20], [10, 21], [20, 81])).toEqual([
    'pictures: 11 of 100, about 45 s left',
    'pictures: 21 of 100, about 40 s left',
    'pictures: 81 of 100, about 5 s left',
  ]);
});

test('the time left follows from the share of the work, and from what was waited for only since then', () => {
  expect(linesOf([10, 60, 0.1], [15, 90, 0.2], [20, 91, 0.3])).toEqual([
    'pictures: 60 of 100',
    'pictures: 90 of 100, about 40 s left',
    'pictures: 91 of 100, about 35 s left',
  ]);
});

test('no time is named before enough is done to tell', () => {
  expect(linesOf([0, 40, 0], [6, 50, 0.01], [12, 51, 0.06])).toEqual([
    'pictures: 50 of 100',
    'pictures: 51 of 100, about 188 s left',
  ]);
});

test('the end of the work is no progress', () => {
  expect(linesOf([30, 100])).toEqual([]);
});
