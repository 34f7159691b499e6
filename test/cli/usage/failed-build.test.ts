import { rm } from 'node:fs/promises';
import { beforeEach, expect, test } from 'vitest';
import { folder, server, site, token, useUsageProject, writePages } from './usage-project.ts';

useUsageProject();

const command = (...words: string[]) =>
  folder.command(words, { MEDIA_ASSET_BASE_URL: server.url, ...token });

/** The state a build leaves: unfinished at its start, finished at its end. */
function leave(finished: boolean) {
  return folder.build({ service: server.url, finished });
}

beforeEach(async () => {
  await writePages();
  await leave(true);
  await command('report', 'dist', '--yes');
  await leave(false);
  await folder.remove('dist/quay');
  server.log.length = 0;
});

test.each([
  ['plan', 'dist'],
  ['report', 'dist', '--yes'],
  ['reconcile', 'dist', '--yes'],
])("%s doesn't remove the pages that an unfinished folder lacks", async (...words) => {
  const { exitCode, stderr } = await command(...words);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`The last build of ${site} didn't finish, or had no credentials.`);
  expect(stderr).toContain('[build-unfinished]');
  expect(server.log).toEqual([]);
  expect(server.model.list()).toHaveLength(3);
});

test('status shows the ledger and the unfinished build', async () => {
  const { exitCode, stdout, stderr } = await command('status');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^known +3 usages on 2 pages: 3 confirmed, 0 in doubt$/m);
  expect(stderr).toContain(`warning The last build of ${site} didn't finish`);
  expect(JSON.parse((await command('status', '--json')).stdout)).toMatchObject({
    pairs: { confirmed: 3 },
    findings: [{ code: 'build-unfinished', severity: 'warning' }],
  });
  await leave(true);
  expect((await command('status')).stderr).toBe('');
});

test('retire removes the usages in the ledger', async () => {
  const { exitCode, stdout } = await command('retire', '--site', site, '--yes');
  expect(exitCode).toBe(0);
  expect(stdout).toBe('0 usages reported, 3 removed, in 2 requests.\n');
  expect(server.model.list()).toEqual([]);
});

test('reconcile without a folder repairs the ledger and sends nothing', async () => {
  const ledger = (await command('status', '--json')).stdout;
  await rm(JSON.parse(ledger).ledger);
  const assets = ['--asset', '4711', '--asset', '4712'];
  const { exitCode, stdout } = await command('reconcile', '--yes', ...assets);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("The ledger now matches the service's list");
  expect(server.log).toEqual([]);
  expect((await command('status')).stdout).toContain('3 usages on 2 pages: 3 confirmed');
});
