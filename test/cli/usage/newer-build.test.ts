import { writeFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { type CommandContext, runCommand } from '../../support/process/run-command.ts';
import { builtRules } from '../../support/site/built-folder.ts';
import { folder, server, token, useUsageProject } from './usage-project.ts';

useUsageProject();

/** The file of the last build that started. */
function mark(noted: { build?: string; finished: boolean }): void {
  const rules = { ...builtRules, service: server.url, ...noted };
  writeFileSync(folder.path('.media-asset/build.json'), JSON.stringify(rules));
}

const command = (words: readonly string[], surroundings: Partial<CommandContext> = {}) => {
  const environment = { MEDIA_ASSET_BASE_URL: server.url, ...token };
  return runCommand(words, { directory: folder.dir, environment, ...surroundings });
};

beforeEach(async () => {
  await folder.page('dist/index.html', 'Harbour', 4711, 'no-id');
  await folder.page('dist/quay/index.html', 'The quay', 4712);
  await folder.build({});
  mark({ build: 'a', finished: true });
  await command(['report', 'dist', '--yes']);
  await folder.remove('dist/quay');
  server.log.length = 0;
});

const begun = { build: 'b', finished: false };
const ended = { build: 'b', finished: true };

test.each([
  ['plan', begun],
  ['report --yes', begun],
  ['report --yes', ended],
  ['reconcile --yes', begun],
])('%s stops if another build has written %o while it read the pages', async (words, noted) => {
  // Findings are printed after the last page is read.
  const onFindings = () => mark(noted);
  const { exitCode, stderr } = await command([...words.split(' '), 'dist'], { onFindings });
  expect(stderr).toContain('has started in this folder');
  expect(stderr).toContain('[build-unfinished]');
  expect(exitCode).toBe(1);
  expect(server.log).toEqual([]);
  expect(server.model.list()).toHaveLength(2);
});

test.each([
  ['report', begun],
  ['report', ended],
  ['reconcile', ended],
])(
  '%s sends nothing if another build has written %o before the confirmation',
  async (words, noted) => {
    const confirm = async () => {
      mark(noted);
      return true;
    };
    const { exitCode, stderr } = await command([words, 'dist'], { confirm });
    expect(stderr).toContain('[build-unfinished]');
    expect(exitCode).toBe(1);
    expect(server.log).toEqual([]);
    expect(server.model.list()).toHaveLength(2);
  },
);

test('reconcile repairs nothing if another build starts during the listing', async () => {
  server.list = () => {
    mark(begun);
    return 'records';
  };
  const { exitCode } = await command(['reconcile', 'dist', '--yes']);
  expect(exitCode).toBe(1);
  expect(server.log).toEqual([]);
});
