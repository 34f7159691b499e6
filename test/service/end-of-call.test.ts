import { describe, expect, test } from 'vitest';
import type { ServiceError } from '../../src/service/service-error.ts';
import { clientOf, ok, type Respond, serve, status, usage } from './scripted-service.ts';

const silent: Respond = () => {};
const slowly: Respond = (response) => void setTimeout(() => ok(response), 300);
const halfway: Respond = (response) => void response.writeHead(200).write('{');
const credentials = { kind: 'access-token', accessToken: 'token' } as const;

/** Reports to a service; 50 ms after the first request, or at once, the run is to end. */
async function endReport({
  respond,
  removed = false,
  isEnded = false,
}: {
  respond: Respond;
  removed?: boolean;
  isEnded?: boolean;
}) {
  const run = new AbortController();
  const end = () => run.abort(new Error('the time limit'));
  if (isEnded) end();
  let ended = performance.now();
  const service = await serve({
    respond(response, request) {
      setTimeout(() => {
        ended = performance.now();
        end();
      }, 50);
      return respond(response, request);
    },
  });
  // Real waits: of 15 s, unless they are cut short.
  const { signal } = run;
  const client = clientOf(service.url, { credentials, sleep: undefined, random: () => 0.999 });
  const result = await client.usages.report({ ...usage, removed }, { signal }).then(
    () => 'done',
    ({ code, effect }: ServiceError) => `${code}, effect ${effect}`,
  );
  return { result, requests: service.requests.length, late: performance.now() - ended };
}

describe('a usage call of a run that ends', () => {
  test.each<[string, Parameters<typeof endReport>[0], string, number, number]>([
    [
      'before it began sends nothing',
      { respond: ok, isEnded: true },
      'call-ended, effect none',
      0,
      0,
    ],
    [
      'while a pause that was asked for lasts is not repeated',
      { respond: status(429, { 'retry-after': '60' }) },
      'call-ended, effect none',
      1,
      0,
    ],
    [
      'before a repetition keeps in mind what the first attempt may have done',
      { respond: status(503, { 'retry-after': '60' }), removed: true },
      'call-ended, effect unknown',
      1,
      0,
    ],
    ['while an answer is on its way takes it', { respond: slowly }, 'done', 1, 250],
    [
      'without an answer is in doubt a second later',
      { respond: silent },
      'call-ended, effect unknown',
      1,
      1000,
    ],
    [
      'in the middle of an answer is in doubt',
      { respond: halfway },
      'call-ended, effect unknown',
      1,
      1000,
    ],
  ])('%s', async (_, script, expected, requests, late) => {
    const end = await endReport(script);
    expect(end).toMatchObject({ result: expected, requests });
    expect(end.late).toBeGreaterThan(late - 60);
    expect(end.late).toBeLessThan(late + 600);
  });
});

describe('what a run asks for before each attempt', () => {
  test('is asked for each of them, after the pause, and ends the call where it fails', async () => {
    const service = await serve({ respond: status(503) });
    const order: string[] = [];
    const client = clientOf(service.url, {
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

test.each([-3, 3])(
  'a clock that jumps by %s days during a pause does not change it',
  async (days) => {
    const service = await serve({ respond: status(429, { 'retry-after': '1' }) });
    const { now } = Date;
    const client = clientOf(service.url, { credentials, sleep: undefined, attempts: 2 });
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
    expect(performance.now() - from).toBeLessThan(3000);
    expect(service.requests).toHaveLength(2);
  },
);
