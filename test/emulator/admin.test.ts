import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Emulator, startEmulator } from '../../src/emulator/index.ts';

let folder: string;
let emulator: Emulator;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'admin-'));
  emulator = await startEmulator({ media: folder, data: join(folder, 'data'), admin: true });
});

afterAll(async () => {
  await emulator.close();
  await rm(folder, { recursive: true });
});

function admin(method: string, path: string, body?: unknown, headers = {}): Promise<Response> {
  return fetch(`${emulator.url}/_emulator/${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

describe('admin calls', () => {
  test('are off by default', async () => {
    const plain = await startEmulator({ media: folder, data: join(folder, 'plain') });
    for (const [method, path] of [
      ['GET', 'faults'],
      ['POST', 'reset'],
      ['PUT', 'settings'],
    ] as const)
      expect((await fetch(`${plain.url}/_emulator/${path}`, { method })).status).toBe(404);
    await plain.close();
  });

  test('set, list and remove faults, with defaults filled in', async () => {
    const whole = { call: 'any', kind: 'late', ms: 9, rate: 1, skip: 0, met: 0, hit: 0 };
    const set = await admin('POST', 'faults', [{ call: 'any', kind: 'late', ms: 9 }]);
    expect([set.status, await set.json()]).toEqual([200, { faults: [whole] }]);
    expect(await (await admin('GET', 'faults')).json()).toEqual({ faults: [whole] });
    expect(emulator.faults()).toEqual([whole]);
    expect(await (await admin('DELETE', 'faults')).json()).toEqual({ faults: [] });
    expect(emulator.faults()).toEqual([]);
  });

  test('change settings, keep the others, and show no secret', async () => {
    const response = await admin('PUT', 'settings', { usages: 'append', removalOfNothing: 410 });
    expect(response.status).toBe(200);
    const shown = await response.text();
    expect(JSON.parse(shown)).toMatchObject({
      settings: { usages: 'append', removalOfNothing: 410, batches: 'whole' },
    });
    expect(shown).not.toContain(emulator.settings.clientSecret);
    expect(emulator.settings).toMatchObject({ usages: 'append', tokenLifetime: 3600 });
    emulator.setSettings({ usages: 'overwrite' });
    expect(emulator.settings.usages).toBe('overwrite');
  });

  test("aren't logged, and reset clears the log", async () => {
    await (await fetch(`${emulator.url}/1/none`)).arrayBuffer();
    await (await admin('GET', 'faults')).arrayBuffer();
    await (await admin('GET', 'none')).arrayBuffer();
    expect(emulator.requests().map(({ path }) => path)).toEqual(['/1/none']);
    expect((await admin('POST', 'reset')).status).toBe(200);
    expect(emulator.requests()).toEqual([]);
  });
});

describe('invalid admin calls change nothing', () => {
  const fault = { call: 'any', kind: 'status', status: 500 };
  test.each<[string, string, unknown, number, string, string?]>([
    ['POST', 'faults', fault, 400, 'faults-invalid', 'faults: '],
    ['POST', 'faults', [{ ...fault, kind: 'flood' }], 400, 'faults-invalid', 'faults.0.kind'],
    ['POST', 'faults', [{ ...fault, call: 'all' }], 400, 'faults-invalid', 'faults.0.call'],
    ['POST', 'faults', [fault, { ...fault, rate: 2 }], 400, 'faults-invalid', 'faults.1.rate'],
    ['POST', 'faults', [{ ...fault, status: 302 }], 400, 'faults-invalid', 'faults.0.status'],
    ['POST', 'faults', [{ ...fault, times: 0 }], 400, 'faults-invalid', 'faults.0.times'],
    ['POST', 'faults', [{ ...fault, often: 1 }], 400, 'faults-invalid', '"often"'],
    ['POST', 'faults', [{ call: 'any', kind: 'late' }], 400, 'faults-invalid', 'faults.0.ms'],
    ['POST', 'faults', [{ call: 'login', kind: 'truncate' }], 400, 'faults-invalid', '0.call'],
    ['POST', 'faults', '[', 400, 'json-invalid'],
    ['POST', 'faults', ' '.repeat(2 ** 18 + 1), 413, 'body-too-large'],
    ['PUT', 'settings', [], 400, 'settings-invalid'],
    ['PUT', 'settings', { usages: 'twice' }, 400, 'settings-invalid', 'usages'],
    ['PUT', 'settings', { use: 1 }, 400, 'settings-invalid', 'use: unknown setting'],
    ['PUT', 'settings', { admin: false }, 400, 'settings-invalid', 'admin'],
    ['PUT', 'settings', { password: 'x' }, 400, 'settings-invalid', 'password'],
    ['PATCH', 'settings', {}, 405, 'method-not-allowed'],
    ['GET', 'none', undefined, 404, 'path-unknown'],
  ])('%s %s %j answers %i', async (method, path, body, status, code, place = '') => {
    const before = [emulator.faults(), emulator.settings];
    const response = await admin(method, path, body);
    const answer = (await response.json()) as { error: { code: string; message: string } };
    expect([response.status, answer.error.code]).toEqual([status, code]);
    expect(answer.error.message).toContain(place);
    expect([emulator.faults(), emulator.settings]).toEqual(before);
  });

  test.each([
    [{ 'Content-Type': 'text/plain' }, 415],
    [{ Origin: 'https://evil.example' }, 403],
    [{ Origin: 'null' }, 403],
    [{ Origin: 'http://localhost:4321' }, 200],
  ])('a request with %j answers %i', async (headers, status) => {
    expect((await admin('POST', 'faults', [], headers)).status).toBe(status);
  });

  test('invalid faults throw an error in the same process', () => {
    const wrong = [{ call: 'any', kind: 'late', ms: -1 } as const];
    expect(() => emulator.setFaults(wrong)).toThrow(
      expect.objectContaining({ code: 'emulator-options-invalid' }),
    );
  });
});
