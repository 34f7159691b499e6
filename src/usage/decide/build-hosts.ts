import { readFile } from 'node:fs/promises';
import { toCommit } from './checked-out-commit.ts';

type Variables = Readonly<Record<string, string | undefined>>;

type Patterns = Readonly<Record<string, RegExp>>;

/** What a host says about a build. */
export interface Host {
  readonly name: string;
  /** `production` or another kind (`a local build`), if the host names one. */
  readonly says: string | undefined;
  /** The build's context (`production`, `preview`, …), if the host has contexts. */
  readonly context: string | undefined;
  /** `undefined` for a tag. */
  readonly branch: string | undefined;
  /** The repository's default branch. */
  readonly defaultBranch: string | undefined;
  readonly commit: string | undefined;
  /** Whether a push to the branch started the build. */
  readonly isPush: boolean;
  readonly isPullRequest: boolean;
  /** Whether the build can be of any commit, so that only `.git` shows which one. */
  readonly needsCommit: boolean;
}

/** A host and the names of its variables. */
interface HostVariables {
  readonly name: string;
  /** Set in every build on this host. */
  readonly known: string;
  readonly says?: (variables: Variables) => string | undefined;
  readonly context?: string;
  /** Holds `main`, or `refs/heads/main`. */
  readonly branch?: string;
  /** Set for a tag, on hosts that also name the tag as the branch. */
  readonly tag?: string;
  readonly defaultBranch?: (variables: Variables) => string | undefined;
  /** Holds the hash of the commit. */
  readonly commit: string;
  /** Match only in builds that a push to a branch started. */
  readonly push?: Patterns;
  /** Match only in builds for a pull request. */
  readonly pullRequest: Patterns;
  /** Match only in builds that can be of any commit, such as a pull request's. */
  readonly anyCommit?: Patterns;
}

/** Not empty, `false` or `0`, which hosts write for "no". */
const set = /^(?!(?:|false|0)$)/;

/** GitHub events that build the branch in `GITHUB_REF`. */
const branchEvents = ['push', 'workflow_dispatch', 'schedule', 'repository_dispatch'];
/** GitHub runs these only on the default branch. */
const defaultBranchEvents = ['schedule', 'repository_dispatch'];

