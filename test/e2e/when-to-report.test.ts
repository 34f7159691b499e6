import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Harbour, openHarbour, usagePosts } from '../support/harbour.ts';

let harbour: Harbour;

beforeEach(async () => {
  harbour = await openHarbour('main-job');
});

afterEach(() => harbour.close());

const unset = { MEDIA_ASSET_REPORT: undefined };

describe('a build that is no production build', () => {
  test.each([
    ['on a developer’s machine', {}],
    [
      'for a pull request',
      {
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        GITHUB_EVENT_NAME: 'pull_request',
        GITHUB_REF: 'refs/pull/7/merge',
      },
    ],
    [
      'of a branch',
      { CI: 'true', GITLAB_CI: 'true', CI_COMMIT_BRANCH: 'spring', CI_DEFAULT_BRANCH: 'main' },
    ],
    ['as a preview', { CI: '1', VERCEL: '1', VERCEL_ENV: 'preview' }],
  ])('%s prints the plan and sends nothing', async (_, variables) => {
    const { exitCode, output } = await harbour.build({ ...unset, ...variables });

    expect(exitCode).toBe(0);
    expect(output).toContain('The quay  /quay/');
    expect(output).toContain('5 usages to report');
    expect(output).toContain('not sent');
    expect(output).toContain('MEDIA_ASSET_REPORT=always');
    expect(usagePosts(harbour.requests())).toEqual([]);
    expect(harbour.pairs()).toEqual([]);
  });
});

test('a production build of a known host sends', async () => {
  await harbour.build({ ...unset, CI: '1', VERCEL: '1', VERCEL_ENV: 'production' });
  expect(harbour.pairs()).toHaveLength(5);
});

test('with report never, nothing is planned or sent, and no site is needed', async () => {
  await harbour.site.edit('astro.config.mjs', "site: 'https://harbour.example',", '');
  const { exitCode, output } = await harbour.build({ MEDIA_ASSET_REPORT: 'never' });
  expect(output).not.toContain('usages to report');
  expect(exitCode).toBe(0);
  expect(usagePosts(harbour.requests())).toEqual([]);
});

test('with report deploy, the build plans and media-asset report sends afterwards', async () => {
  const { output } = await harbour.build({ MEDIA_ASSET_REPORT: 'deploy' });
  expect(output).toContain('media-asset report dist');
  expect(harbour.pairs()).toEqual([]);

  const { exitCode, stdout } = await harbour.command('report', 'dist', '--yes', '--json');
  expect(JSON.parse(stdout)).toEqual({
    version: 1,
    reported: 5,
    removed: 0,
    requests: 3,
    unsent: 0,
  });
  expect(exitCode).toBe(0);
  expect(harbour.pairs()).toHaveLength(5);
});

test('media-asset report follows the options of the build', async () => {
  const options = "{ report: { when: 'deploy', maxIdsPerRequest: 1, project: 'Museum' } }";
  await harbour.site.edit('astro.config.mjs', 'mediaAssets()', `mediaAssets(${options})`);
  await harbour.build(unset);
  const { stdout } = await harbour.command('report', 'dist', '--yes', '--json');

  expect(JSON.parse(stdout)).toMatchObject({ reported: 5, requests: 5 });
  expect(harbour.emulator.usages().map(({ project }) => project)).toEqual(Array(5).fill('Museum'));
});

test('after a failed build nothing is planned, sent or removed', async () => {
  const deploy = { MEDIA_ASSET_REPORT: 'deploy' };
  await harbour.build(deploy);
  await harbour.command('report', 'dist', '--yes');
  harbour.requests();
  await harbour.site.edit('src/pages/quay.astro', ' alt="A boat"', '');
  expect((await harbour.build(deploy)).exitCode).toBe(1);

  for (const words of [['plan'], ['report', '--yes']]) {
    const { exitCode, stderr } = await harbour.command(...words, 'dist');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('build-unfinished');
  }
  expect(usagePosts(harbour.requests())).toEqual([]);
  expect(harbour.pairs()).toHaveLength(5);
});

test.each([
  ['before ours', (thrower: string) => `[${thrower}, mediaAssets()]`],
  ['after ours', (thrower: string) => `[mediaAssets(), ${thrower}]`],
  [
    'added by another one after ours',
    (thrower: string) =>
      `[mediaAssets(), { name: 'adder', hooks: { 'astro:config:setup': ({ updateConfig }) => { updateConfig({ integrations: [${thrower}] }); } } }]`,
  ],
])('an integration %s that fails after the build leaves no usage sent', async (_, integrations) => {
  const thrower = `{ name: 'thrower', hooks: { 'astro:build:done': () => { throw new Error('deploy check failed'); } } }`;
  await harbour.site.edit('astro.config.mjs', '[mediaAssets()]', integrations(thrower));
  const { exitCode, output } = await harbour.build();

  expect(exitCode).toBe(1);
  expect(output).toContain('deploy check failed');
  expect(usagePosts(harbour.requests())).toEqual([]);
});
