import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backoff, type CallKind, readRetryAfter } from '../../../src/service/http/retry-table.ts';
import { type MediaService, ServiceError } from '../../../src/service/index.ts';
import { freePort } from '../../support/process/free-port.ts';
import {
  closeConnection,
  closedPort,
  createTime,
  failingCall,
  failureOf,
  inTurn,
  json,
  ok,
  type Respond,
  scriptedClient,
  startScriptedService,
  status,
  usage,
} from '../scripted-service.ts';

const removal = { ...usage, removed: true };
const list: Respond = (response) => json(response, []);
const picture: Respond = (response) => void response.end('bytes');

const calls: Record<
  // Uploads have their own tests.
  Exclude<CallKind, 'token' | 'record' | 'upload'>,
  [(s: MediaService) => Promise<unknown>, Respond]
> = {
  download: [({ files }) => files.original(4711), picture],
  read: [({ usages }) => usages.list(4711), list],
  list: [({ folders }) => folders.tree(), list],
  'usage-report': [({ usages }) => usages.report(usage), ok],
  'usage-removal': [({ usages }) => usages.report(removal), ok],
  update: [({ files }) => files.update(4711, { alttext: 'A quay' }), ok],
};

const temporary = ['lost', 408, 425, 429, 500, 502, 503, 504, 520, 524, 530] as const;
const permanent = [400, 403, 404, 409, 410, 422, 501, 519, 531] as const;
/** The service has processed nothing. */
const unprocessed = [408, 425, 429] as const;

function failing(outcome: 'lost' | number): Respond {
  return outcome === 'lost' ? closeConnection : status(outcome);
}

describe.for(Object.entries(calls))('a %s', ([kind, [call, success]]) => {
  // A second report may create a second record.
  const once = new Set<'lost' | number>(kind === 'usage-report' ? unprocessed : temporary);

  test.for([...temporary, ...permanent])('after %s', async (outcome) => {
    const service = await startScriptedService({ respond: inTurn(failing(outcome), success) });
    const work = call(scriptedClient(service.url));
    if (once.has(outcome)) {
      await expect(work).resolves.not.toThrow();
      expect(service.requests).toHaveLength(2);
    } else {
      expect(await failureOf(work)).toBeInstanceOf(ServiceError);
      expect(service.requests).toHaveLength(1);
    }
  });

  test('is retried after a refused connection', async () => {
    const port = await freePort();
    const client = scriptedClient(`http://127.0.0.1:${port}`, {
      credentials: { kind: 'access-token', accessToken: 'static' },
      sleep: async () => void (await startScriptedService({ port, respond: success })),
    });
    await expect(call(client)).resolves.not.toThrow();
  });

  test('ends after the configured attempts', async () => {
    const limited = { respond: status(429) };
    const { error, requests } = await failingCall(limited, call, { attempts: 3 });
    expect(error).toMatchObject({ code: 'service-limited', status: 429, temporary: true });
    expect(requests).toHaveLength(3);
  });
});

test.for([...temporary])('a token request is retried after %s', async (outcome) => {
  const service = await startScriptedService({
    token: inTurn(failing(outcome), (response) => json(response, { access_token: 'second' })),
  });
  await scriptedClient(service.url).usages.report(usage);
  expect(service.tokenRequests).toHaveLength(2);
  expect(service.requests[0]?.headers.authorization).toBe('Bearer second');
});

