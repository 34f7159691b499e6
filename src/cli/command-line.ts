import { readFileSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import { type Code, isMediaAssetError, mediaAssetError } from '../errors.ts';
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
    return usageCodes.includes(error.code) ? exitCodes.usage : exitCodes.error;
  }
}

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
    .addHelpText('after', example('media-asset scan dist --site https://www.example.org'))
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.note(text.trimEnd()),
    });

  siteOptions(program.command('scan'))
    .description('List the assets that each built page shows.')
    .addHelpText('after', example('media-asset scan dist --site https://www.example.org'))
    .action(run(async () => (await import('./scan.ts')).scan));

  stateOption(siteOptions(program.command('plan')))
    .description('Show the requests that would make the service agree with the built pages.')
    .addHelpText('after', example('media-asset plan dist'))
    .action(run(async () => (await import('./plan.ts')).plan));

  stateOption(siteOptions(program.command('report')))
    .description('Send the plan: report usages, and remove those that have ended.')
    .option('-y, --yes', 'send without asking')
    .addHelpText('after', example('media-asset report dist --yes'))
    .action(run(async () => (await import('./report.ts')).report));

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

function siteOptions(command: Command): Command {
  return command
    .argument('<folder>', 'folder of built HTML, such as dist')
    .option('--site <url>', "the site's address; from the last build without it")
    .option('--base <path>', 'the path below which the site is served')
    .option('--service <url>', "the service's address, for finding its download addresses")
    .addOption(
      new Option('--format <format>', 'how pages are named').choices([
        'directory',
        'file',
        'preserve',
      ]),
    )
    .addOption(
      new Option('--trailing-slash <rule>', 'how page addresses end').choices([
        'always',
        'never',
        'ignore',
      ]),
    )
    .option(
      '--exclude <glob>',
      'page paths to leave out; may be given several times',
      (glob: string, globs: string[] = []) => [...globs, glob],
    )
    .option('--json', 'print JSON');
}

function stateOption(command: Command): Command {
  return command
    .option('--state <file>', 'the ledger; in .media-asset without it')
    .option('--project <name>', 'the project that usages are reported for')
    .option('--contact <name>', 'the person responsible')
    .option('--allow-removals', 'send removals that the guard would hold');
}

function toPort(value: string): number {
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > 65_535) {
    throw mediaAssetError('command-usage', {
      problem: `--port ${value} is not a port (0 to 65535).`,
    });
  }
  return port;
}

function example(line: string): string {
  return `\nExample:\n  $ ${line}`;
}

function readVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return version;
}
