import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readCheckedOutCommit, readDefaultBranch } from '../../../src/usage/decide/build-hosts.ts';
import { decideReport } from '../../../src/usage/decide/report-decision.ts';

type Variables = Record<string, string>;
type Known = { productionBranch?: string; defaultBranch?: string; checkedOut?: string };

const built = '1111111111111111111111111111111111111111';
const other = '2222222222222222222222222222222222222222';

const github = (event: string, ref: string): Variables => ({
  CI: 'true',
  GITHUB_ACTIONS: 'true',
  GITHUB_EVENT_NAME: event,
  GITHUB_REF: ref,
});
const gitlab = (more: Variables): Variables => ({
  CI: 'true',
  GITLAB_CI: 'true',
  CI_DEFAULT_BRANCH: 'main',
  ...more,
});
const netlify = (more: Variables): Variables => ({ CI: 'true', NETLIFY: 'true', ...more });
const vercel = (environment: string, branch = 'main'): Variables => ({
  CI: '1',
  VERCEL: '1',
  VERCEL_ENV: environment,
  VERCEL_GIT_COMMIT_REF: branch,
});
const pages = (branch: string): Variables => ({
  CI: 'true',
  CF_PAGES: '1',
  CF_PAGES_BRANCH: branch,
});
const onMain: Known = { defaultBranch: 'main' };
const named: Known = { productionBranch: 'main' };