describe('the effect of a call', () => {
  test.for([
    ['none', 'a refused connection', undefined],
    ['none', '400', status(400)],
    ['none', '401', status(401)],
    ['none', '403', status(403)],
    ['none', '404', status(404)],
    ['none', '429', status(429)],
    ['unknown', '500', status(500)],
    ['unknown', '503', status(503)],
    ['unknown', 'a lost answer', closeConnection],
    ['unknown', 'an answer cut short', cutShort],
    ['unknown', 'a time-out', () => {}],
    ['unknown', 'an HTML page', (response) => void response.end('<!doctype html>')],
    ['unknown', 'a redirect', status(303, { location: '/done' })],
    ['unknown', 'JSON that states a failure', (response) => json(response, { success: false })],
  ] satisfies [string, string, Respond | undefined][])(
    'is %s after %s',
    async ([effect, how, respond]) => {
      const baseUrl = respond
        ? (await startScriptedService({ respond })).url
        : `http://127.0.0.1:${closedPort}`;
      const client = scriptedClient(baseUrl, {
        credentials: { kind: 'access-token', accessToken: 'static' },
        timeLimit: how === 'a time-out' ? 80 : 20_000,
      });
      expect(await failureOf(client.usages.report(usage))).toMatchObject({ effect });
    },
  );

  test('is unknown if any attempt may have been carried out', async () => {
    const respond = inTurn(closeConnection, status(404));
    const { error } = await failingCall({ respond }, ({ usages }) => usages.report(removal));
    expect(error).toMatchObject({ code: 'request-refused', status: 404, effect: 'unknown' });
  });

  test('is none if there was no token', async () => {
    const { error, requests } = await failingCall({ token: closeConnection });
    expect(error).toMatchObject({ code: 'service-unreachable', effect: 'none' });
    expect(requests).toEqual([]);
  });
});

describe('Retry-After', () => {
  const start = Date.UTC(2026, 2, 1, 12, 0, 0);

  test.for([
    ['5', 5000],
    ['0', 0],
    [' 7 ', 7000],
    ['1.5', 1500],
    ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
    ['Sunday, 01-Mar-26 12:00:30 GMT', 30_000],
    ['Sun, 01 Mar 2026 11:59:00 GMT', 0],
    ['63072000', 63_072_000_000],
    ['Sun, 01 Mar 2099 12:00:00 GMT', Date.UTC(2099, 2, 1, 12) - start],
    ['soon', undefined],
    ['-1', undefined],
    ['2026-03-01', undefined],
    ['', undefined],
    ['1e9', undefined],
    ['Infinity', undefined],
    ['Sun, 99 Mar 2026', undefined],
    [null, undefined],
  ] satisfies [string | null, number | undefined][])('%j asks for %s ms', ([header, wait]) => {
    expect(readRetryAfter(header, start)).toBe(wait);
  });

  test.for([
    ['seconds', '20'],
    ['an HTTP date', new Date(start + 20_000).toUTCString()],
  ])('in %s delays all calls to that host', async ([, header = '']) => {
    const time = createTime(start);
    const arrivals: number[] = [];
    const limitedOnce = inTurn(status(429, { 'retry-after': header }), ok);
    const service = await startScriptedService({
      respond: (response, request) => {
        arrivals.push(time.now);
        return limitedOnce(response, request);
      },
    });
    const client = scriptedClient(service.url, {
      ...time.effects,
      random: () => 0.9,
      concurrency: 1,
    });
    await Promise.all([client.usages.report(usage), client.usages.report(removal)]);
    expect(arrivals[0]).toBe(start);
    expect(arrivals).toHaveLength(3);
    expect(Math.min(...arrivals.slice(1))).toBe(start + 20_000);
  });

  test('past the deadline fails at once, and later calls send no request', async () => {
    const time = createTime(start);
    const service = await startScriptedService({ respond: status(503, { 'retry-after': '121' }) });
    const client = scriptedClient(service.url, time.effects);
    const code = {
      ...{ code: 'service-limited', status: 503 },
      message: expect.stringContaining('(503), and asks for a wait of 121 s'),
    };
    const first = failureOf(client.files.original(4711));
    expect(await first).toMatchObject(code);
    expect(await failureOf(client.usages.report(usage))).toMatchObject({ ...code, effect: 'none' });
    expect(service.requests).toHaveLength(1);
    expect(time.slept).toEqual([]);
    time.now += 121_000;
    await failureOf(client.files.original(4711));
    expect(service.requests).toHaveLength(2);
  });

  test.for([
    ['years', '63072000'],
    ['a date in years', new Date(start + 63_072_000_000).toUTCString()],
    ['more than five minutes', '301'],
  ])(
    'of %s is an error that says so, and holds calls back for five minutes',
    async ([, header = '']) => {
      const time = createTime(start);
      const limited = status(429, { 'retry-after': header });
      const service = await startScriptedService({ respond: inTurn(limited, ok) });
      const patient = { ...time.effects, deadline: 3_600_000 };
      const client = scriptedClient(service.url, patient);
      const seconds = header === '301' ? 301 : 63_072_000;
      for (const _ of [1, 2])
        expect(await failureOf(client.usages.report(usage))).toMatchObject({
          code: 'service-limited',
          effect: 'none',
          message: expect.stringContaining(`(429), and asks for a wait of ${seconds} s`),
        });
      expect(service.requests).toHaveLength(1);
      expect(time.slept.filter((wait) => wait > 500)).toEqual([]);
      time.now += 5 * 60_000;
      await client.usages.report(usage);
    },
  );

  test("of years ends calls that wait for an earlier one's pause", async () => {
    const time = createTime(start);
    const { url } = await startScriptedService({
      respond: inTurn(
        status(429, { 'retry-after': '20' }),
        status(429, { 'retry-after': '63072000' }),
      ),
    });
    const client = scriptedClient(url, { ...time.effects, concurrency: 2 });
    const both = [client.files.original(1), client.files.original(2)].map(failureOf);
    for (const error of await Promise.all(both))
      expect(error).toMatchObject({ code: 'service-limited' });
    expect(time.now - start).toBeLessThan(60_000);
  });

  test('of five minutes is waited for within a longer deadline', async () => {
    const time = createTime(start);
    const limited = status(429, { 'retry-after': '300' });
    const service = await startScriptedService({ respond: inTurn(limited, ok) });
    const patient = { ...time.effects, deadline: 3_600_000, random: () => 0 };
    await scriptedClient(service.url, patient).usages.report(usage);
    expect(time.now).toBe(start + 300_000);
  });

  test('is waited for again if a timer fired early', async () => {
    const time = createTime(start);
    const sleeps: number[] = [];
    const limited = status(429, { 'retry-after': '1' });
    const service = await startScriptedService({ respond: inTurn(limited, ok) });
    const client = scriptedClient(service.url, {
      clock: () => time.now,
      random: () => 0,
      async sleep(milliseconds) {
        sleeps.push(milliseconds);
        time.now += Math.max(0, milliseconds === 1000 ? 999 : milliseconds);
      },
    });
    await client.usages.report(usage);
    expect(sleeps).toEqual([0, 1000, 1]);
  });

  test('keeps the doubt of an earlier attempt', async () => {
    const respond = status(503, { 'retry-after': '9999' });
    const { error } = await failingCall({ respond }, ({ usages }) => usages.report(removal));
    expect(error).toMatchObject({ code: 'service-limited', effect: 'unknown' });
  });
});

