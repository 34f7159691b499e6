import type { Command } from 'commander';
import { example, type ToAction } from './declare-command.ts';

/** `renditions`: the pictures of the last builds. */
export function declareRenditions(program: Command, run: ToAction): void {
  program
    .commandsGroup('Pictures:')
    .command('renditions')
    .description('List the pictures that the last builds made, and what each was made from.')
    .option('--cache <folder>', "the integration's cache folder; that of the last build without it")
    .option('--json', 'print JSON')
    .addHelpText('after', example('media-asset renditions --json'))
    .action(run(async () => (await import('./renditions.ts')).renditions));
}
