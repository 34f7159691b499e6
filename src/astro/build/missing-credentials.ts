import { isOnBuildHost } from '../../config/environment.ts';
import type { Environment, ResolvedOptions } from '../../config/options.ts';
import { hasCredentials, missingSettings } from '../../config/service-settings.ts';
import { type Finding, finding, mediaAssetError } from '../../errors/errors.ts';
import { hostsOf, readDefaultBranch } from '../../usage/decide/build-hosts.ts';

/**
 * Lets a build continue without credentials only if the site allows it and it's certainly not for
 * production. `environment`: the process's, because a `.env` file proves nothing about the host.
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

/** The warning of a build or a dev server that continues without credentials. */
export function credentialsFinding({ service }: ResolvedOptions): Finding {
  const missing = missingSettings(service);
  return finding('warning', 'service-not-configured', { missing, goesOn: true });
}

/**
 * Whether there's proof that a build isn't for production, so that it may show placeholders, which
 * must not go live. A branch is proof if it differs from the production branch. The
 * default branch counts as the production branch only if production builds report. Otherwise, deploys
 * can come from any branch.
 */
async function isNotForProduction(
  { when, productionBranch }: ResolvedOptions['report'],
  environment: Environment,
): Promise<boolean> {
  if (when === 'always' || environment.MEDIA_ASSET_REPORT === 'always') return false;
  const hosts = hostsOf(environment);
  const [host] = hosts;
  if (!host) return !isOnBuildHost(environment);
  if (host.context !== undefined) return host.context !== 'production';
  if (hosts.some(({ preview }) => preview !== undefined)) return true;
  // For an event such as `workflow_run`, the named branch may not be the one that is built.
  if (host.branch === undefined || host.says !== undefined) return false;
  let expected = productionBranch;
  if (when === 'production' && host.isPush) {
    expected ??= host.defaultBranch ?? (await readDefaultBranch(environment));
  }
  return expected !== undefined && host.branch !== expected;
}
