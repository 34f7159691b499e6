import { type CachedFile, clearCache, listCache } from '../../assets/store/cache-files.ts';
import { countOf } from '../../errors/wording.ts';
import { assertCanConfirm } from '../command-options.ts';
import { findCacheFolder } from '../settings/site-settings.ts';
import { byteText, type Column, tableLines } from '../terminal/table.ts';
import { type ExitCode, exitCodes, type Terminal } from '../terminal/terminal.ts';

interface CacheFlags {
  readonly cache?: string;
  readonly json?: boolean;
}

interface CacheClearFlags extends CacheFlags {
  readonly asset?: readonly number[];
  readonly yes?: boolean;
}

const columns: readonly Column<CachedFile>[] = [
  { title: 'asset', value: ({ id }) => String(id), right: true },
  {
    title: 'what',
    value: ({ kind, query }) => (query === null ? kind : `${kind} ${query}`),
    cut: true,
  },
  { title: 'size', value: ({ size }) => byteText(size), right: true },
  {
    title: 'pixels',
    value: ({ width, height }) => (width === null ? '' : `${width} × ${height}`),
  },
  { title: 'fetched (UTC)', value: ({ fetched }) => timeText(fetched) },
  {
    title: 'checked (UTC)',
    value: ({ checked }) => (checked === null ? '' : timeText(checked)),
  },
];

export async function listCached(flags: CacheFlags, terminal: Terminal): Promise<ExitCode> {
  const folder = await findCacheFolder(flags, terminal);
  const files = listCache(folder);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  terminal.print({ folder, size, files }, () => listText(files, { folder, size, terminal }));
  return exitCodes.done;
}

function listText(
  files: readonly CachedFile[],
  { folder, size, terminal }: { folder: string; size: number; terminal: Terminal },
): string {
  if (files.length === 0)
    return `Nothing is cached in ${folder}. Build the site first, or name another folder with --cache.`;
  return [
    ...tableLines(columns, files, terminal),
    '',
    `${countOf(files.length, 'file')}, ${byteText(size)}, in ${folder}.`,
  ].join('\n');
}

function timeText(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}

/** Asks for confirmation without `--yes`. The ledger is stored elsewhere and stays. */
export async function clearCached(flags: CacheClearFlags, terminal: Terminal): Promise<ExitCode> {
  assertCanConfirm(flags, terminal, 'clear the cache');
  const folder = await findCacheFolder(flags, terminal);
  const { asset: ids } = flags;
  const found = listCache(folder).filter(({ id }) => ids?.includes(id) ?? true);
  const size = found.reduce((sum, entry) => sum + entry.size, 0);
  const what = `${countOf(found.length, 'file')} (${byteText(size)})${ids ? ` of ${countOf(ids.length, 'asset')}` : ''}`;
  const agreed =
    flags.yes ||
    (await terminal.confirm?.(`Clear ${what} in ${folder}? Builds fetch it again.`)) === true;
  if (agreed)
    for (const id of ids ?? [undefined]) await clearCache(folder, { id, now: Date.now() });
  const cleared = agreed ? { files: found.length, size } : { files: 0, size: 0 };
  terminal.print({ folder, ...cleared }, () =>
    agreed ? `Cleared ${what} in ${folder}.` : 'Canceled. Nothing was cleared.',
  );
  return exitCodes.done;
}
