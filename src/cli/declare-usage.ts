import type { Command } from 'commander';
import {
  ledgerOptions,
  runOptions,
  sendOptions,
  siteOptions,
  stateOption,
  toIds,
} from './command-options.ts';
import { example, type ToAction } from './declare-command.ts';

/** The commands about usages: what built pages show, and what the service has been told. */
export function declareUsage(program: Command, run: ToAction): void {
  program.commandsGroup('Usages:');

  siteOptions(program.command('scan'))
    .description('List the assets that each built page shows.')
    .addHelpText('after', example('media-asset scan dist --site https://www.example.org'))
    .action(run(async () => (await import('./scan.ts')).scan));

  runOptions(siteOptions(program.command('plan')))
    .description('Show the requests that would make the service agree with the built pages.')
    .option('--markdown <file>', 'write the plan as Markdown, for a review comment')
    .addHelpText(
      'after',
      example('media-asset plan dist', 'media-asset plan dist --markdown usages.md'),
    )
    .action(run(async () => (await import('./plan.ts')).plan));

  sendOptions(runOptions(siteOptions(program.command('report'))))
    .description('Send the plan: report usages, and remove those that have ended.')
    .option('--markdown <file>', 'write what was sent as Markdown, for a review comment')
    .addHelpText(
      'after',
      example(
        'media-asset report dist --yes',
        'media-asset report dist --yes --time-limit 300 --markdown usages.md',
      ),
    )
    .action(run(async () => (await import('./report.ts')).report));

  stateOption(ledgerOptions(program.command('status')))
    .description('Show what the ledger knows: what is reported, in doubt, unsent, held or refused.')
    .addHelpText('after', example('media-asset status', 'media-asset status --json'))
    .action(run(async () => (await import('./status.ts')).status));

  sendOptions(runOptions(siteOptions(program.command('reconcile'), '[folder]')))
    .description(
      'Compare what the service lists with the ledger and the built pages, and repair it.',
    )
    .option('--asset <id>', 'look up this asset too; may be given several times', toIds)
    .option('--all', 'look up every asset of the library, as after a lost ledger')
    .addHelpText(
      'after',
      example('media-asset reconcile dist', 'media-asset reconcile dist --all --yes'),
    )
    .action(run(async () => (await import('./reconcile.ts')).reconcile));

  sendOptions(stateOption(ledgerOptions(program.command('retire'), { siteNamed: true })))
    .description('Remove all that a site has reported, for a site that moves or ends.')
    .addHelpText(
      'after',
      example(
        'media-asset retire --site https://old.example.org --service https://dam.example.org',
      ),
    )
    .action(run(async () => (await import('./retire.ts')).retire));
}
