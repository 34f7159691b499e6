import type { Manifest } from '../scan/manifest.ts';
import type { Ledger } from './ledger.ts';

/** What a site shows that has ended: every page that the ledger knows, without any asset. */
export function retirement({ site, base, pages }: Ledger): Manifest {
  const ended = [...pages].map(([page, records]) => ({
    page,
    pageName: records[0]?.pageName ?? '',
    assets: [],
  }));
  return { version: 1, site, base, pages: ended, findings: [] };
}
