import { type Command, Option } from 'commander';
import { toPort } from './command-options.ts';
import { example, type ToAction } from './declare-command.ts';

/** `emulator`: the service on this machine. */
export async function declareEmulator(
  program: Command,
  run: ToAction,
  words: readonly string[],
): Promise<void> {
  const command = program
    .commandsGroup('Development:')
    .command('emulator')
    .description('Run a Media Asset Service on this machine, for development and tests.')
    .addOption(
      new Option('--port <number>', 'port of 127.0.0.1; 0 takes a free one')
        .default(4710)
        .argParser(toPort),
    )
    .requiredOption(
      '--media <folder>',
      'folder of media; its sub-folders are the folders of the service',
    )
    .requiredOption('--data <folder>', 'folder for the database and the log of requests')
    .addHelpText('after', example('media-asset emulator --media media --data .emulator'))
    .action(run(async () => (await import('./emulator.ts')).emulator));
  if (words.includes('emulator')) await addSwitches(command);
}

/** The switches are declared where the emulator is, which other commands do not load. */
async function addSwitches(command: Command): Promise<void> {
  const { emulatorSwitches } = await import('../emulator/settings.ts');
  for (const { flag, type, choices, default: fallback, description } of emulatorSwitches) {
    const words = `--${flag}${type === 'boolean' ? '' : ' <value>'}`;
    const option = new Option(words, `${description} (default: ${fallback})`);
    command.addOption(choices ? option.choices(choices) : option);
  }
}
