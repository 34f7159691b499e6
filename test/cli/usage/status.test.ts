import { beforeEach, describe, expect, test } from 'vitest';
import { heldIds } from '../../support/ledger/usage-fixtures.ts';
import { command, flags, folder, report, server, useUsageProject } from './usage-project.ts';

useUsageProject();

const many = Array.from({ length: 12 }, (_, index) => index + 1);

beforeEach(async () => {
  await folder.page('dist/index.html', 'Harbour', 4711, 4712);
  await folder.page('dist/quay/index.html', 'The quay', ...many);
});

const status = (...words: string[]) => folder.command(['status', ...flags(), ...words]);
const retire = (...words: string[]) => command('retire', ...words);

describe('status', () => {
  test('without a ledger says so, with a hint', async () => {
    const { exitCode, stdout } = await status();
    expect(exitCode).toBe(0);
    expect(stdout).toContain('no ledger yet');
    expect(stdout).toContain('media-asset reconcile');
    expect(JSON.parse((await status('--json')).stdout)).toMatchObject({
      ...{ version: 1, kept: false, pages: 0, pairs: { confirmed: 0, inDoubt: 0, unsent: 0 } },
      ...{ unsentSince: null, lastRun: null },
    });
  });

  test('needs no credentials and sends nothing', async () => {
    await report();
    server.log.length = 0;
    const { exitCode, stdout } = await status();
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^site +https:\/\/harbour\.example$/m);
    expect(stdout).toContain(server.url);
    expect(stdout).toMatch(/^known +14 usages on 2 pages: 14 confirmed, 0 in doubt$/m);
    expect(stdout).toMatch(/^unsent +nothing$/m);
    expect(stdout).toMatch(
      /^last report +\d{4}-\S+: 14 usages reported, 0 removed, in 2 requests$/m,
    );
    expect(server.log).toEqual([]);
  });

  test('names held removals', async () => {
    await folder.page('dist/quay/index.html', 'The quay', ...heldIds);
    await report();
    await folder.remove('dist/quay');
    await report();
    expect((await status()).stdout).toContain(
      `${heldIds.length} removals, more than the guard allows\n`,
    );
  });

  test('names permanently refused usages', async () => {
    server.treat = ({ ids }) =>
      ids.includes(4712) ? { status: 422, body: '{"message":"no such file"}' } : 'done';
    await report();
    const { stdout } = await status();
    expect(stdout).toMatch(/^unsent +1 usage$/m);
    expect(stdout).toMatch(
      /^refused +asset 4712 on https:\/\/harbour\.example\/, 422: .*no such file/m,
    );
  });

  test('shows no control character of a page that the service lists', async () => {
    await report();
    const listed = server.model.records.find(({ page }) => page === 'https://harbour.example/');
    if (listed) server.model.records.push({ ...listed, page: `${listed.page}\u001b[2J/` });
    server.treat = ({ removed }) => (removed ? { status: 422 } : 'done');
    await command('reconcile', 'dist', '--yes');
    const { stdout } = await status();
    expect(stdout).toContain('removal of asset 4711 on https://harbour.example/ [2J/, 422');
  });

  test('names the reason if nothing could be sent', async () => {
    await server.close();
    await report();
    const { stdout } = await status();
    expect(stdout).toMatch(/^unsent +14 usages, since /m);
    expect(stdout).toContain('ECONNREFUSED');
  });
});

describe('retire', () => {
  test('removes all usages of the site and keeps an empty ledger', async () => {
    const page = 'https://other.example/';
    server.model.apply({
      ...{ ids: [4711], page, pageName: 'Other', project: 'Other', contact: '' },
      ...{ description: '', date: '2026-01-01', removed: false },
    });
    await report();
    const { exitCode, stdout, stderr } = await retire('--yes');
    expect(exitCode).toBe(0);
    expect(stderr).toContain('Plan: 14 usages to remove.');
    expect(stdout).toBe('0 usages reported, 14 removed, in 2 requests.\n');
    expect(server.model.list()).toEqual(['https://other.example/ 4711 Other']);
    expect((await status()).stdout).toMatch(/known\s+nothing\n/);

    const again = await retire('--yes');
    expect(again.exitCode).toBe(0);
    expect(again.stdout).toContain('Nothing to remove');
  });

  test('needs --yes without a terminal', async () => {
    await report();
    const { exitCode, stderr } = await retire();
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--yes');
    expect(server.model.list()).toHaveLength(14);
  });

  test("of a site without a ledger says that its usages aren't known", async () => {
    const { exitCode, stdout } = await retire('--yes');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('There is no ledger at ');
  });

  test("keeps usages in the ledger that couldn't be removed", async () => {
    await report();
    server.treat = () => ({ status: 429, retryAfter: 3600 });
    const failed = await retire('--yes', '--json');
    expect(failed.exitCode).toBe(4);
    expect(JSON.parse(failed.stdout)).toMatchObject({
      removed: 0,
      unsent: 14,
      findings: [{ code: 'usage-unsent', severity: 'warning' }],
    });
    server.treat = () => 'done';
    expect((await retire('--yes')).exitCode).toBe(0);
    expect(server.model.list()).toEqual([]);
  });
});
