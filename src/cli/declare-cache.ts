import type { Command } from 'commander';
import { toIds } from './command-options.ts';
import { example, type ToAction } from './declare-command.ts';
import { toAssetIds, toFolderId, toSearchText } from './library-arguments.ts';

/** `cache list`, `cache clear` and `cache verify`. */
export function declareCache(program: Command, run: ToAction): void {
  const cache = program
    .commandsGroup('Pictures:')
    .command('cache')
    .description('Show and mend the cache of originals, custom formats and renditions.')
    .addHelpText('after', example('media-asset cache list', 'media-asset cache verify'));

  folderOptions(program.command('fetch'))
    .description('Take originals into the cache, for work without a network.')
    .argument(
      '[id...]',
      'assets; without any, those of the last build and of the sources',
      toAssetIds,
    )
    .option('--folder <id>', 'all files of a folder of the service', toFolderId)
    .option('--search <text>', 'all files that match a text', toSearchText)
    .option('--service <url>', "the service; the last build's or MEDIA_ASSET_BASE_URL without it")
    .addHelpText('after', example('media-asset fetch', 'media-asset fetch --folder 12'))
    .action(run(async () => (await import('./fetch.ts')).fetchOriginals));

  folderOptions(cache.command('list'))
    .description('List what is cached: kind, size, pixels, when it was fetched and checked.')
    .addHelpText('after', example('media-asset cache list', 'media-asset cache list --json'))
    .action(run(async () => (await import('./cache-list.ts')).listCached));

  folderOptions(cache.command('clear'))
    .description('Delete what is cached. Builds fetch it again; the ledger stays.')
    .option('--asset <id>', 'only of this asset; may be given several times', toIds)
    .option('-y, --yes', 'clear without asking')
    .addHelpText(
      'after',
      example('media-asset cache clear', 'media-asset cache clear --asset 4711 --yes'),
    )
    .action(run(async () => (await import('./cache-clear.ts')).clearCached));

  folderOptions(cache.command('verify'))
    .description('Compare all that is cached with its hashes, and remove what is broken.')
    .addHelpText('after', example('media-asset cache verify'))
    .action(run(async () => (await import('./cache-verify.ts')).verifyCached));
}

function folderOptions(command: Command): Command {
  return command
    .option('--cache <folder>', "the integration's cache folder; that of the last build without it")
    .option('--json', 'print JSON');
}
