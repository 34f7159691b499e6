import { type CachedFile, listCache } from '../images/list-cache.ts';
import { byteText } from './byte-text.ts';
import { cacheFolder } from './cache-folder.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';
import { count } from './wording.ts';

export interface CacheFlags {
  /** The cache folder. */
  readonly cache?: string;
  readonly json?: boolean;
}

const maxStaleDays = 7;

/** `media-asset cache list`: what is cached, how old it is, and how much. */
export async function listCached(flags: CacheFlags, terminal: Terminal): Promise<ExitCode> {
  const folder = cacheFolder(flags, terminal);
  const maxStale = maxStaleDays * 24 * 60 * 60 * 1000;
  const files = await listCache(folder, { maxStale, now: Date.now() });
  const size = files.reduce((sum, file) => sum + file.size, 0);
  terminal.out(
    flags.json
      ? JSON.stringify({ version: 1, folder, size, files }, undefined, 2)
      : listText(files, { folder, size, paint: terminal.paint }),
  );
  return exitCodes.done;
}

function listText(
  files: readonly CachedFile[],
  { folder, size, paint }: { folder: string; size: number; paint: Terminal['paint'] },
): string {
  if (files.length === 0) return `Nothing is cached in ${folder}. Build the site first.`;
  const rows = files.map((file) => [
    String(file.id),
    file.query === null ? file.kind : `${file.kind} ${file.query}`,
    byteText(file.size),
    file.width === null ? '' : `${file.width} × ${file.height}`,
    timeText(file.fetched),
    file.checked === null ? '' : `${timeText(file.checked)}${file.stale ? ' stale' : ''}`,
  ]);
  const head = ['asset', 'what', 'size', 'pixels', 'fetched (UTC)', 'checked (UTC)'];
  const widths = head.map((title, at) =>
    Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  const lineOf = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  const stale = new Set(files.filter((file) => file.stale).map(({ id }) => id)).size;
  return [
    paint.dim(lineOf(head)),
    ...rows.map(lineOf),
    '',
    `${count(files.length, 'file')}, ${byteText(size)}, in ${folder}.`,
    ...(stale > 0
      ? [
          `${count(stale, 'asset')} not checked with the service for more than ${maxStaleDays} days: the next build checks.`,
        ]
      : []),
  ].join('\n');
}

function timeText(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}
