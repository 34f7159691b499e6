import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { readCheckedOutCommit, readDefaultBranch } from '../../../src/usage/decide/build-hosts.ts';
import { decideReport, isReported } from '../../../src/usage/decide/report-decision.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

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

type Case = readonly [name: string, action: 'send' | 'plan', Variables, Known?];

const main = 'refs/heads/main';
const pullRequest = github('pull_request', 'refs/pull/7/merge');
const queue = github('merge_group', 'refs/heads/gh-readonly-queue/main/pr-7');
const content = github('repository_dispatch', main);
const preview = (more: Variables) => netlify({ CONTEXT: 'deploy-preview', ...more });
const fork = { PULL_REQUEST: 'true', REVIEW_ID: '7', BRANCH: 'pull/7/head', HEAD: 'main' };
const workers = (branch: string) => ({ WORKERS_CI: '1', WORKERS_CI_BRANCH: branch });
const onBranch = (more: Variables = {}) => gitlab({ CI_COMMIT_BRANCH: 'main', ...more });
const pushed = { ...github('push', main), GITHUB_SHA: built };
const merged = gitlab({ CI_MERGE_REQUEST_IID: '7' });
const onNetlify = netlify({ CONTEXT: 'production' });
const isForced = { MEDIA_ASSET_REPORT: 'always' };
const atBuilt = { ...onMain, checkedOut: built };
const atOther = { ...onMain, checkedOut: other };
const onLive = { productionBranch: 'live', defaultBranch: 'main' };

const builds: Readonly<Record<string, readonly Case[]>> = {
  'this machine': [
    ['a build', 'plan', {}],
    ['with a production branch', 'plan', {}, named],
    ['forced', 'send', isForced],
    ['a variable CONTEXT without Netlify', 'plan', { CONTEXT: 'production' }],
  ],
  'a host without a guide': [
    ['CircleCI', 'plan', { CI: 'true', CIRCLECI: 'true', CIRCLE_BRANCH: 'main' }, named],
    ['forced', 'send', { TF_BUILD: 'True', ...isForced }],
  ],
  Vercel: [
    ['production', 'send', vercel('production')],
    ['branch', 'plan', vercel('preview', 'spring')],
    ['preview of the main branch', 'plan', vercel('preview'), named],
    ['pull request', 'plan', { ...vercel('preview'), VERCEL_GIT_PULL_REQUEST_ID: '7' }],
    ['a custom environment', 'plan', { ...vercel('preview'), VERCEL_TARGET_ENV: 'stage' }, named],
    ['system variables hidden', 'plan', { CI: '1', VERCEL: '1' }, named],
    ['development', 'plan', vercel('development')],
  ],
  Netlify: [
    ['production', 'send', netlify({ CONTEXT: 'production', BRANCH: 'main' })],
    ['branch', 'plan', netlify({ CONTEXT: 'branch-deploy', BRANCH: 'spring' })],
    ['a branch deploy', 'plan', netlify({ CONTEXT: 'spring', BRANCH: 'spring' })],
    ['pull request', 'plan', preview({ PULL_REQUEST: 'true', BRANCH: 'main' }), named],
    ['pull request of a fork, from its main branch', 'plan', preview(fork), named],
    ['preview server', 'plan', netlify({ CONTEXT: 'preview-server' }), named],
    ['unknown context', 'plan', netlify({ BRANCH: 'main' }), named],
    ['local', 'plan', netlify({ CONTEXT: 'production', NETLIFY_LOCAL: 'true' })],
  ],
  GitHub: [
    ['push to the default branch', 'send', github('push', main), onMain],
    ['started by hand', 'send', github('workflow_dispatch', main), onMain],
    ['on a schedule', 'send', github('schedule', main), onMain],
    ['on a schedule, with an event without a repository', 'send', github('schedule', main)],
    ['on a schedule, if another branch is production', 'plan', github('schedule', main), onLive],
    ['a content change elsewhere', 'send', { ...content, GITHUB_SHA: built }, atBuilt],
    ['the same, without .git', 'plan', { ...content, GITHUB_SHA: built }, onMain],
    ['branch', 'plan', github('push', 'refs/heads/spring'), onMain],
    ['branch with the same ending', 'plan', github('push', 'refs/heads/x/main'), onMain],
    ['tag', 'plan', github('push', 'refs/tags/main'), onMain],
    ['pull request', 'plan', pullRequest, onMain],
    ['pull request of a fork, on the base', 'plan', github('pull_request_target', main), onMain],
    ['comment on a pull request', 'plan', github('issue_comment', main), onMain],
    ["a fork's default branch", 'plan', { ...pullRequest, GITHUB_HEAD_REF: 'main' }, onMain],
    ['release', 'plan', github('release', 'refs/tags/v1'), onMain],
    ['after the run of a fork', 'plan', github('workflow_run', main), onMain],
    ['merge queue', 'plan', queue, onMain],
    ['unknown default branch', 'plan', github('push', main)],
    ['a production branch', 'send', github('push', 'refs/heads/live'), onLive],
    ['the default branch, if another is production', 'plan', github('push', main), onLive],
  ],
  'one host in another': [
    ['merge queue, on Vercel', 'plan', { ...queue, ...vercel('production') }, onMain],
    ['content without .git, on Vercel', 'plan', { ...content, ...vercel('production') }, onMain],
    ['pull request, on Vercel', 'plan', { ...pullRequest, ...vercel('production') }, onMain],
    ['push, on Vercel', 'send', { ...github('push', main), ...vercel('production') }, onMain],
    [
      'another commit in GitHub, on Vercel',
      'plan',
      { ...pushed, ...vercel('production') },
      atOther,
    ],
    ['merge request in GitLab, on Netlify', 'plan', { ...merged, ...onNetlify }],
  ],
  GitLab: [
    ['default branch', 'send', onBranch()],
    ['branch', 'plan', gitlab({ CI_COMMIT_BRANCH: 'spring' })],
    ['on a schedule', 'send', onBranch({ CI_PIPELINE_SOURCE: 'schedule' })],
    ['tag', 'plan', gitlab({ CI_COMMIT_TAG: 'main' })],
    ['merge request', 'plan', gitlab({ CI_MERGE_REQUEST_IID: '7' })],
    ["a fork's default branch", 'plan', onBranch({ CI_MERGE_REQUEST_IID: '7' })],
    ['external pull request', 'plan', onBranch({ CI_EXTERNAL_PULL_REQUEST_IID: '7' })],
  ],
  Cloudflare: [
    ['Pages: the production branch', 'send', pages('main'), named],
    ['Pages: branch', 'plan', pages('spring'), named],
    // Builds a pull request as its branch, and doesn't build forks.
    ['Pages: pull request', 'plan', pages('patch-7'), named],
    ['Pages: unknown production branch', 'plan', pages('main')],
    ['Pages: direct upload', 'plan', { CF_PAGES: '1' }, named],
    ['Workers: the production branch', 'send', workers('main'), named],
    ['Workers: branch', 'plan', workers('spring'), named],
    ['Workers: unknown production branch', 'plan', workers('main')],
  ],
};

