import type { Environment, ResolvedOptions } from '../../config/options.ts';
import { hasCredentials, missingSettings } from '../../config/service-settings.ts';
import { type Finding, finding, mediaAssetError } from '../../errors/errors.ts';
import { hostsOf, isSet, readDefaultBranch } from '../../usage/decide/build-hosts.ts';
import { decideReport } from '../../usage/decide/report-decision.ts';

/**
 * Lets a build without credentials go on only if it isn't a production build, and the site allows it.
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
  if (withoutCredentials === 'placeholders' && !(await mayBeProduction(report, environment)))
    return;
  throw mediaAssetError('service-not-configured', { missing: missingSettings(service) });
}

/** What a build or a dev server that goes on without credentials says. */
export function credentialsFinding({ service }: ResolvedOptions): Finding {
  const missing = missingSettings(service);
  return finding('warning', 'service-not-configured', '', { missing, goesOn: true });
}

/** Placeholders must not go live: a build that can't be told from a production build counts as one. */
async function mayBeProduction(
  report: ResolvedOptions['report'],
  environment: Environment,
): Promise<boolean> {
  const [host] = hostsOf(environment);
  if (!host && isSet(environment.CI)) return true;
  const { action } = decideReport({
    ...report,
    when: report.when === 'always' ? 'always' : 'production',
    defaultBranch: (await readDefaultBranch(environment)) ?? host?.branch,
    environment,
  });
  return action === 'send';
}
