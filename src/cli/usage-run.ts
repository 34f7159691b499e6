import { resolve } from 'node:path';
import { mediaAssetError } from '../errors.ts';
import { fileStateStore } from '../usage/file-state-store.ts';
import { ledgerPath } from '../usage/ledger-identity.ts';
import { scanFolder } from './scan-folder.ts';
import { type SiteFlags, siteRules } from './site-rules.ts';
import type { Terminal } from './terminal.ts';

/** The flags of the commands that plan and report. */
export interface UsageFlags extends SiteFlags {
  readonly state?: string;
  readonly allowRemovals?: boolean;
}

/**
 * Scans a folder and gathers what planning and reporting start from.
 *
 * @throws `service-not-configured` where no service is known
 */
export async function prepareUsageRun(flags: UsageFlags, terminal: Terminal, folder: string) {
  const { directory, environment } = terminal;
  const rules = await siteRules(flags, terminal);
  const { project, contact, description, site, base, service } = rules;
  if (!service) {
    const missing = ['--service (MEDIA_ASSET_BASE_URL)'];
    throw mediaAssetError('service-not-configured', { missing });
  }
  const identity = { service, site, base };
  const path = flags.state ? resolve(directory, flags.state) : ledgerPath(directory, identity);
  return {
    manifest: await scanFolder(folder, rules, terminal),
    fields: { project, contact, description },
    identity,
    store: fileStateStore({ path }),
    allowRemovals: flags.allowRemovals ?? environment.MEDIA_ASSET_ALLOW_REMOVALS === '1',
    maxIdsPerRequest: 100,
  };
}