describe("with 'production', a build sends only if its host says that it is a production build", () => {
  test.each<[string, 'send' | 'plan', Variables, Known]>([
    ['on this machine', 'plan', {}, {}],
    ['on this machine, with a production branch', 'plan', {}, named],
    ['on this machine, forced', 'send', { MEDIA_ASSET_REPORT: 'always' }, {}],
    ['on an unknown host', 'plan', { CI: 'true' }, named],

    ['Vercel: production', 'send', vercel('production'), {}],
    ['Vercel: branch', 'plan', vercel('preview', 'spring'), {}],
    ['Vercel: preview of the main branch', 'plan', vercel('preview'), named],
    ['Vercel: pull request', 'plan', { ...vercel('preview'), VERCEL_GIT_PULL_REQUEST_ID: '7' }, {}],
    ['Vercel: pull request of a fork', 'plan', vercel('preview', 'main'), named],
    [
      'Vercel: a custom environment',
      'plan',
      { ...vercel('preview'), VERCEL_TARGET_ENV: 'staging' },
      named,
    ],
    ['Vercel: system variables hidden', 'plan', { CI: '1', VERCEL: '1' }, named],
    ['Vercel: development', 'plan', vercel('development'), {}],

    ['Netlify: production', 'send', netlify({ CONTEXT: 'production', BRANCH: 'main' }), {}],
    ['Netlify: branch', 'plan', netlify({ CONTEXT: 'branch-deploy', BRANCH: 'spring' }), {}],
    ['Netlify: a branch deploy', 'plan', netlify({ CONTEXT: 'spring', BRANCH: 'spring' }), {}],
    [
      'Netlify: pull request',
      'plan',
      netlify({ CONTEXT: 'deploy-preview', PULL_REQUEST: 'true', BRANCH: 'main' }),
      named,
    ],
    [
      'Netlify: pull request of a fork, from its main branch',
      'plan',
      netlify({
        CONTEXT: 'deploy-preview',
        PULL_REQUEST: 'true',
        REVIEW_ID: '7',
        BRANCH: 'pull/7/head',
        HEAD: 'main',
      }),
      named,
    ],
    ['Netlify: preview server', 'plan', netlify({ CONTEXT: 'preview-server' }), named],
    ['Netlify: unknown context', 'plan', netlify({ BRANCH: 'main' }), named],
    ['Netlify: local', 'plan', netlify({ CONTEXT: 'production', NETLIFY_LOCAL: 'true' }), {}],
    ['a variable CONTEXT without Netlify', 'plan', { CONTEXT: 'production' }, {}],

    ['GitHub: push to the default branch', 'send', github('push', 'refs/heads/main'), onMain],
    ['GitHub: started by hand', 'send', github('workflow_dispatch', 'refs/heads/main'), onMain],
    ['GitHub: on a schedule', 'send', github('schedule', 'refs/heads/main'), onMain],
    [
      'GitHub: a content change elsewhere',
      'send',
      { ...github('repository_dispatch', 'refs/heads/main'), GITHUB_SHA: built },
      { ...onMain, checkedOut: built },
    ],
    [
      'GitHub: a content change elsewhere, in a checkout without .git',
      'plan',
      { ...github('repository_dispatch', 'refs/heads/main'), GITHUB_SHA: built },
      onMain,
    ],
    [
      'GitHub: a content change elsewhere, in a production build of Vercel without .git',
      'plan',
      { ...github('repository_dispatch', 'refs/heads/main'), ...vercel('production') },
      onMain,
    ],
    [
      'GitHub: merge queue, in a production build of Vercel',
      'plan',
      {
        ...github('merge_group', 'refs/heads/gh-readonly-queue/main/pr-7'),
        ...vercel('production'),
      },
      onMain,
    ],
    [
      'GitHub: on a schedule, with an event without a repository',
      'send',
      github('schedule', 'refs/heads/main'),
      {},
    ],
    [
      'GitHub: on a schedule, if another branch than the default one is production',
      'plan',
      github('schedule', 'refs/heads/main'),
      { productionBranch: 'live' },
    ],
    [
      'GitHub: a content change elsewhere, with a pull request checked out',
      'plan',
      { ...github('repository_dispatch', 'refs/heads/main'), GITHUB_SHA: built },
      { ...onMain, checkedOut: other },
    ],
    ['GitHub: branch', 'plan', github('push', 'refs/heads/spring'), onMain],
    ['GitHub: branch with the same ending', 'plan', github('push', 'refs/heads/x/main'), onMain],
    ['GitHub: tag', 'plan', github('push', 'refs/tags/main'), onMain],
    ['GitHub: pull request', 'plan', github('pull_request', 'refs/pull/7/merge'), onMain],
    [
      'GitHub: pull request of a fork, on the base branch',
      'plan',
      github('pull_request_target', 'refs/heads/main'),
      onMain,
    ],
    [
      'GitHub: comment on a pull request',
      'plan',
      github('issue_comment', 'refs/heads/main'),
      onMain,
    ],
    [
      'GitHub: pull request of a fork, from its default branch',
      'plan',
      { ...github('pull_request', 'refs/pull/7/merge'), GITHUB_HEAD_REF: 'main' },
      onMain,
    ],
    ['GitHub: release', 'plan', github('release', 'refs/tags/v1'), onMain],
    ['GitHub: after the run of a fork', 'plan', github('workflow_run', 'refs/heads/main'), onMain],
    [
      'GitHub: merge queue',
      'plan',
      github('merge_group', 'refs/heads/gh-readonly-queue/main/pr-7'),
      onMain,
    ],
    ['GitHub: unknown default branch', 'plan', github('push', 'refs/heads/main'), {}],
    [
      'GitHub: another production branch than the default one',
      'send',
      github('push', 'refs/heads/live'),
      { productionBranch: 'live', defaultBranch: 'main' },
    ],
    [
      'GitHub: the default branch, if another one is production',
      'plan',
      github('push', 'refs/heads/main'),
      { productionBranch: 'live', defaultBranch: 'main' },
    ],

    [
      'Vercel: production, started by a pull request in GitHub Actions',
      'plan',
      { ...github('pull_request', 'refs/pull/7/merge'), ...vercel('production') },
      onMain,
    ],
    [
      'Vercel: production, started by a push in GitHub Actions',
      'send',
      { ...github('push', 'refs/heads/main'), ...vercel('production') },
      onMain,
    ],
    [
      'Vercel: production, with another commit than GitHub Actions names',
      'plan',
      { ...github('push', 'refs/heads/main'), GITHUB_SHA: built, ...vercel('production') },
      { ...onMain, checkedOut: other },
    ],
    [
      'Netlify: production, started by a merge request in GitLab',
      'plan',
      { ...gitlab({ CI_MERGE_REQUEST_IID: '7' }), ...netlify({ CONTEXT: 'production' }) },
      {},
    ],

    ['GitLab: default branch', 'send', gitlab({ CI_COMMIT_BRANCH: 'main' }), {}],
    ['GitLab: branch', 'plan', gitlab({ CI_COMMIT_BRANCH: 'spring' }), {}],
    [
      'GitLab: on a schedule',
      'send',
      gitlab({ CI_COMMIT_BRANCH: 'main', CI_PIPELINE_SOURCE: 'schedule' }),
      {},
    ],
    [
      'GitLab: merge train',
      'plan',
      gitlab({
        CI_MERGE_REQUEST_IID: '7',
        CI_MERGE_REQUEST_EVENT_TYPE: 'merge_train',
        CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
      }),
      {},
    ],
    ['GitLab: tag', 'plan', gitlab({ CI_COMMIT_TAG: 'main' }), {}],
    [
      'GitLab: merge request',
      'plan',
      gitlab({ CI_MERGE_REQUEST_IID: '7', CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'spring' }),
      {},
    ],
    [
      'GitLab: merge request of a fork from its default branch',
      'plan',
      gitlab({ CI_COMMIT_BRANCH: 'main', CI_MERGE_REQUEST_IID: '7' }),
      {},
    ],
    [
      'GitLab: pull request from elsewhere',
      'plan',
      gitlab({ CI_COMMIT_BRANCH: 'main', CI_EXTERNAL_PULL_REQUEST_IID: '7' }),
      {},
    ],

    ['Cloudflare Pages: the production branch', 'send', pages('main'), named],
    ['Cloudflare Pages: branch', 'plan', pages('spring'), named],
    // Builds a pull request as its branch, and doesn't build forks.
    ['Cloudflare Pages: pull request', 'plan', pages('patch-7'), named],
    ['Cloudflare Pages: unknown production branch', 'plan', pages('main'), {}],
    ['Cloudflare Pages: direct upload', 'plan', { CF_PAGES: '1' }, named],
    [
      'Cloudflare Workers: branch',
      'plan',
      { CI: 'true', WORKERS_CI: '1', WORKERS_CI_BRANCH: 'spring' },
      named,
    ],
    [
      'Cloudflare Workers: unknown production branch',
      'plan',
      { CI: 'true', WORKERS_CI: '1', WORKERS_CI_BRANCH: 'main' },
      {},
    ],
    ['Cloudflare Workers', 'send', { WORKERS_CI: '1', WORKERS_CI_BRANCH: 'main' }, named],

    [
      'a host without a guide',
      'plan',
      { CI: 'true', CIRCLECI: 'true', CIRCLE_BRANCH: 'main' },
      named,
    ],
    [
      'a host without a guide, forced',
      'send',
      { TF_BUILD: 'True', MEDIA_ASSET_REPORT: 'always' },
      {},
    ],
  ])('%s: %s', (_, action, environment, known) => {
    const decision = decideReport({ when: 'production', environment, ...known });
    expect(decision.action).toBe(action);
    expect(decision.reason).toMatch(/^[A-Z].*\.$/);
    if (action === 'plan') expect(decision.enable).toContain('MEDIA_ASSET_REPORT=always');
    else expect(decision.enable).toBe('');
  });
});

