import type { Environment, ResolvedOptions } from '../../config/options.ts';
import { hasCredentials, missingSettings } from '../../config/service-settings.ts';
import { type Finding, finding, mediaAssetError } from '../../errors/errors.ts';
import { isNotForProduction } from './production-build.ts';

/**
 * Lets a build continue without credentials only if the site allows it and it's certainly not for
 * production.
 *
 * @param environment of the process, because a `.env` file proves nothing about the host
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

/** The warning of a build or a dev server that continues without credentials. */
export function credentialsFinding({ service }: ResolvedOptions): Finding {
  const missing = missingSettings(service);
  return finding('warning', 'service-not-configured', '', { missing, goesOn: true });
}
