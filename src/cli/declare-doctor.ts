import type { Command } from 'commander';
import { ledgerOptions, stateOption, toIds } from './command-options.ts';
import { example, type ToAction } from './declare-command.ts';

/** `doctor`: what keeps builds and commands from working. */
export function declareDoctor(program: Command, run: ToAction): void {
  program.commandsGroup('Development:');
  stateOption(ledgerOptions(program.command('doctor')))
    .description(
      'Check options, credentials, service, clock, crops, cache and ledger, and say what to do.',
    )
    .option(
      '--asset <id>',
      'the picture whose crops are compared; the first found without it',
      toIds,
    )
    .option('--cache <folder>', "the integration's cache folder; that of the last build without it")
    .addHelpText('after', example('media-asset doctor', 'media-asset doctor --asset 4711 --json'))
    .action(run(async () => (await import('./doctor.ts')).doctor));
}
