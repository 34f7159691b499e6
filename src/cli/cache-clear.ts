import { countOf } from '../errors/wording.ts';
import { mediaAssetError } from '../errors.ts';
import { clearCache } from '../images/clear-cache.ts';
import { listCache } from '../images/list-cache.ts';
import { byteText } from './byte-text.ts';
import { cacheFolder } from './cache-folder.ts';
import type { CacheFlags } from './cache-list.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

export interface CacheClearFlags extends CacheFlags {
  /** Only these assets. */
  readonly asset?: readonly number[];
  readonly yes?: boolean;
}

/**
 * `media-asset cache clear`: deletes what is cached, of all assets or of some. Without `--yes` a
 * person is asked. The ledger is somewhere else, and stays.
 *
 * @throws `command-usage` where nobody can be asked
 */
export async function clearCached(flags: CacheClearFlags, terminal: Terminal): Promise<ExitCode> {
  if (!flags.yes && !terminal.confirm) {
    throw mediaAssetError('command-usage', {
      problem: 'Nobody is there to be asked: pass --yes to clear the cache.',
    });
  }
  const folder = await cacheFolder(flags, terminal);
  const { asset: ids } = flags;
  const found = listCache(folder, Date.now()).filter(({ id }) => ids?.includes(id) ?? true);
  const size = found.reduce((sum, entry) => sum + entry.size, 0);
  const what = `${countOf(found.length, 'file')} (${byteText(size)})${ids ? ` of ${countOf(ids.length, 'asset')}` : ''}`;
  const agreed =
    flags.yes ||
    (await terminal.confirm?.(`Clear ${what} in ${folder}? Builds fetch it again.`)) === true;
  if (agreed)
    for (const id of ids ?? [undefined]) await clearCache(folder, { id, now: Date.now() });
  const cleared = agreed ? { files: found.length, size } : { files: 0, size: 0 };
  terminal.out(
    flags.json
      ? JSON.stringify({ version: 1, folder, ...cleared }, undefined, 2)
      : agreed
        ? `Cleared ${what} in ${folder}.`
        : 'Nothing was cleared.',
  );
  return exitCodes.done;
}
