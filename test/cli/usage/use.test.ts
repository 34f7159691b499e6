import { expect, test } from 'vitest';
import { command, folder, report, server, token, useUsageProject } from './usage-project.ts';

useUsageProject();

const project = ['--project', 'Annual report'];
const useAlone = (words: string[], environment = token) =>
  folder.command(['use', ...words, '--service', server.url], environment);
const use = (...words: string[]) => useAlone([...words, ...project, '--yes']);
const status = async () => (await command('status')).stdout;

test('needs no site and no build, and is listed by status until it ends', async () => {
  expect(await use('4712', '4711', '--types', 'print, social', '--amount', '500')).toMatchObject({
    exitCode: 0,
    stdout: '2 usages reported, 0 removed, in 1 request.\n',
  });
  expect(server.model.records).toMatchObject([
    { id: 4711, page: '', project: 'Annual report', contact: 'Annual report', amount: '500' },
    { id: 4712, page: '', types: ['print', 'social'] },
  ]);
  expect(await status()).toMatch(
    /^projects +Annual report: 4711, 4712 \(print, social, 500, Annual report\)\nknown +2 usages in 1 project: 2 confirmed/m,
  );
  expect((await use('4712', '--remove')).stdout).toBe(
    '0 usages reported, 1 removed, in 1 request.\n',
  );
  const { stdout } = await command('status', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    kept: false,
    projects: {
      uses: [{ project: 'Annual report', ids: [4711], amount: '500', types: ['print', 'social'] }],
      pairs: { confirmed: 1, inDoubt: 0, unsent: 0 },
      unsentSince: null,
    },
  });
  expect(server.model.records).toHaveLength(1);
  expect((await folder.command(['usages', '4711', '--service', server.url], token)).stdout).toMatch(
    /Annual report +Annual report +\d{4}-\d\d-\d\d\n1 usage\.$/m,
  );
  await use('4711', '--remove');
  expect(await status()).toMatch(/^projects +no uses\nknown +nothing/m);
});

test('without a change sends nothing and says so', async () => {
  await use('4711', '--contact', 'Ada Berg');
  server.log.length = 0;
  const again = await use('4711', '--json');
  expect(JSON.parse(again.stdout)).toEqual({
    ...{ version: 1, reported: 0, removed: 0, requests: 0, unsent: 0 },
  });
  expect((await use('4711')).stdout).toContain('Nothing changed');
  expect(server.log).toEqual([]);
});

test('the removal of an unknown use sends nothing and names what is known', async () => {
  await use('4711', '4713');
  server.log.length = 0;
  const { exitCode, stderr } = await use('4712', '--remove');
  expect(exitCode).toBe(0);
  expect(stderr).toContain('The ledger has no use of 4712 in “Annual report”. It has: 4711, 4713.');
  expect(server.log).toEqual([]);
  expect((await use('4712', '4713', '--remove')).stdout).toContain('1 removed');
});

test("leaves the site's usages and ledger alone, and the site leaves it alone", async () => {
  await folder.page('dist/index.html', 'Harbour', 4711);
  await report('--project', 'Annual report', '--description', 'Our site');
  const [home] = server.model.records;
  expect(home).toMatchObject({ project: 'Annual report', description: 'Our site' });
  await use('4711');
  await folder.page('dist/index.html', 'Harbour', 4712);
  await report('--project', 'Annual report');
  expect(server.model.records).toMatchObject([
    { id: 4711, page: '' },
    { id: 4712, page: 'https://harbour.example/' },
  ]);
  const reconciled = await command('reconcile', 'dist', '--yes', '--all', ...project);
  expect(reconciled.stdout).toContain('No drift');
  await command('retire', '--yes');
  expect(server.model.records).toMatchObject([{ id: 4711, page: '' }]);
});

test('keeps what could not be sent for the next run', async () => {
  server.treat = () => ({ status: 503 });
  expect(await use('4711', '--time-limit', '1')).toMatchObject({ exitCode: 4 });
  server.treat = () => 'done';
  expect((await use('4712', '--amount', '2')).stdout).toContain('2 usages reported');
  expect(server.model.records.map(({ id, amount }) => [id, amount]).sort()).toEqual([
    [4711, '1'],
    [4712, '2'],
  ]);
});

test('shows the plan first, and needs --yes without a terminal', async () => {
  const { exitCode, stderr } = await useAlone(['4711', ...project]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('Pass --yes to send the change.');
  expect(server.log).toEqual([]);
});

test.for([
  ['no project', ['4711'], '--project'],
  ['an empty project', ['4711', '--project', '\u0007 '], '--project is empty'],
  ['no ID', project, 'id'],
  ['a wrong ID', ['4711x', ...project], "4711x isn't an asset ID"],
  ['an amount that is not digits', ['1', ...project, '--amount', '1.5'], "--amount 1.5 isn't a"],
  ['an empty type', ['1', ...project, '--types', 'print,,web'], '--types is empty'],
  ['a removal with a description', ['1', ...project, '--remove', '--description', 'x'], '--remove'],
  ['a removal with fields', ['1', ...project, '--remove', '--amount', '2'], '--remove'],
] as const)('refuses %s', async ([, words, said]) => {
  const { exitCode, stderr } = await useAlone([...words, '--yes']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(said);
  expect(server.log).toEqual([]);
});

test("refuses the project of the site's pages, which a removal could reach", async () => {
  await folder.build({ project: 'Annual report' });
  const { exitCode, stderr } = await use('4711');
  expect(exitCode).toBe(2);
  expect(stderr).toContain("The site's pages are in the project “Annual report”.");
  expect(server.log).toEqual([]);
});

test('keeps nothing of a use that no request can have', async () => {
  const { exitCode, stderr } = await use('4711', '--contact', '\ud800');
  expect(exitCode).toBe(1);
  expect(stderr).toContain('well-formed');
  expect((await use('4712')).stdout).toContain('1 usage reported');
});