describe('waits', () => {
  test('grow exponentially, with full jitter', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempt, random) => {
          const wait = backoff(attempt, () => random);
          expect(wait).toBeGreaterThanOrEqual(0);
          expect(wait).toBeLessThan(Math.min(15_000, 500 * 2 ** (attempt - 1)));
        },
      ),
    );
    expect([1, 2, 3, 4].map((attempt) => backoff(attempt, () => 0.5))).toEqual([
      250, 500, 1000, 2000,
    ]);
  });

  test('end at the deadline', async () => {
    const time = createTime();
    const service = await startScriptedService({ respond: status(503) });
    const options = { ...time.effects, random: () => 0.999, attempts: 50, deadline: 4000 };
    const error = await failureOf(scriptedClient(service.url, options).files.original(4711));
    expect(error).toMatchObject({ code: 'service-failed', status: 503 });
    expect(time.slept).toEqual([499, 999, 1998]);
  });

  test("end when the caller's signal fires, with its reason", async () => {
    const service = await startScriptedService({ respond: status(503) });
    const controller = new AbortController();
    const reason = new Error('the build was stopped');
    const client = scriptedClient(service.url, {
      sleep: async () => controller.abort(reason),
    });
    const work = client.files.original(4711, { signal: controller.signal });
    expect(await failureOf(work)).toBe(reason);
    expect(service.requests).toHaveLength(1);
  });
});

function cutShort(response: Parameters<Respond>[0]): void {
  response.writeHead(200, { 'content-length': '100' });
  response.write('{"a":', () => response.destroy());
}
