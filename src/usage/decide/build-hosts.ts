import { readFile } from 'node:fs/promises';
import { toCommit } from './checked-out-commit.ts';

type Variables = Readonly<Record<string, string | undefined>>;

type Patterns = Readonly<Record<string, RegExp>>;

/** What a host says about a build. */
export interface Host {
  readonly name: string;
  /** `production` or another kind (`a local build`), if the host names one. See also `preview`. */
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
  /** How the host says that a build isn't of the live site, such as `for a pull request`. */
  readonly preview: string | undefined;
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
    says: () => 'production',
    context: 'VERCEL_ENV',
    commit: 'VERCEL_GIT_COMMIT_SHA',
    pullRequest: { VERCEL_GIT_PULL_REQUEST_ID: set },
  },
  {
    name: 'Netlify',
    known: 'NETLIFY',
    says: ({ CONTEXT, NETLIFY_LOCAL }) =>
      isSet(NETLIFY_LOCAL) ? 'a local build' : CONTEXT || 'a build in an unknown context',
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
];

/** The known hosts with variables here. One can run in another: Vercel's CLI in GitHub Actions. */
export function hostsOf(variables: Variables): Host[] {
  return hosts
    .filter(({ known }) => isSet(variables[known]))
    .map(({ name, says, context, branch, defaultBranch, commit, ...patterns }) => ({
      name,
      says: says?.(variables),
      context: (context && variables[context]) || undefined,
      branch: branchName(branch && variables[branch]),
      defaultBranch: defaultBranch?.(variables),
      commit: toCommit(variables[commit]),
      isPush: matchesAny(variables, patterns.push),
      preview: matchesAny(variables, patterns.pullRequest)
        ? 'for a pull request'
        : previewContext(context && variables[context]),
      needsCommit: matchesAny(variables, patterns.anyCommit),
    }));
}

function matchesAny(variables: Variables, patterns: Patterns = {}): boolean {
  return Object.entries(patterns).some(([name, value]) => value.test(variables[name] ?? ''));
}

/** Hosts that aren't known set one of these. Not all set `CI`. */
const unknownHosts = ['CI', 'AWS_BRANCH', 'JENKINS_URL', 'RENDER', 'TF_BUILD'];

export function isOnUnknownHost(variables: Variables): boolean {
  return unknownHosts.some((name) => isSet(variables[name]));
}

function isSet(value: string | undefined): boolean {
  return set.test(value ?? '');
}

/** `undefined` for a tag or a pull request's merge. */
function branchName(ref: string | undefined): string | undefined {
  return ref?.replace(/^refs\/heads\//, '').replace(/^refs\/.*/, '') || undefined;
}

function previewContext(context: string | undefined): string | undefined {
  return context && context !== 'production' ? `in the context ${context}` : undefined;
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
