import { writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { type CommandContext, runCommand } from '../../support/process/run-command.ts';
import { builtRules } from '../../support/site/built-folder.ts';
import { environment, folder, server, site, useUsageProject } from './usage-project.ts';

useUsageProject();

/** The file of the last build that has started. */
function leave(build: string, finished: boolean): void {
  const rules = { ...builtRules, service: server.url, build, finished };
  writeFileSync(folder.path('.media-asset/build.json'), JSON.stringify(rules));
}

const run = (words: string, context: Partial<CommandContext> = {}) =>
  runCommand(words.split(' '), { directory: folder.dir, environment: environment(), ...context });

beforeEach(async () => {
  await folder.page('dist/index.html', 'Harbour', 4711, 'no-id');
  await folder.page('dist/quay/index.html', 'The quay', 4712);
  await folder.build({});
  leave('a', true);
  await run('report dist --yes');
  await folder.remove('dist/quay');
  server.log.length = 0;
});

function expectNothingSent(): void {
  expect(server.log).toEqual([]);
  expect(server.model.list()).toHaveLength(2);
}

describe('after a build that has not finished', () => {
  beforeEach(() => leave('a', false));

  test.each(['plan dist', 'report dist --yes', 'reconcile dist --yes'])(
    "%s doesn't remove the pages that its folder lacks",
    async (words) => {
      const { exitCode, stderr } = await run(words);
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`The last build of ${site} didn't finish, or had no credentials.`);
      expect(stderr).toContain('[build-unfinished]');
      expectNothingSent();
    },
  );

  test('status shows the ledger and the unfinished build', async () => {
    const { exitCode, stdout, stderr } = await run('status');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^known +2 usages on 2 pages: 2 confirmed, 0 in doubt$/m);
    expect(stderr).toContain(`warning The last build of ${site} didn't finish`);
    expect(JSON.parse((await run('status --json')).stdout)).toMatchObject({
      pairs: { confirmed: 2 },
      findings: [{ code: 'build-unfinished', severity: 'warning' }],
    });
    leave('a', true);
    expect((await run('status')).stderr).toBe('');
  });

  test('retire removes the usages in the ledger', async () => {
    expect(await run(`retire --site ${site} --yes`)).toMatchObject({
      exitCode: 0,
      stdout: '0 usages reported, 2 removed, in 2 requests.\n',
    });
    expect(server.model.list()).toEqual([]);
  });
});

test.each([
  ['plan dist', false],
  ['report dist --yes', false],
  ['report dist --yes', true],
  ['reconcile dist --yes', false],
])(
  '%s stops if another build began while it read the pages (and ended: %s)',
  async (words, finished) => {
    // Findings are printed after the last page is read.
    const onFindings = () => leave('b', finished);
    const { exitCode, stderr } = await run(words, { onFindings });
    expect(stderr).toContain('has started in this folder');
    expect(stderr).toContain('[build-unfinished]');
    expect(exitCode).toBe(1);
    expectNothingSent();
  },
);

test.each([
  ['report', false],
  ['report', true],
  ['reconcile', true],
])(
  '%s sends nothing if another build began before the confirmation (and ended: %s)',
  async (name, finished) => {
    const confirm = async () => {
      leave('b', finished);
      return true;
    };
    const { exitCode, stderr } = await run(`${name} dist`, { confirm });
    expect(stderr).toContain('[build-unfinished]');
    expect(exitCode).toBe(1);
    expectNothingSent();
  },
);

test('reconcile repairs nothing if another build starts during the listing', async () => {
  server.list = () => {
    leave('b', false);
    return 'records';
  };
  expect((await run('reconcile dist --yes')).exitCode).toBe(1);
  expectNothingSent();
});
