import { fileURLToPath } from 'node:url';
import { Option } from 'commander';
import {
  type Declared,
  ledgerOptions,
  libraryOptions,
  repeated,
  runOptions,
  sendOptions,
  siteOptions,
  stateOption,
  type ToAction,
  toAssetId,
  toFolderId,
  toNames,
  toPort,
  toTime,
} from './command-options.ts';

/** Each adds commands: arguments, options, help and action. All are declared on each run. */
export const commandGroups = {
  Usages: declareUsages,
  Library: declareLibrary,
  Rights: declareRights,
  Images: declareImages,
  'Sign-in': declareSignIn,
  Development: declareDevelopment,
};

const csvOption = () => new Option('--csv', 'print a table for spreadsheets').conflicts('json');

/** Evaluates the site's config, so it runs in a process of its own. */
const inSite = { loadsConfig: true };

function declareLibrary(program: Declared, run: ToAction): void {
  libraryOptions(program.command('folders'))
    .description('List the folders of the service.')
    .examples('folders', 'folders --json')
    .action(run(async () => (await import('./commands/library/files.ts')).folders));

  libraryOptions(program.command('files'))
    .description('List the files in a folder, with kind, size, pixels and folder.')
    .argument('<folder>', 'folder ID (see `media-asset folders`)', toFolderId)
    .examples('files 12')
    .action(run(async () => (await import('./commands/library/files.ts')).files));

  libraryOptions(program.command('search'))
    .description('Search for files, and list them with kind, size, pixels and folder.')
    .argument('<text>', 'text to search for')
    .examples('search "harbour at dawn"')
    .action(run(async () => (await import('./commands/library/files.ts')).search));

  libraryOptions(program.command('record'))
    .description("Show an asset's record, and what the site's `record.read` makes of it.")
    .argument('<id>', 'asset ID', toAssetId)
    .option(
      '--fields <names>',
      'fields to show, separated by commas (default: all that the service gives)',
      toNames,
    )
    .option('--locale <locale>', "language for `record.read` (default: the site's)")
    .examples('record 4711')
    .action(run(async () => (await import('./commands/library/record.ts')).record, inSite));

  libraryOptions(program.command('import'))
    .description("Upload a site's own images, and let its sources name them as assets.")
    .argument('<folder...>', 'folders of images in this project, such as src/assets and public')
    .requiredOption('--folder <id>', 'folder ID (see `media-asset folders`)', toFolderId)
    .option('--all', 'also import images that no source names')
    .option('--write', 'change the sources: Markdown, `image()` fields and components')
    .option('--no-check', 'with --write: change the sources without builds before and after')
    .option('--force', "with --write: also change files that Git doesn't have as they are")
    .option('--dry-run', 'show what would be done, and do nothing')
    .examples('import src/assets --folder 12 --dry-run', 'import src/assets --folder 12 --write')
    .action(run(async () => (await import('./commands/library/import.ts')).importImages, inSite));

  libraryOptions(program.command('usages'))
    .description('Show where an asset is used, as the service lists it.')
    .argument('<id>', 'asset ID', toAssetId)
    .examples('usages 4711')
    .action(run(async () => (await import('./commands/library/usages.ts')).usages));

  siteOptions(program.command('unused'), '[folder]')
    .description(
      'List the assets of folders of the service that no built page uses, nor anyone else.',
    )
    .requiredOption(
      '--folder <id>',
      'folder ID (see `media-asset folders`; repeatable)',
      repeated(toFolderId),
    )
    .addOption(csvOption())
    .examples('unused --folder 12', 'unused dist --folder 12 --folder 13 --csv > unused.csv')
    .action(run(async () => (await import('./commands/library/unused.ts')).unused));
}

function declareRights(program: Declared, run: ToAction): void {
  siteOptions(program.command('rights'), '[folder]')
    .description('List the assets on built pages, whether they may be shown, and until when.')
    .examples('rights', 'rights dist --json')
    .action(run(async () => (await import('./commands/rights/rights.ts')).rights, inSite));

  program
    .command('watch')
    .description(
      'Say whether assets or options of the last build have changed, so that the site needs a build.',
    )
    .option('--next', 'print the last day of the first rights that end, as of the last build')
    .option('--json', 'print JSON')
    .examples('watch', 'watch --next')
    .action(run(async () => (await import('./commands/rights/watch.ts')).watch, inSite));

  stateOption(ledgerOptions(program.command('withdraw')))
    .description('List the pages and URLs of an asset, and prove that visitors no longer get it.')
    .argument('<id>', 'asset ID', toAssetId)
    .option(
      '--complete-before <date>',
      'say that every URL published before this date is known here, or gone: closes the gaps until then',
      toTime,
    )
    .examples('withdraw 4711')
    .action(run(async () => (await import('./commands/rights/withdraw.ts')).withdraw));
}

function declareImages(program: Declared, run: ToAction): void {
  siteOptions(program.command('audit'), '[folder]')
    .description('Check alt texts, credits, rights and labels of the images on built pages.')
    .option(
      '--fail-on <checks>',
      'checks that end with exit code 1 if they find something, separated by commas (repeatable)',
      repeated(String),
    )
    .addOption(csvOption())
    .examples(
      'audit',
      'audit dist --csv > images.csv',
      'audit --fail-on alt-missing,missing-credit',
    )
    .action(run(async () => (await import('./commands/audit.ts')).audit, inSite));

  program
    .command('crops')
    .description('Show the crops whose originals have changed, before and after, and accept them.')
    .option('--accept <id>', 'asset whose crops still fit (repeatable)', repeated(toAssetId))
    .option('-o, --output <file>', 'HTML file to write', '.media-asset/crops.html')
    .option('--markdown <file>', 'also write the list as Markdown, for a review comment')
    .option('--json', 'print JSON')
    .examples('crops', 'crops --accept 4711')
    .action(run(async () => (await import('./commands/crops.ts')).crops));
}

