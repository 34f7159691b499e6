import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { listCache } from '../../assets/store/cache-files.ts';
import { readOwnPackage } from '../../config/own-package.ts';
import { isMediaAssetError } from '../../errors/errors.ts';
import { countOf } from '../../errors/wording.ts';
import { errorCode } from '../../storage/file-problems.ts';
import { removeFile } from '../../storage/retry-locked-file.ts';
import { ledgerStatus } from '../../usage/ledger/ledger.ts';
import { loadLedger } from '../../usage/ledger/stored-ledger.ts';
import { findCacheFolder } from '../settings/find-cache-folder.ts';
import { byteText } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { prepareUsageRun, type UsageFlags } from '../usage/usage-run.ts';
import { check, type Diagnosis, ok, problem, warning } from './diagnosis.ts';
export async function checkVersions(directory: string): Promise<Diagnosis[]> {
  return [
    await check('Node', async () => ok(process.versions.node)),
    await check('Astro', async () => {
      const range = readOwnPackage().peerDependencies.astro;
      const majors = [...range.matchAll(/\^(\d+)/g)].map(([, major]) => major);
      const astro = await astroVersion(directory);
      if (astro === undefined) {
        return warning(
          "Astro isn't installed in this folder.",
          "Run doctor in the project's folder. Ignore this for pages that Astro didn't build.",
        );
      }
      if (majors.includes(astro.split('.')[0])) return ok(astro);
      const text = `${astro} isn't in the supported range, ${range}.`;
      return problem(text, `npm install astro@${majors.at(-1)}`);
    }),
  ];
}

async function astroVersion(directory: string): Promise<string | undefined> {
  try {
    const path = createRequire(join(directory, 'package.json')).resolve('astro/package.json');
    return (JSON.parse(await readFile(path, 'utf8')) as { version: string }).version;
  } catch {
    // Missing or unreadable: not installed either way.
    return undefined;
  }
}

export function checkCache(flags: { cache?: string }, terminal: Terminal): Promise<Diagnosis> {
  return check('cache', async () => {
    const folder = await findCacheFolder(flags, terminal);
    const probe = join(folder, `doctor-${randomUUID()}`);
    try {
      const files = listCache(folder, Date.now());
      await writeFile(probe, '', { flag: 'wx' });
      await removeFile(probe);
      const size = files.reduce((sum, file) => sum + file.size, 0);
      return ok(`${countOf(files.length, 'file')}, ${byteText(size)}, in ${folder}.`);
    } catch (thrown) {
      if (isMediaAssetError(thrown)) throw thrown;
      const code = errorCode(thrown);
      if (code === 'ENOENT') return ok(`Nothing is cached yet in ${folder}.`);
      const text = `${folder} can't be written (${code}).`;
      return problem(text, 'Check the permissions and the free space.');
    }
  });
}

export function checkLedger(flags: UsageFlags, terminal: Terminal): Promise<Diagnosis> {
  return check('ledger', async () => {
    try {
      const { usages } = await prepareUsageRun(flags, terminal);
      const { ledger, tag } = await loadLedger(usages.store, usages.identity);
      const { name } = usages.store;
      if (tag === undefined) return ok(`Nothing has been reported yet (${name}).`);
      const { pairs, unsentSince, lastRun } = ledgerStatus(ledger);
      const known = `${countOf(pairs.confirmed + pairs.inDoubt, 'usage')} known, last run ${lastRun?.at ?? 'not recorded'} (${name}).`;
      if (pairs.inDoubt === 0 && unsentSince === undefined) return ok(known);
      const since = unsentSince === undefined ? '' : `, unsent since ${unsentSince}`;
      return warning(
        `${known} ${pairs.inDoubt} in doubt${since}.`,
        'The next build or `media-asset report` repairs it. `media-asset status` shows details.',
      );
    } catch (thrown) {
      if (!isMediaAssetError(thrown, 'rules-missing')) throw thrown;
      const text = 'The site is unknown, because there was no build yet.';
      return warning(text, 'Build the site, or pass --site.');
    }
  });
}
