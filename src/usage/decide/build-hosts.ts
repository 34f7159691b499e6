import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isSet } from '../../config/environment.ts';
import type { Environment } from '../../config/options.ts';

export interface Host {
  readonly name: string;
  /** `production` or another kind (`a local build`), if the host names one. See also `preview`. */
  readonly says?: string | undefined;
  /** The build's context (`production`, `preview`, …), if the host has contexts. */
  readonly context?: string | undefined;
  /** `undefined` for a tag. */
  readonly branch?: string | undefined;
  readonly defaultBranch?: string | undefined;
  readonly commit: string | undefined;
  /** Whether a push to the branch started the build. */
  readonly isPush?: boolean;
  /** How the host says that a build isn't of the live site, such as `for a pull request`. */
  readonly preview: string | undefined;
  /** Whether the build can be of any commit, so that only `.git` shows which one. */
  readonly needsCommit?: boolean;
}

/** GitHub events that build the branch in `GITHUB_REF`. */
const branchEvents = ['push', 'workflow_dispatch', 'schedule', 'repository_dispatch'];
/** GitHub runs these only on the default branch. */
const defaultBranchEvents = ['schedule', 'repository_dispatch'];

/**
 * The known hosts, each with a variable that's set in all of its builds. If a build has variables of
 * two hosts, the first one decides. Both can veto.
 */
const hosts: readonly {
  readonly name: string;
  readonly known: string;
  readonly read: (variables: Environment) => Omit<Host, 'name'>;
}[] = [
  {
    name: 'Vercel',
    known: 'VERCEL_ENV',
    read: ({ VERCEL_ENV, VERCEL_GIT_COMMIT_SHA, VERCEL_GIT_PULL_REQUEST_ID }) => ({
      says: 'production',
      context: VERCEL_ENV,
      commit: toCommit(VERCEL_GIT_COMMIT_SHA),
      preview: previewOf(isSet(VERCEL_GIT_PULL_REQUEST_ID), VERCEL_ENV),
    }),
  },
  {
    name: 'Netlify',
    known: 'NETLIFY',
    read: ({ CONTEXT, NETLIFY_LOCAL, COMMIT_REF, PULL_REQUEST }) => ({
      says: isSet(NETLIFY_LOCAL) ? 'a local build' : CONTEXT || 'a build in an unknown context',
      context: CONTEXT || undefined,
      commit: toCommit(COMMIT_REF),
      preview: previewOf(isSet(PULL_REQUEST), CONTEXT),
    }),
  },
  cloudflare('Pages', 'CF_PAGES'),
  cloudflare('Workers', 'WORKERS_CI'),
  {
    name: 'GitHub Actions',
    known: 'GITHUB_ACTIONS',
    read: ({ GITHUB_EVENT_NAME: event = 'unknown', GITHUB_REF, GITHUB_SHA, GITHUB_HEAD_REF }) => ({
      says: branchEvents.includes(event) ? undefined : `a build on the event ${event}`,
      branch: branchName(GITHUB_REF),
      defaultBranch: defaultBranchEvents.includes(event) ? branchName(GITHUB_REF) : undefined,
      commit: toCommit(GITHUB_SHA),
      isPush: event === 'push',
      preview: previewOf(/^(?:pull_request|merge_group)/.test(event) || isSet(GITHUB_HEAD_REF)),
      // The sender often names the commit to check out.
      needsCommit: event === 'repository_dispatch',
    }),
  },
  {
    name: 'GitLab',
    known: 'GITLAB_CI',
    read: ({ CI_MERGE_REQUEST_IID, CI_EXTERNAL_PULL_REQUEST_IID, ...variables }) => ({
      branch: branchName(variables.CI_COMMIT_BRANCH),
      defaultBranch: variables.CI_DEFAULT_BRANCH,
      commit: toCommit(variables.CI_COMMIT_SHA),
      isPush: variables.CI_PIPELINE_SOURCE === 'push',
      preview: previewOf(isSet(CI_MERGE_REQUEST_IID) || isSet(CI_EXTERNAL_PULL_REQUEST_IID)),
    }),
  },
];

function cloudflare(product: string, known: string) {
  const read = (variables: Environment) => ({
    branch: branchName(variables[`${known}_BRANCH`]),
    commit: toCommit(variables[`${known}_COMMIT_SHA`]),
    preview: undefined,
  });
  return { name: `Cloudflare ${product}`, known, read };
}

/** The known hosts with variables here. One can run in another: Vercel's CLI in GitHub Actions. */
export function hostsOf(variables: Environment): Host[] {
  return hosts
    .filter(({ known }) => isSet(variables[known]))
    .map(({ name, read }) => ({ name, ...read(variables) }));
}

function previewOf(isPullRequest: boolean, context = ''): string | undefined {
  if (isPullRequest) return 'for a pull request';
  return context && context !== 'production' ? `in the context ${context}` : undefined;
}

/** `undefined` for a tag or a pull request's merge. */
function branchName(ref: string | undefined): string | undefined {
  return ref?.replace(/^refs\/heads\//, '').replace(/^refs\/.*/, '') || undefined;
}

/**
 * The repository's default branch, from GitHub's event file. `undefined` if the file is missing or
 * doesn't name it. Then no branch counts as production.
 */
export async function readDefaultBranch({ GITHUB_EVENT_PATH: path }: Environment) {
  if (!path) return undefined;
  try {
    const { repository } = JSON.parse(await readFile(path, 'utf8'));
    const branch: unknown = repository.default_branch;
    return typeof branch === 'string' && branch !== '' ? branch : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The checked-out commit of a folder's repository. Reads `.git` itself, because git can be missing
 * or refuse another user's folder. `undefined` if there's no `.git` or its format is unknown.
 */
export async function readCheckedOutCommit(folder: string): Promise<string | undefined> {
  const git = await findGitFolder(resolve(folder));
  if (git === undefined) return undefined;
  const head = await readText(join(git, 'HEAD'));
  const ref = /^ref: (\S+)$/.exec(head)?.[1];
  if (ref === undefined) return toCommit(head);
  // A linked worktree has its own HEAD. Its branches are in the repository's folder.
  const common = resolve(git, await readText(join(git, 'commondir')));
  const packed = (await readText(join(common, 'packed-refs'))).split('\n');
  return (
    toCommit(await readText(join(common, ref))) ??
    toCommit(packed.find((line) => line.endsWith(` ${ref}`))?.split(' ', 1)[0])
  );
}

/** A full commit hash. `undefined` for any other text, such as `HEAD`. */
function toCommit(text = ''): string | undefined {
  const hash = text.toLowerCase();
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(hash) ? hash : undefined;
}

async function findGitFolder(folder: string): Promise<string | undefined> {
  const path = join(folder, '.git');
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return path;
  // In a submodule or a linked worktree, `.git` is a file.
  if (found) return resolve(folder, (await readText(path)).replace(/^gitdir: /, ''));
  const above = dirname(folder);
  return above === folder ? undefined : findGitFolder(above);
}

/** Empty if the file is missing or can't be read. */
async function readText(path: string): Promise<string> {
  return (await readFile(path, 'utf8').catch(() => '')).trim();
}
