/** @module-tag slow */
/** @module-tag any-astro */
import { beforeEach, describe, expect, test } from 'vitest';
import { workflowCommands } from '../../support/process/workflow-commands.ts';
import { outputOf, usagePosts, useSite } from '../../support/site/site-with-service.ts';

const setup = useSite('main-job');

beforeEach(() => setup.restore());

const unset = { MEDIA_ASSET_REPORT: undefined };

// `test/usage/decide/report-decision.test.ts` has the variables of every host.
describe("a build that isn't a production build", () => {
  test.each([
    ["on a developer's machine", {}, false],
    [
      "of another commit than the default branch's",
      {
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        GITHUB_EVENT_NAME: 'repository_dispatch',
        GITHUB_REF: 'refs/heads/main',
        GITHUB_SHA: '1'.repeat(40),
      },
      true,
    ],
  ])('%s prints the plan and sends nothing', async (_, variables, isWhole) => {
    await setup.site.write('.git/HEAD', '2'.repeat(40));
    const output = await outputOf(setup.build({ ...unset, ...variables }));

    // Without a ledger, a local plan has all pages, and is one line.
    expect(output.includes('The quay  /quay/')).toBe(isWhole);
    expect(output).toContain('5 usages to report');
    expect(output).toContain('not sent');
    expect(output).toContain('MEDIA_ASSET_REPORT=always');
    expect(usagePosts(setup.requests())).toEqual([]);
    expect(setup.pairs()).toEqual([]);
  });
});

test('with report never, a build plans and sends nothing, and needs no site', async () => {
  const never = { MEDIA_ASSET_REPORT: 'never' };
  expect((await setup.build(never)).output).toContain('Reporting is switched off.');
  await setup.site.edit('astro.config.mjs', "site: 'https://harbour.example',", '');
  const output = await outputOf(setup.build(never));
  expect(output).not.toContain('usages to report');
  expect(usagePosts(setup.requests())).toEqual([]);
});

test("`never` in a `.env` file overrides the config's `always`", async () => {
  await setup.site.edit('astro.config.mjs', 'mediaAsset()', "mediaAsset({ report: 'always' })");
  await setup.site.write('.env', 'MEDIA_ASSET_REPORT=never');
  expect((await setup.build(unset)).output).toContain('Reporting is switched off.');
  expect(usagePosts(setup.requests())).toEqual([]);
});

