import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../../support/process/run-command.ts';
import { findRedis, type RedisServer, startRedis } from '../../support/process/start-redis.ts';
import { environment, folder, server, useUsageProject } from './usage-project.ts';

useUsageProject();

const password = 'hunter2';

beforeEach(() => folder.page('dist/index.html', 'Harbour', 4711, 4712));

const report = (...flags: string[]) =>
  folder.command(['report', 'dist', '--yes', ...flags], environment());

/** Leaves the rules of a build whose ledger is in this store. */
function builtWith(store: unknown): Promise<void> {
  return folder.build({ service: server.url, store });
}

describe('a report after a build', () => {
  test('uses the file that the build has named', async () => {
    await builtWith({ file: 'state/ledger.json' });
    expect((await report()).stdout).toBe('2 usages reported, 0 removed, in 1 request.\n');
    expect((await report('--state', 'state/ledger.json')).stdout).toContain('Nothing changed');
  });

  test.each([
    ['redis', 'options-invalid'],
    ['unstorage', 'rules-broken'],
  ])("sends nothing if it can't open the build's store: %s", async (store, code) => {
    await builtWith(store);
    const { exitCode, stderr } = await report();
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`[${code}]`);
    expect(server.log).toEqual([]);
  });

  test("for another site, such as one that has moved, needs the build's Redis too", async () => {
    await builtWith('redis');
    const old = ['--site', 'https://old.example', '--yes'];
    for (const words of [['report', 'dist'], ['retire']]) {
      const { exitCode, stderr } = await folder.command([...words, ...old], environment());
      expect(exitCode).toBe(1);
      expect(stderr).toContain('MEDIA_ASSET_STATE_URL: missing');
    }
  });
});

describe.skipIf(!findRedis())('a report with its ledger in Redis', () => {
  let redis: RedisServer;

  const inRedis = () => ({ ...environment(), MEDIA_ASSET_STATE_URL: redis.url });
  const command = (...words: string[]) => folder.command(words, inRedis());

  beforeEach(async () => {
    redis = await startRedis({ password });
    await builtWith('redis');
  });

  afterEach(() => redis.stop());

  test('needs no file from the build before', async () => {
    const first = await command('report', 'dist', '--yes');
    expect(first.stdout).toBe('2 usages reported, 0 removed, in 1 request.\n');
    expect(first.stderr).not.toContain(password);
    await folder.page('dist/index.html', 'Harbour', 4711);
    expect((await command('report', 'dist', '--yes')).stdout).toContain('reported, 1 removed');
  });

  test('that goes down during a request ends with a warning, and sends nothing more', async () => {
    for (const id of [1, 2]) await folder.page(`dist/${id}/index.html`, `Page ${id}`, id);
    await command('report', 'dist', '--yes');
    await folder.page('dist/index.html', 'Harbour', 4711, 4713);
    await folder.remove('dist/1');
    server.log.length = 0;
    server.treat = async (_, index) => {
      if (index === 0) await redis.stop();
      return 'done' as const;
    };
    const { exitCode, stderr } = await command('report', 'dist', '--yes');
    expect(stderr).toMatch(/^warning .*\n.*\[store-unreachable\]/);
    expect(exitCode).toBe(0);
    expect(server.log).toHaveLength(1);
  });

  describe('that is down', () => {
    const outage = { code: 'store-unreachable', severity: 'warning' };

    beforeEach(() => redis.stop());

    test.each([
      ['plan', { requests: null, guard: null }],
      ['report', { reported: null, removed: null, requests: null, unsent: null }],
    ])('%s warns, sends nothing, and shows no password', async (name, json) => {
      const words = [name, 'dist', ...(name === 'report' ? ['--yes'] : [])];
      const { exitCode, stdout, stderr } = await command(...words);
      expect(exitCode).toBe(0);
      expect(stderr).toMatch(/^warning The store of the ledger .*ECONNREFUSED.*\n.*\[store-unr/m);
      expect(stdout).toMatch(/^Stopped: The store of the ledger/);
      expect(stdout + stderr).not.toContain(password);
      expect(JSON.parse((await command(...words, '--json')).stdout)).toEqual({
        version: 1,
        ...json,
        findings: [expect.objectContaining(outage)],
      });
      expect(server.log).toEqual([]);
    });

    test('report fails with --on-error fail, and sends nothing', async () => {
      const { exitCode, stderr } = await command('report', 'dist', '--yes', '--on-error', 'fail');
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/^error The store of the ledger/m);
      expect(server.log).toEqual([]);
    });

    test('report warns before it asks for confirmation', async () => {
      const { exitCode, stderr } = await runCommand(['report', 'dist'], {
        directory: folder.dir,
        environment: inRedis(),
        confirm: () => Promise.reject(new Error('asked')),
      });
      expect(exitCode).toBe(0);
      expect(stderr).toContain('[store-unreachable]');
    });
  });
});
