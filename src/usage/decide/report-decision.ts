import { type Host, hostsOf, isSet } from './build-hosts.ts';

export interface ReportDecision {
  /** `plan`: show what would be sent. `prepare`: leave it to `media-asset report`. */
  readonly action: 'send' | 'plan' | 'prepare' | 'none';
  /** A sentence for people. */
  readonly reason: string;
  /** One line that says how reporting is switched on; empty where it is on. */
  readonly enable: string;
}

/**
 * Decides what a build does about its usages. With `production` it sends on positive proof of a
 * production build only: no host says that it's for a pull request, and the commit that a host names
 * is the one that is checked out.
 */
export function decideReport({
  when,
  productionBranch,
  defaultBranch,
  checkedOut,
  environment,
}: {
  when: 'production' | 'deploy' | 'always' | 'never';
  productionBranch?: string | undefined;
  /** The repository's, if the host tells it elsewhere than in its variables. */
  defaultBranch?: string | undefined;
  /** The commit; `undefined` if it isn't known. Then the host's word counts. */
  checkedOut?: string | undefined;
  /** The variables of the process: what a `.env` file says about the host proves nothing. */
  environment: Readonly<Record<string, string | undefined>>;
}): ReportDecision {
  if (when === 'never') {
    const enable = "Set `report: 'production'` (the default) to report production builds.";
    return { action: 'none', reason: 'Reporting is switched off.', enable };
  }
  if (when === 'deploy') {
    const enable = 'Run `media-asset report <folder>` once the site is live.';
    return { action: 'prepare', reason: 'Usages are reported after the deploy.', enable };
  }
  if (when === 'always' || environment.MEDIA_ASSET_REPORT === 'always') {
    return { action: 'send', reason: 'Every build reports.', enable: '' };
  }
  const hosts = hostsOf(environment);
  const [host] = hosts;
  if (!host) {
    return plan(
      isSet(environment.CI)
        ? "It's unknown whether this is a production build."
        : 'This is a local build.',
    );
  }
  const vetoer = hosts.find(({ isPullRequest }) => isPullRequest);
  if (vetoer) return plan(`This is a build for a pull request (${vetoer.name}).`);
  const decision = decideOn(host, productionBranch ?? host.defaultBranch ?? defaultBranch);
  const unproven = !checkedOut && hosts.find(({ needsCommit }) => needsCommit);
  if (decision.action === 'send' && unproven) {
    return plan(`No .git shows which commit this build of ${unproven.name} is of.`);
  }
  const other = hosts.find(({ commit }) => commit && checkedOut && commit !== checkedOut);
  if (decision.action !== 'send' || !other) return decision;
  return plan(
    `Commit ${checkedOut?.slice(0, 7)} is checked out, but this is a build of ${other.commit?.slice(0, 7)} (${other.name}).`,
  );
}

/** @param expected the production branch */
function decideOn({ name, says, branch }: Host, expected: string | undefined): ReportDecision {
  if (says === 'production') {
    return { action: 'send', reason: `This is a production build of ${name}.`, enable: '' };
  }
  if (says !== undefined) return plan(`This is ${says} of ${name}.`);
  if (expected === undefined) {
    const enable =
      "Name the branch, as in `report: { productionBranch: 'main' }`, or set MEDIA_ASSET_REPORT=always.";
    return plan(`${name} doesn't say which branch is the production branch.`, enable);
  }
  if (branch === undefined) return plan(`This isn't a build of a branch (${name}).`);
  if (branch !== expected) {
    return plan(`This is a build of the branch ${branch}, not of ${expected} (${name}).`);
  }
  const reason = `This is a build of the production branch ${branch} (${name}).`;
  return { action: 'send', reason, enable: '' };
}

function plan(
  reason: string,
  enable = 'To report anyway, set MEDIA_ASSET_REPORT=always.',
): ReportDecision {
  return { action: 'plan', reason, enable };
}