test('with report deploy, the build plans, and media-asset report sends later with its options', async () => {
  const options = `{
    report: { when: 'deploy', maxIdsPerRequest: 1, project: 'Museum' },
    service: { baseUrl: '${setup.emulator.url}' },
  }`;
  await setup.site.edit('astro.config.mjs', 'mediaAsset()', `mediaAsset(${options})`);
  const summary = { GITHUB_STEP_SUMMARY: setup.site.path('summary.md') };
  const given = { MEDIA_ASSET_BASE_URL: undefined, MEDIA_ASSET_CONTACT: 'Keeper' };
  const { output } = await setup.build({ ...unset, ...summary, ...given });
  expect(output).toContain('media-asset report dist');
  expect(setup.pairs()).toEqual([]);

  // The environment has the credentials, and only the build names the service.
  const environment = { ...setup.emulator.env, ...summary, MEDIA_ASSET_BASE_URL: undefined };
  const words = ['report', 'dist', '--yes', '--json'];
  const { exitCode, stdout } = await setup.site.command(environment, ...words);
  expect(JSON.parse(stdout)).toMatchObject({ reported: 5, removed: 0, requests: 5, unsent: 0 });
  expect(exitCode).toBe(0);
  const fields = setup.emulator.usages().map(({ project, contact }) => `${project}, ${contact}`);
  expect(fields).toEqual(Array(5).fill('Museum, Keeper'));
  const shown = await setup.site.read('summary.md');
  expect(shown.match(/^### Asset usages$/gm)).toHaveLength(1);
  expect(shown).toContain('5 usages reported');
});

test("with report deploy, a pull request's build adds its plan to the job summary", async () => {
  const variables = { GITHUB_ACTIONS: 'true', GITHUB_EVENT_NAME: 'pull_request' };
  const summary = { GITHUB_STEP_SUMMARY: setup.site.path('summary.md') };
  await setup.build({ ...unset, MEDIA_ASSET_REPORT: 'deploy', ...variables, ...summary });
  expect(await setup.site.read('summary.md')).toContain('Planned; nothing was sent.');
});

test('an integration that fails after the build keeps usages from being sent', async () => {
  // Added by another one after ours, so that it would run last.
  const thrower = `{ name: 'thrower', hooks: { 'astro:build:done': () => { throw new Error('deploy check failed'); } } }`;
  const adder = `{ name: 'adder', hooks: { 'astro:config:setup': ({ updateConfig }) => { updateConfig({ integrations: [${thrower}] }); } } }`;
  await setup.site.edit('astro.config.mjs', '[mediaAsset()]', `[mediaAsset(), ${adder}]`);
  const output = await outputOf(setup.build(), 1);

  expect(output).toContain('deploy check failed');
  expect(usagePosts(setup.requests())).toEqual([]);
});

const withoutRedis = { MEDIA_ASSET_STATE_URL: 'redis://127.0.0.1:1' };
const withOnError = (value: string) => `mediaAsset({ report: { onError: '${value}' } })`;

test.each([
  ['would only plan warns, even if the site asks for failure', 'fail', unset],
  ['would send warns, and sends nothing', 'warn', {}],
] as const)('without the store of the ledger, a build that %s', async (_, onError, variables) => {
  await setup.site.edit('astro.config.mjs', 'mediaAsset()', withOnError(onError));
  const output = await outputOf(setup.build({ ...variables, ...withoutRedis }));
  expect(output).toMatch(
    /\[WARN\] \[media-asset\] The store of the ledger redis:.*\[store-unreachable\]/,
  );
  expect(usagePosts(setup.requests())).toEqual([]);
});

describe('in GitHub Actions', () => {
  const github = { CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_EVENT_NAME: 'push' };

  test.each([
    ['a page', 'alt-missing', 'src/pages/quay.astro', ' alt="A boat"', '', {}],
    [
      'the store of the ledger',
      'store-unreachable',
      'astro.config.mjs',
      'mediaAsset()',
      withOnError('fail'),
      withoutRedis,
    ],
  ] as const)(
    'an error about %s that fails the build is one annotation',
    async (_, code, file, from, to, variables) => {
      await setup.site.edit(file, from, to);
      const { exitCode, stdout } = await setup.build({ ...github, ...variables });
      expect(exitCode).toBe(1);
      expect(stdout.match(/^::error title=.*?::/gm)).toEqual([`::error title=${code}::`]);
      expect(usagePosts(setup.requests())).toEqual([]);
    },
  );

  test("a page's title and an error's text can't be a command", async () => {
    const command = '##[add-mask]quay';
    await setup.site.edit('src/pages/quay.astro', 'The quay<', `::add-mask::quay ${command}<`);
    await setup.site.edit('src/pages/quay.astro', '<h1>', `<h1 data-media-asset="${command} old">`);
    const { stdout } = await setup.build({ ...github, MEDIA_ASSET_REPORT: undefined });
    expect(stdout).toContain('] : :add-mask::quay # #[add-mask]quay  /quay/');
    expect(workflowCommands(stdout)).toEqual([
      expect.stringMatching(/^::warning title=asset-id-invalid::2 similar warnings:/),
    ]);

    const options = `mediaAsset({ '${command}': 1 })`;
    await setup.site.edit('astro.config.mjs', 'mediaAsset()', options);
    const failed = await setup.build(github);
    expect(failed.output).toContain('# #[add-mask]quay');
    expect(workflowCommands(`${failed.stdout}\n${failed.stderr}`)).toEqual([
      expect.stringMatching(/^::error title=options-invalid::/),
    ]);
  });
});
