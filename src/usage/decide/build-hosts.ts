import { readFile } from 'node:fs/promises';
import { toCommit } from './checked-out-commit.ts';

type Variables = Readonly<Record<string, string | undefined>>;

type Patterns = Readonly<Record<string, RegExp>>;

/** What a host says of a build. */
export interface Host {
  readonly name: string;
  /** `production`, or what else the build is (`a local build`), if the host says it. */
  readonly says: string | undefined;
  /** `production` or another one, on hosts that name the context of a build. */
  readonly context: string | undefined;
  /** `undefined` in a build of a tag. */
  readonly branch: string | undefined;
  /** The repository's default branch. */
  readonly defaultBranch: string | undefined;
  readonly commit: string | undefined;
  /** Whether a push to the branch has started the build. */
  readonly isPush: boolean;
  readonly isPullRequest: boolean;
  /** Whether the build may be of any commit, so that only the checked-out one proves which. */
  readonly needsCommit: boolean;
}

/** A host and its variables, by their names. */
interface HostVariables {
  readonly name: string;
  /** Set in each build of this host. */
  readonly known: string;
  readonly says?: (variables: Variables) => string | undefined;
  readonly context?: string;
  /** Holds `main`, or `refs/heads/main`. */
  readonly branch?: string;
  /** Set in a build of a tag, on hosts that name the tag as the branch too. */
  readonly tag?: string;
  readonly defaultBranch?: (variables: Variables) => string | undefined;
  /** Holds the hash of the commit that is built. */
  readonly commit: string;
  /** What these variables hold in a build that a push to a branch has started, and in no other. */
  readonly push?: Patterns;
  /** The same for a build for a pull request. */
  readonly pullRequest: Patterns;
  /** The same for a build that may be of any commit, of a pull request for example. */
  readonly anyCommit?: Patterns;
}

/** Hosts write "no" in several ways. */
const set = /^(?!(?:|false|0)$)/;

/** GitHub's events that run the commit of the branch that they name. */
const branchEvents = ['push', 'workflow_dispatch', 'schedule', 'repository_dispatch'];
/** Those that GitHub runs on the default branch only. */
const defaultBranchEvents = ['schedule', 'repository_dispatch'];

/** Of two hosts in one build, the first decides, and each can veto. */
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
    // Its sender often names the commit to check out.
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
    // Also set for a branch that has an open pull request of its own: nothing tells the two apart.
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

/** The known hosts that have set these variables. One can run in another, as Vercel's CLI in GitHub Actions. */
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

/** `undefined` for a tag, and for the merge of a pull request. */
function branchName(ref: string | undefined): string | undefined {
  return ref?.replace(/^refs\/heads\//, '').replace(/^refs\/.*/, '') || undefined;
}

function contextName(context = 'unknown'): string {
  return context === 'production' ? context : `a build in the context ${context}`;
}

/**
 * The repository's default branch, from the event that GitHub Actions leaves in a file;
 * `undefined` if there is none, or it doesn't say: then no branch counts as production.
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
