import { beforeEach, describe, expect, test } from 'vitest';
import { workflowCommands } from '../../support/process/workflow-commands.ts';
import { flags, folder, token, useUsageProject } from './usage-project.ts';

useUsageProject();

const github = { GITHUB_ACTIONS: 'true', ...token };

/** Titles that a CI host would execute, each on its own page. */
const titles = [
  '::add-mask::quay',
  ' \u00a0::error title=a,file=b::quay',
  'Quay ##[add-mask]quay',
  '##vso[task.setvariable variable=QUAY]quay',
  "##teamcity[buildNumber 'quay']",
];

const dist = () => ['dist', ...flags()];

beforeEach(async () => {
  for (const [index, title] of titles.entries())
    await folder.page(`dist/##[group]${index}.html`, title, 4711, '##[add-mask]quay');
});

describe("a page's text is never a command for the CI host", () => {
  test.each(['scan', 'plan', 'report --yes', 'reconcile --yes'])('%s', async (words) => {
    const all = [...words.split(' '), ...dist()];
    const run = await folder.command(all, github);
    expect(workflowCommands(run.stdout)).toEqual([]);
    const annotations = workflowCommands(run.stderr);
    expect(annotations.length).toBeGreaterThan(0);
    for (const line of annotations) expect(line).toMatch(/^::(?:warning|notice) title=[a-z-]+::/);

    const elsewhere = await folder.command(all, { ...github, GITHUB_ACTIONS: '' });
    expect(workflowCommands(elsewhere.output)).toEqual([]);
  });

  test('and the rest of the text is unchanged', async () => {
    const { stdout } = await folder.command(['plan', ...dist()], github);
    expect(stdout).toContain('\n: :add-mask::quay  ');
    expect(stdout).toContain('\nQuay # #[add-mask]quay  ');
    await folder.page('dist/css2.html', '::before', 4711);
    const { stdout: second } = await folder.command(['plan', ...dist()], github);
    expect(second).toContain('\n::before  ');
  });

  test("and --json doesn't change it", async () => {
    for (const command of ['scan', 'plan']) {
      const { stdout } = await folder.command([command, ...dist(), '--json'], github);
      expect(workflowCommands(stdout)).toEqual([]);
      const { pages, requests } = JSON.parse(stdout);
      const names = Object.values<{ pageName: string }>(requests ?? pages).map(
        ({ pageName }) => pageName,
      );
      expect(names.sort()).toEqual(titles.map((title) => title.trim()).sort());
    }
  });
});
