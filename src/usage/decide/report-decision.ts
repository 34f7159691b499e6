import { type Host, hostOf, isSet } from './build-hosts.ts';

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
 * production build only.
 *
 * `environment` holds the variables of the process: what a `.env` file says about the host proves
 * nothing. `defaultBranch` is the repository's, where the host tells it elsewhere.
 */
export function decideReport({
  when,
  productionBranch,
  defaultBranch,
  environment,
}: {
  when: 'production' | 'deploy' | 'always' | 'never';
  productionBranch?: string | undefined;
  defaultBranch?: string | undefined;
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
  const host = hostOf(environment);
  if (!host) {
    const reason = isSet(environment.CI)
      ? 'It is not known whether this is a production build.'
      : 'This is a local build.';
    return { action: 'plan', reason, enable: enableOnce };
  }
  return decideOn(host, { productionBranch, defaultBranch });
}

const enableOnce = 'To report it all the same, set MEDIA_ASSET_REPORT=always.';

function decideOn(
  { name, says, branch, pullRequest, defaultBranch: hostsDefault }: Host,
  known: { productionBranch: string | undefined; defaultBranch: string | undefined },
): ReportDecision {
  const plan = (reason: string, enable = enableOnce): ReportDecision => ({
    action: 'plan',
    reason,
    enable,
  });
  if (says === 'production') {
    return { action: 'send', reason: `This is a production build of ${name}.`, enable: '' };
  }
  if (says !== undefined) return plan(`This is ${says} of ${name}.`);
  if (pullRequest) return plan(`This is a build for a pull request (${name}).`);
  const expected = known.productionBranch ?? hostsDefault ?? known.defaultBranch;
  if (expected === undefined) {
    const enable =
      "Name the branch, as in `report: { productionBranch: 'main' }`, or set MEDIA_ASSET_REPORT=always.";
    return plan(`${name} does not say which branch is the production branch.`, enable);
  }
  if (branch === undefined) return plan(`This is no build of a branch (${name}).`);
  if (branch !== expected) {
    return plan(`This is a build of the branch ${branch}, not of ${expected} (${name}).`);
  }
  const reason = `This is a build of the production branch ${branch} (${name}).`;
  return { action: 'send', reason, enable: '' };
}