describe.for(Object.entries(builds))(
  "with 'production', a build sends only if its host says so: %s",
  ([, cases]) => {
    test.for(cases)('%s: %s', ([, action, environment, known]) => {
      const decision = decideReport({ when: 'production', environment, ...known });
      expect(decision.action).toBe(action);
      expect(decision.reason).toMatch(/^[A-Z].*\.$/);
      if (action === 'plan') expect(decision.enable).toContain('MEDIA_ASSET_REPORT=always');
      else expect(decision.enable).toBe('');
    });
  },
);

test('with `never`, nothing is sent, wherever the build runs', () => {
  const reason = 'Reporting is switched off.';
  const decision = decideReport({ when: 'never', environment: vercel('production') });
  expect(decision).toMatchObject({ action: 'none', reason });
});

/** A production build of each host that names its commit. */
const withCommit = (commit: string): [string, Variables][] => [
  ['Vercel', { ...vercel('production'), VERCEL_GIT_COMMIT_SHA: commit }],
  ['Netlify', netlify({ CONTEXT: 'production', COMMIT_REF: commit })],
  ['Cloudflare Pages', { ...pages('main'), CF_PAGES_COMMIT_SHA: commit }],
  ['Cloudflare Workers', { ...workers('main'), WORKERS_CI_COMMIT_SHA: commit }],
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
    folder = await temporaryFolder('repository');
  });

  const onMainBranch = 'ref: refs/heads/main\n';
  const packed = `# pack-refs with: peeled\n${other} refs/heads/refs/heads/main\n${other} refs/heads/main-old\n${built} refs/heads/main\n`;

  test.each<[string, Variables, string | undefined]>([
    ['without a branch', { '.git/HEAD': `${built}\n` }, built],
    ['of a branch', { '.git/HEAD': onMainBranch, '.git/refs/heads/main': `${built}\n` }, built],
    ['of a packed branch', { '.git/HEAD': onMainBranch, '.git/packed-refs': packed }, built],
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
    ['of no repository', {}, undefined],
  ])('%s', async (_, files, expected) => {
    for (const [path, text] of Object.entries(files)) await write(path, text);
    await mkdir(join(folder, 'site/pages'), { recursive: true });
    expect(await readCheckedOutCommit(join(folder, 'site/pages'))).toBe(expected);
  });
});

test.each<['deploy' | 'always' | 'never', string, RegExp]>([
  ['deploy', 'prepare', /media-asset report <folder>/],
  ['always', 'send', /^$/],
  ['never', 'none', /report: 'production'/],
])("with '%s', the action of every build is %s", (when, action, enable) => {
  for (const environment of [{}, vercel('production'), pullRequest]) {
    const decision = decideReport({ when, environment });
    expect(decision.action).toBe(action);
    expect(decision.enable).toMatch(enable);
  }
});

test.each([
  ['deploy', true],
  ['always', true],
  ['never', false],
] as const)(
  "with '%s', the usages of a build are reported, now or after the deploy: %s",
  (when, expected) => {
    expect(isReported(decideReport({ when, environment: {} }))).toBe(expected);
  },
);

const unknownHost = "It's unknown whether this is a production build.";

test.each<[string, Variables, Known, string]>([
  ['a local build', {}, {}, 'This is a local build.'],
  ...['CI', 'AWS_BRANCH', 'JENKINS_URL', 'RENDER', 'TF_BUILD'].map(
    (name): [string, Variables, Known, string] => [name, { [name]: '1' }, named, unknownHost],
  ),
  [
    'a branch',
    gitlab({ CI_COMMIT_BRANCH: 'spring' }),
    {},
    'This is a build of the branch spring, not of main (GitLab).',
  ],
  ['a pull request', pullRequest, onMain, 'This is a build for a pull request (GitHub Actions).'],
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
  test.each([
    ['is read from the event', '{"repository":{"default_branch":"main"}}', 'main'],
    ['is unknown if the event lacks it', '{"repository":{}}', undefined],
    ['is unknown if the event is broken', '{"repository":', undefined],
    ['is unknown without an event', undefined, undefined],
  ])('%s', async (_, event, expected) => {
    const path = join(await temporaryFolder('event'), 'event.json');
    if (event !== undefined) await writeFile(path, event);
    expect(await readDefaultBranch({ GITHUB_EVENT_PATH: path })).toBe(expected);
  });
});
