import { countOf } from '../errors/wording.ts';
import { type CachedFile, listCache, maxStaleDays } from '../images/list-cache.ts';
import { byteText } from './byte-text.ts';
import { cacheFolder } from './cache-folder.ts';
import { type Column, layTable } from './table.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

export interface CacheFlags {
  /** The cache folder. */
  readonly cache?: string;
  readonly json?: boolean;
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
    value: ({ checked, stale }) =>
      checked === null ? '' : `${timeText(checked)}${stale ? ' stale' : ''}`,
  },
];

/** `media-asset cache list`: what is cached, how old it is, and how much. */
export async function listCached(flags: CacheFlags, terminal: Terminal): Promise<ExitCode> {
  const folder = await cacheFolder(flags, terminal);
  const files = listCache(folder, Date.now());
  const size = files.reduce((sum, file) => sum + file.size, 0);
  terminal.out(
    flags.json
      ? JSON.stringify({ version: 1, folder, size, files }, undefined, 2)
      : listText(files, { folder, size, terminal }),
  );
  return exitCodes.done;
}

function listText(
  files: readonly CachedFile[],
  {
    folder,
    size,
    terminal: { paint, width },
  }: { folder: string; size: number; terminal: Terminal },
): string {
  if (files.length === 0)
    return `Nothing is cached in ${folder}. Build the site first, or name another folder with --cache.`;
  const table = layTable(columns, files, width);
  const stale = new Set(files.filter((file) => file.stale).map(({ id }) => id)).size;
  return [
    paint.dim(table.header),
    ...files.map(table.line),
    '',
    `${countOf(files.length, 'file')}, ${byteText(size)}, in ${folder}.`,
    ...(stale > 0
      ? [
          `${countOf(stale, 'asset')} not checked with the service for more than ${maxStaleDays} days: the next build checks.`,
        ]
      : []),
  ].join('\n');
}

function timeText(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}
