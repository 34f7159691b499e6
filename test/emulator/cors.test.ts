import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type EmulatorProcess, startEmulatorProcess } from '../support/service/emulator-process.ts';

const origin = 'https://editor.example';

let emulator: EmulatorProcess;

beforeAll(async () => {
  emulator = await startEmulatorProcess();
});

beforeEach(async () => {
  await emulator.clearFaults();
  await emulator.setSettings({ cors: origin });
});

afterAll(() => emulator.stop());

const allowed = ({ headers }: Response) => headers.get('access-control-allow-origin');

function preflight(from: string, path = '/1/files/multiple/usages'): Promise<Response> {
  return fetch(`${emulator.url}${path}`, {
    method: 'OPTIONS',
    headers: {
      Origin: from,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type',
    },
  });
}

describe('pages of the allowed origin', () => {
  test('can send preflights without a token', async () => {
    const response = await preflight(origin);
    expect([response.status, allowed(response)]).toEqual([204, origin]);
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization,content-type');
    expect(response.headers.get('access-control-allow-methods')).toMatch(/PUT.*POST/);
  });

  test('can read answers and errors, including faults', async () => {
    const headers = { Origin: origin };
    const tree = await emulator.fetch('/1/foldertree', { headers });
    expect([tree.status, allowed(tree)]).toEqual([200, origin]);
    expect(tree.headers.get('access-control-expose-headers')).toContain('ETag');
    const missing = await emulator.fetch('/1/file/9/download/0', { headers });
    expect([missing.status, allowed(missing)]).toEqual([404, origin]);
    const refused = await fetch(`${emulator.url}/1/foldertree`, { headers });
    expect([refused.status, allowed(refused)]).toEqual([401, origin]);
    await emulator.setFaults([{ kind: 'status', call: 'any', status: 503, times: 1 }]);
    const failed = await emulator.fetch('/1/foldertree', { headers });
    expect([failed.status, allowed(failed)]).toEqual([503, origin]);
  });
});

describe('pages of other origins', () => {
  test("can't read answers", async () => {
    const other = 'https://other.example';
    expect(allowed(await preflight(other))).toBeNull();
    const tree = await emulator.fetch('/1/foldertree', { headers: { Origin: other } });
    expect(allowed(tree)).toBeNull();
  });

  test("aren't allowed by default", async () => {
    await emulator.setSettings({ cors: '' });
    const response = await preflight(origin);
    expect([response.status, allowed(response)]).toEqual([401, null]);
    const tree = await emulator.fetch('/1/foldertree', { headers: { Origin: origin } });
    expect(allowed(tree)).toBeNull();
  });

  test.each(['*', 'editor.example', 'https://editor.example/', 'null'])(
    '%s is an invalid origin',
    async (cors) => {
      await expect(emulator.setSettings({ cors })).rejects.toThrow('cors');
    },
  );
});
