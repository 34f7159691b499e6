import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startBentEmulator } from '../../support/bends/bent-emulator.ts';
import { drawTestImages } from '../../support/images/test-images.ts';
import {
  type EmulatorProcess,
  startEmulatorProcess,
} from '../../support/service/emulator-process.ts';
import { postUsage, removalBody, usageBody } from '../../support/service/usage-posts.ts';

let media: string;
let emulator: EmulatorProcess;

beforeAll(async () => {
  media = await drawTestImages([{ path: 'quay.png', width: 90, height: 60 }]);
  emulator = await startEmulatorProcess({ media });
  await emulator.fetch('/1/none');
});

afterAll(async () => {
  await emulator.stop();
  await rm(media, { recursive: true });
});

beforeEach(async () => {
  await emulator.clearFaults();
  await emulator.reset();
});

const lastLogged = () => emulator.log().at(-1);

describe('a reset connection', () => {
  test.each([
    ['reset-before', 0],
    ['reset-after', 1],
  ] as const)('with %s fails for the client and leaves %i records', async (kind, recorded) => {
    await emulator.setFaults([{ call: 'usage-report', kind }]);
    await expect(postUsage(emulator, usageBody)).rejects.toMatchObject({
      cause: { code: expect.stringMatching(/^(ECONNRESET|UND_ERR_SOCKET)$/) },
    });
    expect(emulator.usages()).toHaveLength(recorded);
    expect(lastLogged()).toMatchObject({
      status: null,
      outcome: 'reset',
      effect: recorded === 1,
      fault: kind,
    });
  });
});

describe('a late request', () => {
  test('takes effect after its connection was reset', async () => {
    await emulator.setFaults([{ call: 'usage-report', kind: 'late', ms: 3000 }]);
    const sent = Date.now();
    await expect(postUsage(emulator, usageBody)).rejects.toThrow();
    expect(emulator.usages()).toEqual([]);
    expect(lastLogged()).toMatchObject({ status: null, outcome: 'late', effect: null });
    await expect.poll(() => emulator.usages()).toHaveLength(1);
    expect(Date.now() - sent).toBeGreaterThanOrEqual(3000);
    await expect.poll(lastLogged).toMatchObject({ status: null, outcome: 'late', effect: true });
  });

  test('can be overtaken by later requests', async () => {
    await emulator.setFaults([{ call: 'usage-report', kind: 'late', ms: 2000 }]);
    await expect(postUsage(emulator, usageBody)).rejects.toThrow();
    expect((await postUsage(emulator, removalBody)).status).toBe(200);
    await expect.poll(() => emulator.usages()).toHaveLength(1);
  });

  test('is dropped by a reset of the emulator', async () => {
    await emulator.setFaults([
      { call: 'usage-report', kind: 'late', ms: 100, times: 1 },
      { call: 'usage-list', kind: 'latency', ms: 400 },
    ]);
    await expect(postUsage(emulator, usageBody)).rejects.toThrow();
    await emulator.reset();
    await emulator.fetch('/1/file/4711/usage');
    expect(emulator.usages()).toEqual([]);
    expect(emulator.log()).toHaveLength(1);
  });
});

describe('latency', () => {
  test('delays the answer but not the effect, and adds up', async () => {
    await emulator.setFaults([
      { call: 'any', kind: 'latency', ms: 1000 },
      { call: 'usage-report', kind: 'latency', ms: 1000 },
    ]);
    const sent = performance.now();
    const answer = postUsage(emulator, usageBody).then(() => performance.now() - sent);
    await expect.poll(() => emulator.usages(), { interval: 5 }).toHaveLength(1);
    expect(lastLogged()).toMatchObject({ status: null, outcome: null });
    expect(await answer).toBeGreaterThanOrEqual(1999);
    expect(lastLogged()).toMatchObject({ status: 200, fault: 'latency', effect: true });
  });

  test('ends early when the emulator closes', async () => {
    const own = await drawTestImages([{ path: 'a.png', width: 9, height: 9 }]);
    const local = await startBentEmulator({
      media: own,
      data: `${own}/data`,
      faults: [{ call: 'any', kind: 'latency', ms: 600_000 }],
    });
    const answer = fetch(`${local.url}/1/none`);
    await expect.poll(() => local.requests()).toHaveLength(1);
    await local.close();
    expect((await answer).status).toBe(401);
    await rm(own, { recursive: true });
  });
});

