import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { type Code, isMediaAssetError } from '../errors.ts';
import { isOnGithub, workflowCommand } from '../usage/github-reporter.ts';
import { type DeclareCommands, example, type ToAction } from './declare-command.ts';
import { declareEmulator } from './declare-emulator.ts';
import { declareRenditions } from './declare-renditions.ts';
import { declareSignIn } from './declare-sign-in.ts';
import { declareUsage } from './declare-usage.ts';
import { type ExitCode, errorText, exitCodes, type Terminal } from './terminal.ts';

/** All commands, in the order of the help. */
const declarations: readonly DeclareCommands[] = [
  declareUsage,
  declareRenditions,
  declareSignIn,
  declareEmulator,
];

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
  const run: ToAction = (load) =>
    async function () {
      const command = await load();
      exitCode = await command(this.optsWithGlobals(), terminal, ...this.args);
    };
  const program = createProgram(terminal);
  for (const declare of declarations) await declare(program, run, words);
  try {
    await program.parseAsync(unknownCommand(words, program) ?? words, { from: 'user' });
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

function createProgram(terminal: Terminal): Command {
  return new Command('media-asset')
    .description(
      'Assets of a Media Asset Service in built pages: find them, plan and report their usages.',
    )
    .version(readVersion(), '-v, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .commandsGroup('Help:')
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
}

/**
 * The first word of a command that does not exist, where help is asked for it: the program would
 * show its own help, as if nothing were wrong. Without what asks for help, it says what is.
 */
function unknownCommand(words: readonly string[], program: Command): string[] | undefined {
  const named = words.filter((word) => !word.startsWith('-'));
  const asked = named[0] === 'help' ? named[1] : named[0];
  const asksHelp = named[0] === 'help' || words.some((word) => word === '--help' || word === '-h');
  const exists = program.commands.some((command) => command.name() === asked);
  return asksHelp && asked !== undefined && asked !== 'help' && !exists ? [asked] : undefined;
}

function readVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return version;
}
