import { isOnBuildHost } from '../../config/environment.ts';
import type { Environment } from '../../config/options.ts';
import { type Host, hostsOf, readCheckedOutCommit, readDefaultBranch } from './build-hosts.ts';

export interface ReportDecision {
  /** `plan` shows what would be sent. `prepare` leaves sending to `media-asset report`. */
  readonly action: 'send' | 'plan' | 'prepare' | 'none';
  readonly reason: string;
  /** One line that says how to turn on reporting. Empty if it's on. */
  readonly enable: string;
}

/** Reads what `decideReport` has to know about a build in this process. */
export async function readBuildFacts(root: string) {
  const environment = process.env;
  const defaultBranch = await readDefaultBranch(environment);
  return { environment, defaultBranch, checkedOut: await readCheckedOutCommit(root) };
}

/** Whether the usages are sent, now or after the deploy. */
export function isReported({ action }: ReportDecision): boolean {
  return action === 'send' || action === 'prepare';
}

/**
 * Decides whether a build sends its usages. With `production`, only confirmed production builds do:
 * the first host calls it production, no host calls it a preview, and every commit that a host names
 * is the checked-out one.
 */
export function decideReport(build: {
  when: 'production' | 'deploy' | 'always' | 'never';
  productionBranch?: string | undefined;
  /** The repository's default branch, if it isn't in the host's variables. */
  defaultBranch?: string | undefined;
  /** The checked-out commit. Without one, the host's variables decide. */
  checkedOut?: string | undefined;
  /** Variables of the process. A `.env` file proves nothing about the host. */
  environment: Environment;
}): ReportDecision {
  const { when, productionBranch, defaultBranch, checkedOut, environment } = build;
  if (when === 'never') {
    const enable = "Set `report: 'production'` (the default), or unset MEDIA_ASSET_REPORT.";
    return { action: 'none', reason: 'Reporting is switched off.', enable };
  }
  if (when === 'deploy') {
    const enable = 'Run `media-asset report <folder>` once the site is live.';
    return { action: 'prepare', reason: 'Usages are reported after the deploy.', enable };
  }
  if (when === 'always' || isForced(environment)) {
    return { action: 'send', reason: 'Every build reports.', enable: '' };
  }
  const hosts = hostsOf(environment);
  const [host] = hosts;
  if (!host) {
    return plan(
      isOnBuildHost(environment)
        ? "It's unknown whether this is a production build."
        : 'This is a local build.',
    );
  }
  const vetoer = previewHost(environment);
  if (vetoer) return plan(`This is a build ${vetoer.preview} (${vetoer.name}).`);
  const decision = decideOn(host, productionBranch ?? host.defaultBranch ?? defaultBranch);
  if (decision.action !== 'send') return decision;
  const unproven = !checkedOut && hosts.find(({ needsCommit }) => needsCommit);
  if (unproven) return plan(`No .git shows which commit this build of ${unproven.name} is of.`);
  const other = hosts.find(({ commit }) => commit && checkedOut && commit !== checkedOut);
  if (!other) return decision;
  return plan(
    `Commit ${checkedOut?.slice(0, 7)} is checked out, but this is a build of ${other.commit?.slice(0, 7)} (${other.name}).`,
  );
}

/** A host that says that this run isn't for the live site, unless reports are forced. */
export function previewHost(environment: Environment): Host | undefined {
  if (isForced(environment)) return undefined;
  return hostsOf(environment).find(({ preview }) => preview !== undefined);
}

function isForced({ MEDIA_ASSET_REPORT }: Environment): boolean {
  return MEDIA_ASSET_REPORT === 'always';
}

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
