import { resolve } from 'node:path';
import { mediaAssetError } from '../errors.ts';
import { fileStateStore } from '../usage/file-state-store.ts';
import { ledgerPath } from '../usage/ledger-identity.ts';
import { readSite, type SiteFlags } from './site-rules.ts';
import type { Terminal } from './terminal.ts';

/** The flags of the commands that plan and report. */
export interface UsageFlags extends SiteFlags {
  readonly state?: string;
  readonly allowRemovals?: boolean;
}

/**
 * Gathers what planning and reporting start from, apart from the manifest.
 *
 * @throws as `readSite` does; `service-not-configured` where no service is known
 */
export async function prepareUsageRun(flags: UsageFlags, terminal: Terminal) {
  const { directory } = terminal;
  const { rules, environment } = await readSite(flags, terminal);
  const { project, contact, description, site, base, service } = rules;
  if (!service) {
    const missing = ['--service (MEDIA_ASSET_BASE_URL)'];
    throw mediaAssetError('service-not-configured', { missing });
  }
  const identity = { service, site, base };
  const path = flags.state ? resolve(directory, flags.state) : ledgerPath(directory, identity);
  // For one run: in a .env file it would hold for all of them.
  const allowed = terminal.environment.MEDIA_ASSET_ALLOW_REMOVALS === '1';
  const run = {
    fields: { project, contact, description },
    identity,
    store: fileStateStore({ path }),
    allowRemovals: flags.allowRemovals ?? allowed,
    maxIdsPerRequest: 100,
  };
  return { rules, environment, run };
}
