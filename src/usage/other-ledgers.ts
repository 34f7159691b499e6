import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type LedgerIdentity, ledgerIdentity, ledgerPath } from './ledger-identity.ts';
import { parseLedger } from './ledger-json.ts';

/**
 * What the other ledgers of the same site are about that lie in the default folder and hold usages:
 * those of another base or service. Of a file that is no whole ledger nothing can be said.
 */
export async function otherLedgers(
  projectRoot: string,
  identity: LedgerIdentity,
): Promise<LedgerIdentity[]> {
  const own = ledgerIdentity(identity);
  const path = ledgerPath(projectRoot, identity);
  const folder = dirname(path);
  const files = await readdir(folder).catch(() => []);
  const found: LedgerIdentity[] = [];
  for (const file of files.sort()) {
    if (!/^ledger-.*\.json$/.test(file) || join(folder, file) === path) continue;
    const text = await readFile(join(folder, file), 'utf8').catch(() => '');
    const reading = parseLedger(text);
    if (reading.kind !== 'ledger' || reading.ledger.pages.size === 0) continue;
    const other = ledgerIdentity(reading.ledger);
    if (other.site === own.site) found.push(other);
  }
  return found;
}
