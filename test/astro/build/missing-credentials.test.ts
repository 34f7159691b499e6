import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { requireCredentials } from '../../../src/astro/build/missing-credentials.ts';
import { type OptionsInput, resolveOptions } from '../../../src/config/options.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

let event: string;

beforeEach(async () => {
  event = join(await temporaryFolder('event'), 'event.json');
  await writeFile(event, '{ "repository": { "default_branch": "main" } }');
});

const on = (name: string, ref = 'refs/heads/main') => ({
  ...{ GITHUB_ACTIONS: 'true', CI: 'true', GITHUB_EVENT_NAME: name, GITHUB_REF: ref },
});
const onBranch = (branch: string) => on('push', `refs/heads/${branch}`);
const gitlab = {
  ...{ GITLAB_CI: 'true', CI: 'true', CI_PIPELINE_SOURCE: 'push', CI_DEFAULT_BRANCH: 'main' },
};
const netlifyLocal = { NETLIFY: 'true', NETLIFY_LOCAL: 'true' };

const onMain: OptionsInput = { report: { productionBranch: 'main' } };
const afterDeploy: OptionsInput = { report: { when: 'deploy', productionBranch: 'main' } };

const build = (environment: Record<string, string>, options: OptionsInput = {}) =>
  requireCredentials(resolveOptions(options, {}), { GITHUB_EVENT_PATH: event, ...environment });

describe('without credentials', () => {
  test.each<[name: string, environment: Record<string, string>, options?: OptionsInput]>([
    ['it is local', {}],
    ['Vercel calls it a preview', { CI: 'true', VERCEL_ENV: 'preview' }],
    ['it is for a pull request', on('pull_request', 'refs/pull/7/merge')],
    ['it is for a merge request', { ...gitlab, CI_MERGE_REQUEST_IID: '7' }, { report: 'deploy' }],
    ["a push to another branch than GitHub's default branch", onBranch('draft')],
    [
      "a push to another branch than GitLab's default branch",
      { ...gitlab, CI_COMMIT_BRANCH: 'draft' },
    ],
    ['not the production branch', { CF_PAGES: '1', CF_PAGES_BRANCH: 'draft' }, onMain],
    [
      'not the production branch, started by hand',
      on('workflow_dispatch', 'refs/heads/draft'),
      onMain,
    ],
    [
      'not the production branch, and reports come after the deploy',
      onBranch('draft'),
      afterDeploy,
    ],
  ])("a build continues if it isn't for production: %s", async (_name, environment, options) => {
    await build(environment, options);
  });

  test.each<[name: string, environment: Record<string, string>, options?: OptionsInput]>([
    ['Vercel says so', { VERCEL_ENV: 'production' }],
    [
      'Vercel says so in a job of a pull request',
      { ...on('pull_request'), VERCEL_ENV: 'production' },
    ],
    ['Netlify says so on this machine', { ...netlifyLocal, CONTEXT: 'production' }],
    ['Netlify says nothing', { NETLIFY: 'true' }],
    ['the branch is the default branch', onBranch('main')],
    ['the branch is the production branch', onBranch('main'), afterDeploy],
    ['the production branch is unknown', { CF_PAGES: '1', CF_PAGES_BRANCH: 'main' }],
    ['a release', on('release', 'refs/tags/v1')],
    ['a tag on GitHub', on('push', 'refs/tags/v1')],
    ['a tag on GitHub, with a set production branch', on('push', 'refs/tags/v1'), onMain],
    ['another workflow has started it', on('workflow_run', 'refs/heads/draft'), onMain],
    ['a person has started it on a branch', on('workflow_dispatch', 'refs/heads/live')],
    ['a tag on GitLab', { ...gitlab, CI_COMMIT_TAG: 'v1' }, onMain],
    [
      'a host without a guide',
      { TF_BUILD: 'True', BUILD_SOURCEBRANCH: 'refs/heads/spring' },
      onMain,
    ],
    [
      'another branch than the default branch, and reports come after the deploy',
      { ...gitlab, CI_COMMIT_BRANCH: 'production' },
      { report: 'deploy' },
    ],
    [
      'another branch than the default branch, and no reports',
      onBranch('live'),
      { report: 'never' },
    ],
    ['the CI host is unknown', { CI: 'true' }],
    ['every build reports', {}, { report: 'always' }],
  ])('a build that may be for production fails: %s', async (_name, environment, options) => {
    await expect(build(environment, options)).rejects.toMatchObject({
      code: 'service-not-configured',
      message: expect.stringContaining('MEDIA_ASSET_CLIENT_SECRET'),
    });
  });

  test('any build fails if the site sets `withoutCredentials` to `fail`', async () => {
    await expect(build({}, { withoutCredentials: 'fail' })).rejects.toMatchObject({
      code: 'service-not-configured',
    });
  });
});
