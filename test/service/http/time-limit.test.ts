import { expect, onTestFinished, test, vi } from 'vitest';
import { createTimeLimit } from '../../../src/service/http/timing.ts';

test.each([
  ['in time', false],
  ['in the grace after its caller was aborted', true],
])('a call that ends %s leaves no timer, which would keep the process alive', (_, isAborted) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const run = new AbortController();
  const limit = createTimeLimit(run.signal, 5000);
  limit.start(60_000);
  if (isAborted) run.abort();
  expect(vi.getTimerCount()).toBe(isAborted ? 2 : 1);
  limit.end();
  expect(vi.getTimerCount()).toBe(0);
  expect(limit.signal.aborted).toBe(false);
});
