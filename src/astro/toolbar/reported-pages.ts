import { fileURLToPath } from 'node:url';
import { isMediaAssetError } from '../../errors/errors.ts';
import { loadLedger } from '../../usage/ledger/load-ledger.ts';
import { openStateStore } from '../../usage/ledger/open-state-store.ts';
import type { Site } from '../open-site.ts';
import type { UsingPage } from './protocol.ts';

/** Reads the pages of this site that have been reported for an asset. */
export type ReportedPages = (id: number) => Promise<UsingPage[]>;

/**
 * Reads the ledger, if it's a file. A store elsewhere belongs to the site's deploys, and development
 * doesn't depend on it.
 */
export function reportedPages({
  config,
  options,
  service,
}: Pick<Site, 'config' | 'options' | 'service'>): ReportedPages {
  const { store } = options.report;
  if (!config.site || (store && 'redis' in store)) return async () => [];
  const identity = { service: service.baseUrl, site: config.site, base: config.base };
  const opened = openStateStore({ store, root: fileURLToPath(config.root), identity });
  return async (id) => {
    const { ledger } = (await loadLedger(opened, identity).catch(ignoreOurs)) ?? {};
    return [...(ledger?.pages ?? [])].flatMap(([page, records]) => {
      const record = records.find(({ ids, state }) => state !== 'unsent' && ids.includes(id));
      return record ? [{ page, pageName: record.pageName }] : [];
    });
  };
}

/** A ledger that can't be read stops the next report, which names it. */
function ignoreOurs(thrown: unknown): undefined {
  if (!isMediaAssetError(thrown)) throw thrown;
  return undefined;
}
