import { join } from 'node:path';
import { readNamedAssets } from '../../assets/request/read-named-assets.ts';
import { type FetchedOriginal, openOriginals } from '../../assets/sources/fetch-originals.ts';
import { countOf, oneLine } from '../../errors/wording.ts';
import { openService, readLastBuild, type ServiceFlags } from '../settings/find-service.ts';
import { cacheFolder } from '../settings/site-settings.ts';
import { errorToJson } from '../terminal/json-output.ts';
import { progressLine } from '../terminal/progress-line.ts';
import { byteText } from '../terminal/table.ts';
import { type Command, exitCodes } from '../terminal/terminal.ts';

/** Without arguments, fetches the assets of the last build and those named in `src`. */
export const fetchOriginals: Command<ServiceFlags, [named?: readonly number[]]> = async (
  flags,
  terminal,
  named = [],
) => {
  const { signal, directory } = terminal;
  const known = await readLastBuild(terminal);
  const { service, settings } = openService(flags, known, { terminal });
  const folder = cacheFolder(terminal, known);
  const atOnce = settings.concurrency;
  const originals = openOriginals({ service, cacheDir: folder, atOnce, signal });
  const inSources = named.length > 0 ? [] : await readNamedAssets(join(directory, 'src'));
  const distinct = [...new Set(named.length > 0 ? named : [...originals.used(), ...inSources])];
  const progress = progressLine('Fetching originals', terminal);
  const show = (done: number) => progress({ done, total: distinct.length });
  if (distinct.length > 0) show(0);
  const found = await originals.fetch(distinct, show);
  terminal.print({ folder, assets: found.map(toJson) }, () => toText(found, folder));
  const left = distinct.length - found.length;
  if (left > 0) {
    terminal.note(`Canceled: ${left} of ${distinct.length} weren't fetched.`);
    return exitCodes.ended;
  }
  return found.some(({ outcome }) => outcome === 'failed') ? exitCodes.error : exitCodes.done;
};

function toJson(one: FetchedOriginal) {
  if (one.outcome !== 'failed') return one;
  return { id: one.id, outcome: one.outcome, ...errorToJson(one.error) };
}

function toText(found: readonly FetchedOriginal[], folder: string): string {
  if (found.length === 0) return 'Nothing to fetch: no build, source file or ID names an asset.';
  const failed = found.filter((one) => one.outcome === 'failed');
  const fetched = found.flatMap((one) => (one.outcome === 'fetched' ? [one.size] : []));
  const size = fetched.reduce((sum, bytes) => sum + bytes, 0);
  const present = found.length - failed.length - fetched.length;
  return [
    ...failed.map(
      ({ id, error }) => `failed  asset ${id}  ${oneLine(error.message)} [${error.code}]`,
    ),
    `${countOf(fetched.length, 'original')} fetched (${byteText(size)}), ${present} already there, ${failed.length} failed, in ${folder}.`,
  ].join('\n');
}
