import { mediaAssetError } from '../errors.ts';
import {
  type Environment,
  missingSettings,
  type ResolvedOptions,
  resolveOptions,
} from '../options.ts';
import type { BuildRules } from '../usage/build-rules.ts';
import { openStateStore } from '../usage/open-state-store.ts';
import { patientStore } from '../usage/patient-store.ts';
import { readSite, type SiteFlags } from './site-rules.ts';
import type { Terminal } from './terminal.ts';

/** The flags of the commands that plan and report. */
export interface UsageFlags extends SiteFlags {
  readonly state?: string;
  readonly allowRemovals?: boolean;
}

/**
 * Gathers what planning and reporting start from, apart from the manifest. For a command that `sends`,
 * the error about a missing service names the credentials that are missing too. One that reads the
 * `ledgerOnly`, and no built pages, can do its work after a build that failed as well.
 *
 * @throws as `readSite` does; `build-unfinished` after a build that failed, unless `ledgerOnly`;
 * `service-not-configured` where no service is known; `store-unknown` where the build keeps its ledger
 * in Redis, and the address is not known here
 */
export async function prepareUsageRun(
  flags: UsageFlags,
  terminal: Terminal,
  { sends = false, ledgerOnly = false }: { sends?: boolean; ledgerOnly?: boolean } = {},
) {
  const { directory } = terminal;
  const { rules, environment } = await readSite(flags, terminal);
  const { project, contact, description, site, base, service } = rules;
  if (rules.finished === false && !ledgerOnly) throw mediaAssetError('build-unfinished', { site });
  const assertSameBuild = async () => {
    const { finished, build } = (await readSite(flags, terminal)).rules;
    if (finished !== false && build === rules.build) return;
    throw mediaAssetError('build-unfinished', { site, begunSince: true });
  };
  if (!service) {
    const [, ...credentials] = missingSettings(resolveOptions({}, environment).service);
    const missing = ['--service (MEDIA_ASSET_BASE_URL)', ...(sends ? credentials : [])];
    throw mediaAssetError('service-not-configured', { missing });
  }
  const identity = { service, site, base };
  const store = flags.state ? { file: flags.state } : storeOf(rules, environment);
  // For one run: in a .env file it would hold for all of them.
  const allowed = terminal.environment.MEDIA_ASSET_ALLOW_REMOVALS === '1';
  const run = {
    fields: { project, contact, description },
    identity,
    store: patientStore(openStateStore({ store, root: directory, identity }), {
      onWait: terminal.note,
    }),
    allowRemovals: flags.allowRemovals ?? allowed,
    maxIdsPerRequest: rules.settings?.maxIdsPerRequest ?? 100,
  };
  return {
    rules,
    environment,
    run,
    /**
     * For when the pages have been read, and before anything is sent: throws `build-unfinished` where
     * another build has begun since.
     */
    assertSameBuild,
  };
}

/** The store that the build uses: what its config says, then the environment. */
function storeOf(
  { store }: BuildRules,
  { MEDIA_ASSET_STATE_URL }: Environment,
): ResolvedOptions['report']['store'] {
  if (typeof store === 'object') return store;
  const { report } = resolveOptions({}, { MEDIA_ASSET_STATE_URL });
  if (store === 'redis' && !report.store) throw mediaAssetError('store-unknown', undefined);
  return report.store;
}
