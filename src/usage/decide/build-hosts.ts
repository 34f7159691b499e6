import { readFile } from 'node:fs/promises';

export interface Host {
  readonly name: string;
  /** `production`, or what else the build is (`a preview`), where the host says it. */
  readonly says?: string | undefined;
  readonly branch?: string | undefined;
  /** The repository's default branch. */
  readonly defaultBranch?: string | undefined;
  /** Whether the build is for a pull request: its branch then proves nothing. */
  readonly pullRequest?: boolean;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Events of GitHub Actions that run what stands on the branch that they name. */
const githubEvents = new Set(['push', 'workflow_dispatch', 'schedule', 'repository_dispatch']);

/** Each known host: the variable that it is known by, and how its variables are read. */
const hosts: readonly [known: string, read: (variables: Variables) => Host][] = [
  [
    'VERCEL_ENV',
    ({ VERCEL_ENV }) => ({ name: 'Vercel', says: contextName(VERCEL_ENV ?? 'preview') }),
  ],
  [
    'NETLIFY',
    ({ CONTEXT, NETLIFY_LOCAL }) => ({
      name: 'Netlify',
      says: isSet(NETLIFY_LOCAL) ? 'a local build' : contextName(CONTEXT ?? 'unknown'),
    }),
  ],
  ['CF_PAGES', ({ CF_PAGES_BRANCH }) => ({ name: 'Cloudflare Pages', branch: CF_PAGES_BRANCH })],
  [
    'WORKERS_CI',
    ({ WORKERS_CI_BRANCH }) => ({ name: 'Cloudflare Workers', branch: WORKERS_CI_BRANCH }),
  ],
  [
    'GITHUB_ACTIONS',
    ({ GITHUB_EVENT_NAME, GITHUB_REF }) => ({
      name: 'GitHub Actions',
      branch: /^refs\/heads\/(.+)$/.exec(GITHUB_REF ?? '')?.[1],
      ...githubEvent(GITHUB_EVENT_NAME ?? 'unknown'),
    }),
  ],
  [
    'GITLAB_CI',
    ({
      CI_COMMIT_BRANCH,
      CI_DEFAULT_BRANCH,
      CI_MERGE_REQUEST_IID,
      CI_EXTERNAL_PULL_REQUEST_IID,
    }) => ({
      name: 'GitLab',
      branch: CI_COMMIT_BRANCH,
      defaultBranch: CI_DEFAULT_BRANCH,
      pullRequest: isSet(CI_MERGE_REQUEST_IID) || isSet(CI_EXTERNAL_PULL_REQUEST_IID),
    }),
  ],
  [
    'CIRCLECI',
    ({ CIRCLE_BRANCH, CIRCLE_PULL_REQUEST }) => ({
      name: 'CircleCI',
      branch: CIRCLE_BRANCH,
      pullRequest: isSet(CIRCLE_PULL_REQUEST),
    }),
  ],
  [
    'TF_BUILD',
    ({ BUILD_SOURCEBRANCH, BUILD_REASON }) => ({
      name: 'Azure Pipelines',
      branch: /^refs\/heads\/(.+)$/.exec(BUILD_SOURCEBRANCH ?? '')?.[1],
      pullRequest: BUILD_REASON === 'PullRequest',
    }),
  ],
  [
    'BITBUCKET_BUILD_NUMBER',
    ({ BITBUCKET_BRANCH, BITBUCKET_PR_ID }) => ({
      name: 'Bitbucket Pipelines',
      branch: BITBUCKET_BRANCH,
      pullRequest: isSet(BITBUCKET_PR_ID),
    }),
  ],
  [
    'AWS_BRANCH',
    ({ AWS_BRANCH, AWS_PULL_REQUEST_ID }) => ({
      name: 'AWS Amplify',
      branch: AWS_BRANCH,
      pullRequest: isSet(AWS_PULL_REQUEST_ID),
    }),
  ],
  [
    'RENDER',
    ({ RENDER_GIT_BRANCH, IS_PULL_REQUEST }) => ({
      name: 'Render',
      branch: RENDER_GIT_BRANCH,
      pullRequest: isSet(IS_PULL_REQUEST),
    }),
  ],
  [
    'BUILDKITE',
    ({ BUILDKITE_BRANCH, BUILDKITE_PULL_REQUEST }) => ({
      name: 'Buildkite',
      branch: BUILDKITE_BRANCH,
      pullRequest: isSet(BUILDKITE_PULL_REQUEST),
    }),
  ],
  [
    'JENKINS_URL',
    ({ BRANCH_NAME, CHANGE_ID }) => ({
      name: 'Jenkins',
      branch: BRANCH_NAME,
      pullRequest: isSet(CHANGE_ID),
    }),
  ],
];

/** The host of a build; `undefined` on a machine that is none of the known ones. */
export function hostOf(variables: Variables): Host | undefined {
  const found = hosts.find(([known]) => isSet(variables[known]));
  return found?.[1](variables);
}

/** Hosts write "no" in several ways. */
export function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== 'false' && value !== '0';
}

function contextName(context: string): string {
  return context === 'production' ? context : `a build in the context ${context}`;
}

function githubEvent(event: string): Pick<Host, 'says' | 'pullRequest'> {
  if (githubEvents.has(event)) return {};
  if (event.startsWith('pull_request')) return { pullRequest: true };
  return { says: `a build on the event ${event}` };
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