describe('a status fault', () => {
  test.each([
    ['json', 'application/json', /^\{"error":\{"code":"fault"/],
    ['text', 'text/plain', /failed/],
    ['html', 'text/html; charset=utf-8', /^<!doctype html>/],
    ['empty', null, /^$/],
  ] as const)('answers as %s', async (body, type, text) => {
    await emulator.setFaults([{ call: 'usage-report', kind: 'status', status: 502, body }]);
    const response = await postUsage(emulator, usageBody);
    expect(response.status).toBe(502);
    expect(response.headers.get('Content-Type')).toBe(type);
    expect(await response.text()).toMatch(text);
    expect(emulator.usages()).toEqual([]);
    expect(lastLogged()).toMatchObject({ status: 502, outcome: 'answered', effect: false });
  });

  test("can leave the request's effect", async () => {
    const fault = { call: 'usage-report', kind: 'status', status: 500, effect: true } as const;
    await emulator.setFaults([fault]);
    const response = await postUsage(emulator, usageBody);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ error: { code: 'fault' } });
    expect(emulator.usages()).toHaveLength(1);
    expect(lastLogged()).toMatchObject({ status: 500, effect: true });
  });
});

describe('a truncated download', () => {
  test.each(['download/0', 'download/-1?x1=0&y1=0&w=60&h=60'])('ends early: %s', async (path) => {
    const target = `/1/file/4711/${path}`;
    const whole = await (await emulator.fetch(target)).arrayBuffer();
    await emulator.setFaults([
      { call: 'original', kind: 'truncate' },
      { call: 'custom-format', kind: 'truncate' },
    ]);
    expect((await emulator.fetch(target, { method: 'HEAD' })).status).toBe(200);
    const response = await emulator.fetch(target);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Length')).toBe(String(whole.byteLength));
    await expect(response.arrayBuffer()).rejects.toThrow();
    expect(lastLogged()).toMatchObject({
      status: 200,
      outcome: 'truncated',
      bytes: Math.floor(whole.byteLength / 2),
    });
  });
});

describe('the frequency of a fault', () => {
  const fault = { call: 'usage-list', kind: 'status', status: 500 } as const;
  const hits = async (count: number): Promise<string> => {
    let marks = '';
    for (let index = 0; index < count; index++) {
      const response = await emulator.fetch('/1/file/4711/usage');
      await response.arrayBuffer();
      marks += response.status === 500 ? 'x' : '.';
    }
    return marks;
  };

  test.each([
    [{ times: 2 }, 'xx....'],
    [{ skip: 3 }, '...xxx'],
    [{ skip: 1, times: 2 }, '.xx...'],
    [{ rate: 0 }, '......'],
    [{ rate: 1 }, 'xxxxxx'],
  ])('%j: %s', async (frequency, expected) => {
    await emulator.setFaults([{ ...fault, ...frequency }]);
    expect(await hits(6)).toBe(expected);
    const [state] = await emulator.faults();
    expect(state).toMatchObject({ met: 6, hit: expected.replaceAll('.', '').length });
  });

  test('with a rate is the same for the same seed', async () => {
    const third = [{ ...fault, rate: 1 / 3 }];
    const rows: string[] = [];
    for (const seed of [1, 2, 1]) {
      await emulator.setSettings({ seed });
      await emulator.setFaults(third);
      rows.push(await hits(60));
    }
    const [first, second, again] = rows;
    expect(again).toBe(first);
    expect(second).not.toBe(first);
    for (const row of rows) expect(row.replaceAll('.', '').length).toBeGreaterThan(8);
    for (const row of rows) expect(row.replaceAll('.', '').length).toBeLessThan(34);
  });

  test('counts for the first fault that hits, in order', async () => {
    await emulator.setFaults([
      { ...fault, times: 2 },
      { ...fault, kind: 'limit', status: 429, times: 1 },
    ]);
    await hits(5);
    expect(emulator.log().map(({ status }) => status)).toEqual([500, 500, 429, 200, 200]);
    expect(await emulator.faults()).toMatchObject([{ met: 5 }, { met: 3 }]);
  });
});

describe('the log of concurrent requests with every fault', () => {
  test('says for each whether it took effect', async () => {
    const call = 'usage-report';
    await emulator.setFaults([
      { call, kind: 'latency', ms: 10, rate: 0.5 },
      { call, kind: 'reset-before', rate: 0.1 },
      { call, kind: 'reset-after', rate: 0.1 },
      { call, kind: 'late', ms: 50, rate: 0.1 },
      { call, kind: 'status', status: 500, rate: 0.1 },
      { call, kind: 'status', status: 500, effect: true, rate: 0.1 },
      { call, kind: 'limit', retryAfter: 1, rate: 0.1 },
    ]);
    const pages = Array.from({ length: 300 }, (_, index) => `https://www.example.org/${index}/`);
    await Promise.allSettled(
      pages.map(async (page) => {
        await (await postUsage(emulator, { ...usageBody, web: { page, pageName: '' } })).text();
      }),
    );
    const open = () => emulator.log().filter(({ effect }) => effect === null);
    await expect.poll(open).toEqual([]);
    const done = emulator.log().filter(({ effect }) => effect);
    expect(done.map(({ body }) => JSON.parse(body).web.page).toSorted()).toEqual(
      emulator
        .usages()
        .map(({ page }) => page)
        .toSorted(),
    );
    expect(new Set(emulator.log().map(({ fault }) => fault)).size).toBe(7);
    expect(emulator.output.stderr).toBe('');
  });
});
