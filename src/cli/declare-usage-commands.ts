import { type Command, Option } from 'commander';
import {
  example,
  ledgerOptions,
  runOptions,
  sendOptions,
  siteOptions,
  stateOption,
  type ToAction,
  toAssetIds,
} from './command-options.ts';

export function declareUsageCommands(program: Command, run: ToAction): void {
  siteOptions(program.command('scan'))
    .description('List the assets on each built page.')
    .addHelpText('after', example('scan dist --site https://www.example.org'))
    .action(run(async () => (await import('./commands/usage/scan.ts')).scan));

  runOptions(siteOptions(program.command('plan')))
    .description('Show what a report would change in the service.')
    .option('--markdown <file>', 'also write the plan as Markdown, for a review comment')
    .addHelpText('after', example('plan dist', 'plan dist --markdown usages.md'))
    .action(run(async () => (await import('./commands/usage/plan.ts')).plan));

  sendOptions(runOptions(siteOptions(program.command('report'))))
    .description('Report new usages to the service, and remove old ones.')
    .addOption(
      new Option(
        '--on-error <action>',
        'what to do if usages stay unsent or are refused: warn, or fail with exit code 4 (default: as the last build, or warn)',
      ).choices(['warn', 'fail']),
    )
    .option('--rollback', 'report a build that is older than the one that was reported last')
    .option('--markdown <file>', 'also write what was sent as Markdown, for a review comment')
    .addHelpText(
      'after',
      example('report dist --yes', 'report dist --yes --time-limit 300 --markdown usages.md'),
    )
    .action(run(async () => (await import('./commands/usage/report.ts')).report));

  stateOption(ledgerOptions(program.command('status')))
    .description('Show what the ledger knows: reported, in doubt, unsent, held and refused usages.')
    .addHelpText('after', example('status', 'status --json'))
    .action(run(async () => (await import('./commands/usage/status.ts')).status));

  sendOptions(runOptions(siteOptions(program.command('reconcile'), '[folder]')))
    .description(
      "Compare the service's list with the ledger and the built pages, and repair differences.",
    )
    .option('--asset <id>', 'also look up this asset (repeatable)', toAssetIds)
    .option('--all', 'look up every asset of the library, such as after a lost ledger')
    .addHelpText('after', example('reconcile dist', 'reconcile dist --all --yes'))
    .action(run(async () => (await import('./commands/usage/reconcile.ts')).reconcile));

  sendOptions(stateOption(ledgerOptions(program.command('retire'), { siteNamed: true })))
    .description('Remove all usages of a site that moves or ends.')
    .addHelpText(
      'after',
      example('retire --site https://old.example.org --service https://dam.example.org'),
    )
    .action(run(async () => (await import('./commands/usage/retire.ts')).retire));
}