function declareSignIn(program: Declared, run: ToAction): void {
  libraryOptions(program.command('login'))
    .description("Sign in on the service's authorization page, and keep the tokens.")
    .option('--port <number>', 'port on 127.0.0.1 for the redirect; 0 picks a free one', toPort, 0)
    .examples('login', 'login --port 7777')
    .action(run(async () => (await import('./commands/login.ts')).login));

  libraryOptions(program.command('logout'))
    .description('Delete the tokens of a sign-in.')
    .examples('logout')
    .action(run(async () => (await import('./commands/login.ts')).logout));
}

const samples = fileURLToPath(new URL('../../samples', import.meta.url));

function declareDevelopment(program: Declared, run: ToAction): void {
  program
    .command('init')
    .description('Find out how a service answers, and set the Astro site in this folder up for it.')
    .option('--service <url>', 'service URL (default: MEDIA_ASSET_BASE_URL, or a question)')
    .option('--accounts <url>', 'URL of the token host (default: the service)')
    .option('--site <url>', "the site's public URL, for a config without `site`")
    .option('--asset <id>', 'image to try (default: the first that is found)', toAssetId)
    .option('-y, --yes', 'write the files without confirmation')
    .option('--json', 'print JSON')
    .examples('init', 'init --service https://media.example.org --yes')
    .action(run(async () => (await import('./commands/init.ts')).init));

  program
    .command('explain')
    .description('Say what the code of an error or a finding means, and what to do.')
    .argument('<code>', 'code, which a message has in brackets')
    .option('--json', 'print JSON')
    .examples('explain site-missing')
    .action(run(async () => (await import('./commands/explain.ts')).explain));

  libraryOptions(program.command('doctor'))
    .description('Check options, credentials, service, crops and records, and suggest fixes.')
    .option(
      '--asset <id>',
      'image for the checks of crops and records (default: the first that is found)',
      toAssetId,
    )
    .examples('doctor', 'doctor --asset 4711 --json')
    .action(run(async () => (await import('./commands/doctor.ts')).doctor, inSite));

  program
    .command('emulator')
    .description('Run a Media Asset Service on this machine for development and tests.')
    .option('--port <number>', 'port on 127.0.0.1; 0 picks a free one', toPort, 4710)
    .addOption(
      new Option(
        '--media <folder>',
        'folder of media files; its subfolders are the folders of the service',
      ).default(samples, 'three sample images'),
    )
    .option('--data <folder>', 'folder for the database and the request log', '.emulator')
    .option('--fields <names>', 'fields of every record, separated by commas (default: any)')
    .examples('emulator', 'emulator --media public')
    .action(run(async () => (await import('./commands/emulator.ts')).emulator));
}

function declareUsages(program: Declared, run: ToAction): void {
  siteOptions(program.command('scan'))
    .description('List the assets on each built page.')
    .examples('scan dist --site https://www.example.org')
    .action(run(async () => (await import('./commands/usage/scan.ts')).scan));

  runOptions(siteOptions(program.command('plan')))
    .description('Show what a report would change in the service.')
    .option('--markdown <file>', 'also write the plan as Markdown, for a review comment')
    .examples('plan dist', 'plan dist --markdown usages.md')
    .action(run(async () => (await import('./commands/usage/plan.ts')).plan));

  sendOptions(runOptions(siteOptions(program.command('report'))))
    .description('Report new usages to the service, and remove old ones.')
    .addOption(
      new Option(
        '--on-error <action>',
        'what to do if usages stay unsent or are refused: warn, or fail with exit code 4 (default: as the last build, or warn)',
      ).choices(['warn', 'fail']),
    )
    .option('--first', 'say that nothing was published before, for a new publication history')
    .option('--rollback', 'report a build that is older than the one that was reported last')
    .option('--markdown <file>', 'also write what was sent as Markdown, for a review comment')
    .examples('report dist --yes', 'report dist --yes --markdown usages.md')
    .action(run(async () => (await import('./commands/usage/report.ts')).report));

  stateOption(ledgerOptions(program.command('status')))
    .description('Show what the ledger knows: reported, in doubt, unsent, held and refused usages.')
    .examples('status', 'status --json')
    .action(run(async () => (await import('./commands/usage/status.ts')).status));

  sendOptions(runOptions(siteOptions(program.command('reconcile'))))
    .description(
      "Compare the service's list with the ledger and the built pages, and repair differences.",
    )
    .option('--all', 'look up every asset of the library, such as after a lost ledger')
    .examples('reconcile dist', 'reconcile dist --all --yes')
    .action(run(async () => (await import('./commands/usage/reconcile.ts')).reconcile));

  sendOptions(stateOption(ledgerOptions(program.command('retire'), { siteNamed: true })))
    .description('Remove all usages of a site that moves or ends.')
    .examples('retire --site https://old.example.org --service https://dam.example.org')
    .action(run(async () => (await import('./commands/usage/retire.ts')).retire));
}
