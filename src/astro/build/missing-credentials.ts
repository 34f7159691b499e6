import type { Environment, ResolvedOptions } from '../../config/options.ts';
import { hasCredentials, missingSettings } from '../../config/service-settings.ts';
import { type Finding, finding, mediaAssetError } from '../../errors/errors.ts';
import { hostsOf, isSet, readDefaultBranch } from '../../usage/decide/build-hosts.ts';

/**
 * Lets a build without credentials go on only if it certainly isn't for production, and the site allows it.
 *
 * @param environment of the process: what a `.env` file says about the host proves nothing
 * @throws `service-not-configured`
 */
export async function requireCredentials(
  options: ResolvedOptions,
  environment: Environment = process.env,
): Promise<void> {
  if (hasCredentials(options)) return;
  const { service, withoutCredentials, report } = options;
  if (withoutCredentials === 'placeholders' && (await isNotForProduction(report, environment))) {
    return;
  }
  throw mediaAssetError('service-not-configured', { missing: missingSettings(service) });
}

/** What a build or a dev server that goes on without credentials says. */
export function credentialsFinding({ service }: ResolvedOptions): Finding {
  const missing = missingSettings(service);
  return finding('warning', 'service-not-configured', '', { missing, goesOn: true });
}

/**
 * Placeholders must not go live, so a build needs proof that it isn't for production. A branch proves
 * it only against the production branch. The default branch is that one if production builds report:
 * otherwise nothing ties it to the site, and deploys can come from any branch.
 */
async function isNotForProduction(
  { when, productionBranch }: ResolvedOptions['report'],
  environment: Environment,
): Promise<boolean> {
  if (when === 'always' || environment.MEDIA_ASSET_REPORT === 'always') return false;
  const hosts = hostsOf(environment);
  const [host] = hosts;
  if (!host) return !isSet(environment.CI);
  if (host.context !== undefined) return host.context !== 'production';
  if (hosts.some(({ isPullRequest }) => isPullRequest)) return true;
  // An event such as `workflow_run` names a branch that it may not build.
  if (host.branch === undefined || host.says !== undefined) return false;
  let expected = productionBranch;
  if (when === 'production' && host.isPush) {
    expected ??= host.defaultBranch ?? (await readDefaultBranch(environment));
  }
  return expected !== undefined && host.branch !== expected;
}
