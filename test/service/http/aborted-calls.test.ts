import { describe, expect, test } from 'vitest';
import { sleepOnTimer } from '../../../src/service/http/timing.ts';
import type { ServiceError } from '../../../src/service/service-error.ts';
import {
  ok,
  type Respond,
  scriptedClient,
  startScriptedService,
  status,
  usage,
} from '../scripted-service.ts';

const credentials = { kind: 'access-token', accessToken: 'token' } as const;

/** How a service answers a request whose run is aborted by `end`. */
type Script = (end: () => void) => Respond;

const silent: Script = (end) => end;
const afterTheEnd: Script = (end) => (response) => {
  end();
  ok(response);
};
const halfway: Script = (end) => (response) => void response.writeHead(200).write('{', end);
/** The pause after this answer aborts the run. */
const answers =
  (respond: Respond): Script =>
  () =>
    respond;

/**
 * Reports a usage and aborts the run: when the script says so, during a pause, or before the call.
 */
async function endReport({
  script,
  removed = false,
  isEnded = false,
}: {
  script: Script;
  removed?: boolean;
  isEnded?: boolean;
}) {
  const run = new AbortController();
  let ended = performance.now();
  const end = () => {
    ended = performance.now();
    run.abort(new Error('the time limit'));
  };
  if (isEnded) end();
  const service = await startScriptedService({ respond: script(end) });
  const client = scriptedClient(service.url, {
    credentials,
    random: () => 0.999,
    // Longer than a test may take, so nothing else ends a call.
    timeLimit: 600_000,
    deadline: 600_000,
    sleep(milliseconds, signal) {
      setImmediate(end);
      return sleepOnTimer(milliseconds, signal);
    },
  });
  const { signal } = run;
  const result = await client.usages.report({ ...usage, removed }, { signal }).then(
    () => 'done',
    ({ code, effect }: ServiceError) => `${code}, effect ${effect}`,
  );
  return { result, requests: service.requests.length, late: performance.now() - ended };
}

describe('a usage call of an aborted run', () => {
  test.each<[string, Parameters<typeof endReport>[0], string, number, number]>([
    [
      'sends nothing if aborted before it started',
      { script: answers(ok), isEnded: true },
      'call-ended, effect none',
      0,
      0,
    ],
    [
      "isn't retried if aborted during a pause",
      { script: answers(status(429, { 'retry-after': '300' })) },
      'call-ended, effect none',
      1,
      0,
    ],
    [
      "remembers the first attempt's possible effect if aborted before a retry",
      { script: answers(status(503, { 'retry-after': '300' })), removed: true },
      'call-ended, effect unknown',
      1,
      0,
    ],
    ['uses an answer that is on its way', { script: afterTheEnd }, 'done', 1, 0],
    [
      'is in doubt after a second without an answer',
      { script: silent },
      'call-ended, effect unknown',
      1,
      1000,
    ],
    [
      'is in doubt if the answer is incomplete',
      { script: halfway },
      'call-ended, effect unknown',
      1,
      1000,
    ],
  ])('%s', async (_, run, expected, requests, grace) => {
    const end = await endReport(run);
    expect(end).toMatchObject({ result: expected, requests });
    // A timer can fire a millisecond early.
    expect(end.late).toBeGreaterThan(grace - 10);
  });
});

describe('beforeAttempt', () => {
  test('runs before each attempt, after the pause, and ends the call if it fails', async () => {
    const service = await startScriptedService({ respond: status(503) });
    const order: string[] = [];
    const client = scriptedClient(service.url, {
      credentials,
      sleep: async () => void order.push('pause'),
    });
    const lost = new Error('the lease is gone');
    const beforeAttempt = async () => {
      order.push(`ask, ${service.requests.length} sent`);
      if (service.requests.length === 2) throw lost;
    };
    const work = client.usages.report({ ...usage, removed: true }, { beforeAttempt });
    await expect(work).rejects.toBe(lost);
    expect(order).toEqual(['ask, 0 sent', 'pause', 'ask, 1 sent', 'pause', 'ask, 2 sent']);
    expect(service.requests).toHaveLength(2);
  });
});

test.each([-3, 3])("a clock jump of %s days doesn't change a pause", async (days) => {
  const service = await startScriptedService({ respond: status(429, { 'retry-after': '1' }) });
  const { now } = Date;
  const client = scriptedClient(service.url, { credentials, sleep: undefined, attempts: 2 });
  const from = performance.now();
  const work = client.usages.report(usage, {
    async beforeAttempt() {
      if (service.requests.length === 0) return;
      expect(performance.now() - from).toBeGreaterThan(990);
    },
  });
  try {
    const jump = days * 24 * 60 * 60 * 1000;
    setTimeout(() => (Date.now = () => now() + jump), 300);
    await expect(work).rejects.toMatchObject({ code: 'service-limited' });
  } finally {
    Date.now = now;
  }
  expect(service.requests).toHaveLength(2);
});