/** If a build has variables of two hosts, the first one decides. Both can veto. */
const hosts: readonly HostVariables[] = [
  {
    name: 'Vercel',
    known: 'VERCEL_ENV',
    says: ({ VERCEL_ENV }) => contextName(VERCEL_ENV),
    context: 'VERCEL_ENV',
    commit: 'VERCEL_GIT_COMMIT_SHA',
    pullRequest: { VERCEL_GIT_PULL_REQUEST_ID: set },
  },
  {
    name: 'Netlify',
    known: 'NETLIFY',
    says: ({ CONTEXT, NETLIFY_LOCAL }) =>
      isSet(NETLIFY_LOCAL) ? 'a local build' : contextName(CONTEXT),
    context: 'CONTEXT',
    commit: 'COMMIT_REF',
    pullRequest: { PULL_REQUEST: set },
  },
  {
    name: 'Cloudflare Pages',
    known: 'CF_PAGES',
    branch: 'CF_PAGES_BRANCH',
    commit: 'CF_PAGES_COMMIT_SHA',
    pullRequest: {},
  },
  {
    name: 'Cloudflare Workers',
    known: 'WORKERS_CI',
    branch: 'WORKERS_CI_BRANCH',
    commit: 'WORKERS_CI_COMMIT_SHA',
    pullRequest: {},
  },
  {
    name: 'GitHub Actions',
    known: 'GITHUB_ACTIONS',
    says: ({ GITHUB_EVENT_NAME = 'unknown' }) =>
      branchEvents.includes(GITHUB_EVENT_NAME)
        ? undefined
        : `a build on the event ${GITHUB_EVENT_NAME}`,
    branch: 'GITHUB_REF',
    defaultBranch: ({ GITHUB_EVENT_NAME = 'unknown', GITHUB_REF }) =>
      defaultBranchEvents.includes(GITHUB_EVENT_NAME) ? branchName(GITHUB_REF) : undefined,
    commit: 'GITHUB_SHA',
    push: { GITHUB_EVENT_NAME: /^push$/ },
    pullRequest: { GITHUB_EVENT_NAME: /^(?:pull_request|merge_group)/, GITHUB_HEAD_REF: set },
    // The sender often names the commit to check out.
    anyCommit: { GITHUB_EVENT_NAME: /^repository_dispatch$/ },
  },
  {
    name: 'GitLab',
    known: 'GITLAB_CI',
    branch: 'CI_COMMIT_BRANCH',
    defaultBranch: ({ CI_DEFAULT_BRANCH }) => CI_DEFAULT_BRANCH,
    commit: 'CI_COMMIT_SHA',
    push: { CI_PIPELINE_SOURCE: /^push$/ },
    pullRequest: { CI_MERGE_REQUEST_IID: set, CI_EXTERNAL_PULL_REQUEST_IID: set },
  },
  {
    name: 'CircleCI',
    known: 'CIRCLECI',
    branch: 'CIRCLE_BRANCH',
    commit: 'CIRCLE_SHA1',
    // Also set for a branch with an open pull request. Nothing tells the two apart.
    pullRequest: { CIRCLE_PULL_REQUEST: set },
  },
  {
    name: 'Azure Pipelines',
    known: 'TF_BUILD',
    branch: 'BUILD_SOURCEBRANCH',
    commit: 'BUILD_SOURCEVERSION',
    pullRequest: { BUILD_REASON: /^PullRequest$/, SYSTEM_PULLREQUEST_PULLREQUESTID: set },
  },
  {
    name: 'Bitbucket Pipelines',
    known: 'BITBUCKET_BUILD_NUMBER',
    branch: 'BITBUCKET_BRANCH',
    commit: 'BITBUCKET_COMMIT',
    pullRequest: { BITBUCKET_PR_ID: set },
  },
  {
    name: 'AWS Amplify',
    known: 'AWS_BRANCH',
    branch: 'AWS_BRANCH',
    commit: 'AWS_COMMIT_ID',
    pullRequest: { AWS_PULL_REQUEST_ID: set },
  },
  {
    name: 'Render',
    known: 'RENDER',
    branch: 'RENDER_GIT_BRANCH',
    commit: 'RENDER_GIT_COMMIT',
    pullRequest: { IS_PULL_REQUEST: set },
  },
  {
    name: 'Buildkite',
    known: 'BUILDKITE',
    branch: 'BUILDKITE_BRANCH',
    tag: 'BUILDKITE_TAG',
    commit: 'BUILDKITE_COMMIT',
    pullRequest: { BUILDKITE_PULL_REQUEST: set },
  },
  {
    name: 'Travis CI',
    known: 'TRAVIS',
    branch: 'TRAVIS_BRANCH',
    tag: 'TRAVIS_TAG',
    commit: 'TRAVIS_COMMIT',
    pullRequest: { TRAVIS_PULL_REQUEST: set },
  },
  {
    name: 'Jenkins',
    known: 'JENKINS_URL',
    branch: 'BRANCH_NAME',
    tag: 'TAG_NAME',
    commit: 'GIT_COMMIT',
    pullRequest: { CHANGE_ID: set },
  },
];

/** The known hosts with variables here. One can run in another: Vercel's CLI in GitHub Actions. */
export function hostsOf(variables: Variables): Host[] {
  return hosts
    .filter(({ known }) => isSet(variables[known]))
    .map(({ name, says, context, branch, tag, defaultBranch, commit, ...patterns }) => ({
      name,
      says: says?.(variables),
      context: (context && variables[context]) || undefined,
      branch: tag && isSet(variables[tag]) ? undefined : branchName(branch && variables[branch]),
      defaultBranch: defaultBranch?.(variables),
      commit: toCommit(variables[commit]),
      isPush: matchesAny(variables, patterns.push),
      isPullRequest: matchesAny(variables, patterns.pullRequest),
      needsCommit: matchesAny(variables, patterns.anyCommit),
    }));
}

function matchesAny(variables: Variables, patterns: Patterns = {}): boolean {
  return Object.entries(patterns).some(([name, value]) => value.test(variables[name] ?? ''));
}

export function isSet(value: string | undefined): boolean {
  return set.test(value ?? '');
}

/** `undefined` for a tag or a pull request's merge. */
function branchName(ref: string | undefined): string | undefined {
  return ref?.replace(/^refs\/heads\//, '').replace(/^refs\/.*/, '') || undefined;
}

function contextName(context = 'unknown'): string {
  return context === 'production' ? context : `a build in the context ${context}`;
}

/**
 * The repository's default branch, from GitHub's event file. `undefined` if the file is missing or
 * doesn't name it. Then no branch counts as production.
 */
export async function readDefaultBranch({
  GITHUB_EVENT_PATH: path,
}: Variables): Promise<string | undefined> {
  if (!path) return undefined;
  try {
    const { repository } = JSON.parse(await readFile(path, 'utf8'));
    const branch: unknown = repository.default_branch;
    return typeof branch === 'string' && branch !== '' ? branch : undefined;
  } catch {
    return undefined;
  }
}
