import { beforeEach, describe, expect, test } from 'vitest';
import { startService } from '../../support/service/start-service.ts';
import { postUsage, removalBody, usageBody } from '../../support/service/usage-posts.ts';

const emulator = await startService([{ path: 'quay.png', width: 90, height: 60 }]);

beforeEach(async () => {
  await emulator.clearFaults();
  await emulator.reset();
});

const lastLogged = () => emulator.log().at(-1);

describe('a late request', () => {
  test('takes effect after its connection was reset', async () => {
    await emulator.setFaults([{ call: 'usage-report', kind: 'late', ms: 3000 }]);
    const sent = Date.now();
    await expect(postUsage(emulator, usageBody)).rejects.toThrow();
    expect(emulator.usages()).toEqual([]);
    expect(lastLogged()).toMatchObject({ status: null, fault: 'late', effect: null });
    await expect.poll(() => emulator.usages()).toHaveLength(1);
    expect(Date.now() - sent).toBeGreaterThanOrEqual(3000);
    await expect.poll(lastLogged).toMatchObject({ status: null, fault: 'late', effect: true });
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
