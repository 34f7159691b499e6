import { readFileSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import { type Code, isMediaAssetError } from '../errors.ts';
import { isOnGithub, workflowCommand } from '../usage/github-reporter.ts';
import {
  ledgerOptions,
  runOptions,
  sendOptions,
  siteOptions,
  stateOption,
  toIds,
  toPort,
} from './command-options.ts';
import { type ExitCode, errorText, exitCodes, type Terminal } from './terminal.ts';

/** What is wrong with the words of the command, and not with what they lead to. */
const usageCodes: readonly Code[] = ['command-usage', 'emulator-options-invalid', 'rules-missing'];

/**
 * Runs `media-asset` and gives its exit code. Commands are imported when they are called.
 *
 * @param words the words after the program's name
 */
export async function runCommandLine(
  words: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  let exitCode: ExitCode = exitCodes.done;
  const run = (load: () => Promise<Run>) =>
    async function (this: Command, ...args: unknown[]) {
      const command = await load();
      exitCode = await command(this.optsWithGlobals(), terminal, String(args[0] ?? ''));
    };
  const program = createProgram(run, terminal);
  if (words.includes('emulator')) await addEmulatorSwitches(program);
  try {
    await program.parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    }
    if (!isMediaAssetError(error)) throw error;
    terminal.note(errorText(error, terminal.notePaint));
    if (isOnGithub(terminal.environment)) {
      const { code, message, hint } = error;
      terminal.note(workflowCommand({ code, message, hint, severity: 'error' }));
    }
    return usageCodes.includes(error.code) ? exitCodes.usage : exitCodes.error;
  }
}

const exitCodeText =
  'Exit codes: 0 done, 1 an error, 2 wrong usage, 3 held by a guard, 4 something is unsent and kept.';

// biome-ignore lint/suspicious/noExplicitAny: each command types the options that it declared here
type Run = (options: any, terminal: Terminal, folder: string) => Promise<ExitCode>;

type Action = (load: () => Promise<Run>) => (...args: unknown[]) => Promise<void>;

function createProgram(run: Action, terminal: Terminal): Command {
  const program = new Command('media-asset')
    .description(
      'Assets of a Media Asset Service in built pages: find them, plan and report their usages.',
    )
    .version(readVersion(), '-v, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .showSuggestionAfterError()
    .showHelpAfterError('See media-asset help <command>.')
    .addHelpText(
      'after',
      `${example('media-asset scan dist --site https://www.example.org')}\n\n${exitCodeText}`,
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.note(text.trimEnd()),
    });

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
    .addHelpText('after', example('media-asset reconcile dist', 'media-asset reconcile dist --yes'))
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

  program
    .command('renditions')
    .description('List the pictures that the last builds made, and what each was made from.')
    .option('--cache <folder>', "the integration's cache folder")
    .option('--json', 'print JSON')
    .addHelpText('after', example('media-asset renditions --json'))
    .action(run(async () => (await import('./renditions.ts')).renditions));

  program
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

  return program;
}

/** The switches are declared where the emulator is, which other commands do not load. */
async function addEmulatorSwitches(program: Command): Promise<void> {
  const { emulatorSwitches } = await import('../emulator/settings.ts');
  const command = program.commands.find((one) => one.name() === 'emulator');
  for (const { flag, type, choices, default: fallback, description } of emulatorSwitches) {
    const words = `--${flag}${type === 'boolean' ? '' : ' <value>'}`;
    const option = new Option(words, `${description} (default: ${fallback})`);
    command?.addOption(choices ? option.choices(choices) : option);
  }
}

function example(...lines: readonly string[]): string {
  const title = lines.length === 1 ? 'Example' : 'Examples';
  return `\n${title}:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}

function readVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return version;
}