/** A production build of each host that names its commit. */
const withCommit = (commit: string): [string, Variables][] => [
  ['Vercel', { ...vercel('production'), VERCEL_GIT_COMMIT_SHA: commit }],
  ['Netlify', netlify({ CONTEXT: 'production', COMMIT_REF: commit })],
  ['Cloudflare Pages', { ...pages('main'), CF_PAGES_COMMIT_SHA: commit }],
  [
    'Cloudflare Workers',
    { WORKERS_CI: '1', WORKERS_CI_BRANCH: 'main', WORKERS_CI_COMMIT_SHA: commit },
  ],
  ['GitHub Actions', { ...github('push', 'refs/heads/main'), GITHUB_SHA: commit }],
  ['GitLab', gitlab({ CI_COMMIT_BRANCH: 'main', CI_COMMIT_SHA: commit })],
];

describe("a production build of a commit that isn't checked out sends nothing", () => {
  test.each(withCommit(built))('%s', (host, environment) => {
    const decide = (checkedOut?: string) =>
      decideReport({ when: 'production', productionBranch: 'main', checkedOut, environment });
    expect(decide(built).action).toBe('send');
    expect(decide(undefined).action).toBe('send');
    expect(decide(other)).toMatchObject({
      action: 'plan',
      reason: `Commit 2222222 is checked out, but this is a build of 1111111 (${host}).`,
    });
  });

  test.each(withCommit('HEAD'))("%s reports HEAD, which isn't a commit", (_, environment) => {
    const known = { productionBranch: 'main', checkedOut: other };
    expect(decideReport({ when: 'production', ...known, environment }).action).toBe('send');
  });
});

