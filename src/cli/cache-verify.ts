import { countOf } from '../errors/wording.ts';
import { type VerifiedCache, verifyCache } from '../images/verify-cache.ts';
import { byteText } from './byte-text.ts';
import { cacheFolder } from './cache-folder.ts';
import type { CacheFlags } from './cache-list.ts';
import { progressLine } from './progress-line.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

/** `media-asset cache verify`: reads all that is cached, and removes what is broken. */
export async function verifyCached(flags: CacheFlags, terminal: Terminal): Promise<ExitCode> {
  const folder = await cacheFolder(flags, terminal);
  const progress = progressLine('Reading the cache', terminal);
  let found: VerifiedCache;
  try {
    found = await verifyCache(folder, { now: Date.now(), onProgress: progress.show });
  } finally {
    progress.end();
  }
  terminal.out(
    flags.json
      ? JSON.stringify({ version: 1, folder, ...found }, undefined, 2)
      : verifiedText(found, { folder, paint: terminal.paint }),
  );
  return exitCodes.done;
}

function verifiedText(
  { whole, size, broken, leftovers, catalogueBroken }: VerifiedCache,
  { folder, paint }: { folder: string } & Pick<Terminal, 'paint'>,
): string {
  const removed = paint.yellow('removed');
  if (whole + broken.length === 0 && leftovers.files === 0 && !catalogueBroken) {
    return `Nothing is cached in ${folder}.`;
  }
  const isMended = broken.length > 0 || leftovers.files > 0 || catalogueBroken;
  return [
    ...broken.map(({ id, kind, problem }) => `${removed}  asset ${id}  ${kind}: ${problem}`),
    ...(catalogueBroken ? [`${removed}  the catalogue: it could not be read`] : []),
    ...(leftovers.files > 0
      ? [
          `${removed}  ${countOf(leftovers.files, 'leftover')} of killed runs (${byteText(leftovers.size)})`,
        ]
      : []),
    `${countOf(whole, 'content')} whole, ${byteText(size)}.${isMended ? ' The next build fetches or makes the rest again.' : ''}`,
  ].join('\n');
}
