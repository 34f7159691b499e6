import { describe, expect, test, vi } from 'vitest';
import { type Credentials, openTokenStore, type TokenStore } from '../../../src/service/index.ts';
import { runCommand } from '../../support/process/run-command.ts';
import { createBuiltFolder } from '../../support/site/built-folder.ts';
import {
  json,
  type Respond,
  scriptedClient,
  startScriptedService,
  usage,
} from '../scripted-service.ts';

const refresh: Credentials = { kind: 'refresh-token', refreshToken: 'refresh-0' };
const ended = expect.objectContaining({ code: 'call-ended', effect: 'none' });

/** Aborts a run during its first token request, which is answered later. */
async function endWhileAsking(answer: Respond) {
  const run = new AbortController();
  const asked = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const kept = Promise.withResolvers<string>();
  const service = await startScriptedService({
    async token(response, request) {
      asked.resolve();
      await over.promise;
      return answer(response, request);
    },
  });
  const tokenStore: TokenStore = {
    name: 'memory',
    read: async () => undefined,
    async update(change) {
      const tokens = await change(undefined);
      if (tokens?.refreshToken) kept.resolve(tokens.refreshToken);
    },
  };
  const client = scriptedClient(service.url, { credentials: refresh, tokenStore });
  const report = client.usages.report(usage, { signal: run.signal });
  await asked.promise;
  run.abort(new Error('the time limit'));
  await expect(report).rejects.toThrow(ended);
  return { client, service, kept: kept.promise, answer: over.resolve };
}

describe('the token request of an aborted run', () => {
  test('still completes, and saves its refresh token', async () => {
    const { service, kept, answer } = await endWhileAsking((response) =>
      json(response, { access_token: 'a', refresh_token: 'refresh-1' }),
    );
    answer();
    expect(await kept).toBe('refresh-1');
    expect(service.requests).toEqual([]);
  });

  test('serves a caller that comes before its answer', async () => {
    const { client, service, answer } = await endWhileAsking((response) =>
      json(response, { access_token: 'a' }),
    );
    const work = client.usages.report(usage);
    answer();
    await work;
    expect(service.tokenRequests).toHaveLength(1);
    expect(service.requests[0]?.headers.authorization).toBe('Bearer a');
  });
});

/** Reports one usage with its own credentials, and is interrupted a second later. Nothing is sent. */
async function reportForASecond(url: string, credentials: Record<string, string>): Promise<void> {
  const folder = await createBuiltFolder();
  try {
    await folder.page('dist/index.html', 'Harbour', 4711);
    const words = ['report', 'dist', '--yes', '--json', '--site', 'https://harbour.example'];
    const run = await runCommand([...words, '--service', url], {
      directory: folder.dir,
      environment: {
        ...{
          MEDIA_ASSET_CLIENT_ID: 'museum-site',
          MEDIA_ASSET_CLIENT_SECRET: 'client-secret-7f3a',
        },
        ...credentials,
      },
      signal: AbortSignal.timeout(1000),
    });
    expect(run.exitCode).toBe(4);
    expect(JSON.parse(run.stdout)).toMatchObject({ reported: 0, unsent: 1 });
  } finally {
    await folder.delete();
  }
}

describe('an interrupted command', { timeout: 15_000 }, () => {
  test("doesn't wait for another that holds the token store", async () => {
    const service = await startScriptedService({});
    const folder = await createBuiltFolder();
    vi.stubEnv('XDG_CONFIG_HOME', folder.path('config'));
    const own = { location: undefined, key: undefined, environment: {} };
    const settings = { ...own, credentials: refresh };
    const holder = openTokenStore({ service: 'https://dam.example', clientId: 'a', ...settings });
    const leave = Promise.withResolvers<undefined>();
    const held = holder?.update(() => leave.promise);
    try {
      await reportForASecond(service.url, { MEDIA_ASSET_REFRESH_TOKEN: 'refresh-0' });
      expect(service.tokenRequests).toEqual([]);
    } finally {
      leave.resolve(undefined);
      await held;
      vi.unstubAllEnvs();
      await folder.delete();
    }
  });

  test("doesn't wait long for a token that never comes", async () => {
    const service = await startScriptedService({ token: () => {} });
    await reportForASecond(service.url, {
      MEDIA_ASSET_USERNAME: 'harbour',
      MEDIA_ASSET_PASSWORD: 'pass-word-91c4',
    });
    expect(service.tokenRequests).toHaveLength(1);
  });
});
