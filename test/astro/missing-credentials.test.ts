import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireCredentials } from '../../src/astro/build/missing-credentials.ts';
import { type MediaAssetsOptions, resolveOptions } from '../../src/config/options.ts';

let folder: string;
let event: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'event-'));
  event = join(folder, 'event.json');
  await writeFile(event, '{ "repository": { "default_branch": "main" } }');
});

afterAll(() => rm(folder, { recursive: true }));

const github = { GITHUB_ACTIONS: 'true', CI: 'true', GITHUB_EVENT_NAME: 'push' };
const onBranch = (branch: string) => ({ ...github, GITHUB_REF: `refs/heads/${branch}` });

const build = (environment: Record<string, string>, options: MediaAssetsOptions = {}) =>
  requireCredentials(resolveOptions(options, {}), environment);

describe('without credentials', () => {
  test('a local build goes on', async () => {
    await build({});
  });

  test('a build goes on if its host says that it is not for production', async () => {
    await build({ CI: 'true', VERCEL_ENV: 'preview' });
    await build({ ...github, GITHUB_EVENT_NAME: 'pull_request', GITHUB_REF: 'refs/pull/7/merge' });
    await build({ ...onBranch('draft'), GITHUB_EVENT_PATH: event });
    await build(
      { CF_PAGES: '1', CF_PAGES_BRANCH: 'draft' },
      { report: { productionBranch: 'main' } },
    );
  });

  test.each<[name: string, environment: Record<string, string>, options?: MediaAssetsOptions]>([
    ['the host says so', { VERCEL_ENV: 'production' }],
    ['the branch is the production branch', { ...onBranch('main'), GITHUB_EVENT_PATH: 'event' }],
    ['no one says which branch is', { CF_PAGES: '1', CF_PAGES_BRANCH: 'main' }],
    ['the CI host is not known', { CI: 'true' }],
    ['usages are not reported', { VERCEL_ENV: 'production' }, { report: 'never' }],
    ['usages are reported after the deploy', { VERCEL_ENV: 'production' }, { report: 'deploy' }],
    ['every build reports', {}, { report: 'always' }],
  ])('a build that may be for production fails: %s', async (_name, environment, options) => {
    if (environment.GITHUB_EVENT_PATH) environment.GITHUB_EVENT_PATH = event;
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
