import type { Environment, ResolvedOptions } from '../../config/options.ts';
import { hostsOf, isSet, readDefaultBranch } from '../../usage/decide/build-hosts.ts';

/** The option `rights.forbidden`. By default, only builds for production fail. */
export async function forbiddenRule(
  { command, options: { rights, report } }: { command: 'build' | 'dev'; options: ResolvedOptions },
  environment: Environment = process.env,
): Promise<'fail' | 'hide' | 'warn'> {
  if (rights.forbidden) return rights.forbidden;
  return command === 'dev' || (await isNotForProduction(report, environment)) ? 'warn' : 'fail';
}

/**
 * Whether there's proof that a build isn't for production, so that it may show what must not go live:
 * placeholders, forbidden assets. A branch is proof if it differs from the production branch. The
 * default branch counts as the production branch only if production builds report. Otherwise, deploys
 * can come from any branch.
 */
export async function isNotForProduction(
  { when, productionBranch }: ResolvedOptions['report'],
  environment: Environment,
): Promise<boolean> {
  if (when === 'always' || environment.MEDIA_ASSET_REPORT === 'always') return false;
  const hosts = hostsOf(environment);
  const [host] = hosts;
  if (!host) return !isSet(environment.CI);
  if (host.context !== undefined) return host.context !== 'production';
  if (hosts.some(({ isPullRequest }) => isPullRequest)) return true;
  // For an event such as `workflow_run`, the named branch may not be the one that is built.
  if (host.branch === undefined || host.says !== undefined) return false;
  let expected = productionBranch;
  if (when === 'production' && host.isPush) {
    expected ??= host.defaultBranch ?? (await readDefaultBranch(environment));
  }
  return expected !== undefined && host.branch !== expected;
}
