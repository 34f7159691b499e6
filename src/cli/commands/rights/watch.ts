import type { Command } from 'commander';
import type { AssetChange, WatchedAssets } from '../../../assets/watch-assets.ts';
import { countOf } from '../../../errors/wording.ts';
import { cacheOptions, example, serviceText, type ToAction } from '../../command-options.ts';
import type { LibraryFlags } from '../../settings/open-service.ts';
import { progressLine } from '../../terminal/progress-line.ts';
import { createTable } from '../../terminal/table.ts';
import { type ExitCode, exitCodes, noteFindings, type Terminal } from '../../terminal/terminal.ts';

interface WatchFlags extends LibraryFlags {
  readonly cache?: string;
}

export function declareWatch(program: Command, run: ToAction): void {
  cacheOptions(program.command('watch'))
    .description(
      'Say whether assets of the last build have changed, so that the site needs a build.',
    )
    .option('--service <url>', serviceText)
    .addHelpText('after', example('media-asset watch', 'media-asset watch --json'))
    .action(run(watch, { loadsConfig: true }));
}

/** @throws as `watchAssets`; `config-unloadable`, `options-invalid` */
async function watch(flags: WatchFlags, terminal: Terminal): Promise<ExitCode> {
  const { watchAssets } = await import('../../../assets/watch-assets.ts');
  const { findCacheFolder } = await import('../../settings/find-cache-folder.ts');
  const { loadSiteConfig } = await import('../../settings/load-site-config.ts');
  const { openService } = await import('../../settings/open-service.ts');
  const { readLastBuild } = await import('../../settings/site-settings.ts');
  const known = await readLastBuild(terminal);
  const config = await loadSiteConfig(terminal);
  const { service } = openService(flags, known, { terminal });
  const progress = progressLine('Checking assets', terminal);
  const compared = await watchAssets(service, {
    cacheDir: await findCacheFolder(flags, terminal),
    record: config?.record,
    rights: config?.rights ?? { unknown: 'allow', warnDays: 0 },
    clock: Date.now,
    onFinding: (one) => noteFindings([one], terminal),
    onProgress: (done, total) => progress.show({ done, total }),
  }).finally(progress.end);
  // Its pages weren't published, so they don't show what the build has seen.
  const found = { ...compared, isFinished: known.built?.finished !== false };
  terminal.print(toJson(found), () => watchText(found, terminal));
  return found.isFinished && found.changes.length === 0 ? exitCodes.done : exitCodes.rebuild;
}

interface WatchedBuild extends WatchedAssets {
  readonly isFinished: boolean;
}

function toJson({ assets, uncached, builtAt, isFinished: finished, changes }: WatchedBuild) {
  return {
    ...{ assets, uncached, builtAt: new Date(builtAt).toISOString(), finished },
    changes: changes.map(({ id, name, reason, detail }) => {
      return { id, name: name ?? null, reason, detail: detail ?? null };
    }),
  };
}

function watchText(
  { assets, uncached, builtAt, isFinished, changes }: WatchedBuild,
  { paint, width }: Pick<Terminal, 'paint' | 'width'>,
): string {
  const build = `the build of ${new Date(builtAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const missing = countOf(uncached.length, 'asset');
  const left = [
    ...(uncached.length > 0
      ? [`${missing} not compared, because the cache lacks their originals.`]
      : []),
    ...(isFinished ? [] : ["The last build didn't finish. Build the site again."]),
  ];
  if (changes.length === 0) {
    return [
      `Nothing has changed since ${build}: ${countOf(assets, 'asset')} compared.`,
      ...left,
    ].join('\n');
  }
  const table = createTable<AssetChange>(
    [
      { title: 'change', value: ({ reason }) => reason },
      { title: 'id', value: ({ id }) => String(id), right: true },
      { title: 'name', value: ({ name = '' }) => name, cut: true },
      {
        title: 'detail',
        value: ({ reason, detail = '' }) => detailText(reason, detail),
        cut: true,
      },
    ],
    changes,
    width,
  );
  const changed = new Set(changes.map(({ id }) => id)).size;
  return [
    paint.bold(table.header),
    ...changes.map(table.line),
    ...left,
    `${countOf(changed, 'asset')} of ${assets} changed since ${build}. Build the site again.`,
  ].join('\n');
}

function detailText(reason: AssetChange['reason'], detail: string): string {
  return reason === 'ending' ? `until ${detail}` : detail;
}