describe('the checked-out commit is read from .git', () => {
  let folder: string;
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repository-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  test.each<[string, Variables, string | undefined]>([
    ['without a branch', { '.git/HEAD': `${built}\n` }, built],
    [
      'of a branch',
      { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': `${built}\n` },
      built,
    ],
    [
      'of a packed branch',
      {
        '.git/HEAD': 'ref: refs/heads/main\n',
        '.git/packed-refs': `# pack-refs with: peeled\n${other} refs/heads/x/main\n${built} refs/heads/main\n`,
      },
      built,
    ],
    [
      'of a submodule',
      { 'site/.git': 'gitdir: ../.git/modules/site\n', '.git/modules/site/HEAD': built },
      built,
    ],
    [
      'of a linked worktree',
      {
        '.git/HEAD': other,
        '.git/refs/heads/spring': built,
        '.git/worktrees/site/HEAD': 'ref: refs/heads/spring\n',
        '.git/worktrees/site/commondir': '../..\n',
        'site/.git': 'gitdir: ../.git/worktrees/site\n',
      },
      built,
    ],
    [
      'in an unknown form',
      { '.git/HEAD': 'ref: refs/heads/.invalid\n', '.git/reftable/tables.list': '' },
      undefined,
    ],
    ['of a broken repository', { '.git/HEAD': '' }, undefined],
  ])('%s', async (_, files, expected) => {
    for (const [path, text] of Object.entries(files)) await write(path, text);
    await mkdir(join(folder, 'site/pages'), { recursive: true });
    expect(await readCheckedOutCommit(join(folder, 'site/pages'))).toBe(expected);
  });

  test('and is unknown without one', async () => {
    expect(await readCheckedOutCommit(folder)).toBeUndefined();
  });
});

test.each<['deploy' | 'always' | 'never', string, RegExp]>([
  ['deploy', 'prepare', /media-asset report <folder>/],
  ['always', 'send', /^$/],
  ['never', 'none', /report: 'production'/],
])("with '%s', the action of every build is %s", (when, action, enable) => {
  for (const environment of [
    {},
    vercel('production'),
    github('pull_request', 'refs/pull/7/merge'),
  ]) {
    const decision = decideReport({ when, environment });
    expect(decision.action).toBe(action);
    expect(decision.enable).toMatch(enable);
  }
});

test.each<[string, Variables, Known, string]>([
  ['a local build', {}, {}, 'This is a local build.'],
  ...[{ CI: 'true' }, { TF_BUILD: 'True' }, { RENDER: 'true' }, { JENKINS_URL: 'ci' }].map(
    (environment): [string, Variables, Known, string] => [
      `a host without a guide, ${Object.keys(environment)}`,
      environment,
      named,
      "It's unknown whether this is a production build.",
    ],
  ),
  [
    'a branch',
    gitlab({ CI_COMMIT_BRANCH: 'spring' }),
    {},
    'This is a build of the branch spring, not of main (GitLab).',
  ],
  [
    'a pull request',
    github('pull_request', 'refs/pull/7/merge'),
    onMain,
    'This is a build for a pull request (GitHub Actions).',
  ],
  ['a preview', vercel('preview'), {}, 'This is a build in the context preview (Vercel).'],
  [
    'a silent host',
    pages('main'),
    {},
    "Cloudflare Pages doesn't say which branch is the production branch.",
  ],
])('the reason names the kind of build: %s', (_, environment, known, reason) => {
  expect(decideReport({ when: 'production', environment, ...known }).reason).toBe(reason);
});

describe('the default branch on GitHub', () => {
  test.each<[string, string | undefined, string | undefined]>([
    [
      'is read from the event',
      '{"ref":"refs/heads/main","repository":{"default_branch":"main"}}',
      'main',
    ],
    ['is unknown if the event lacks it', '{"repository":{}}', undefined],
    ['is unknown if the event is broken', '{"repository":', undefined],
    ['is unknown without an event', undefined, undefined],
  ])('%s', async (_, event, expected) => {
    const folder = await mkdtemp(join(tmpdir(), 'event-'));
    const path = join(folder, 'event.json');
    if (event !== undefined) await writeFile(path, event);
    expect(await readDefaultBranch({ GITHUB_EVENT_PATH: path })).toBe(expected);
    await rm(folder, { recursive: true });
  });

  test('is unknown on other hosts', async () => {
    expect(await readDefaultBranch({})).toBeUndefined();
  });
});
