import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { declareCache } from './declare-cache.ts';
import { type DeclareCommands, example, type ToAction } from './declare-command.ts';
import { declareDoctor } from './declare-doctor.ts';
import { declareEmulator } from './declare-emulator.ts';
import { declareLibrary } from './declare-library.ts';
import { declareRenditions } from './declare-renditions.ts';
import { declareSignIn } from './declare-sign-in.ts';
import { declareUsage } from './declare-usage.ts';
import { exitCodeMeanings, exitCodes, type Terminal } from './terminal.ts';

/** All commands, in the order of the help. */
const declarations: readonly DeclareCommands[] = [
  declareUsage,
  declareLibrary,
  declareRenditions,
  declareCache,
  declareSignIn,
  declareDoctor,
  declareEmulator,
];

/**
 * The parser of `media-asset` with all its commands.
 *
 * @param words the words of the command line, for what only some of them need
 */
export async function createProgram({
  run,
  words,
  terminal,
}: {
  run: ToAction;
  words: readonly string[];
  terminal: Pick<Terminal, 'out' | 'note'>;
}): Promise<Command> {
  const program = new Command('media-asset')
    .description(
      'Assets of a Media Asset Service in built pages: find them, plan and report their usages.',
    )
    .version(readVersion(), '-v, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .commandsGroup('Help:')
    .helpCommand('help [command]', 'show help for a command')
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      `${example('media-asset scan dist --site https://www.example.org')}\n\n${exitCodeText()}`,
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.note(text.trimEnd()),
      // They are thrown too, and printed as all others.
      outputError: () => undefined,
    });
  for (const declare of declarations) await declare(program, run, words);
  return program;
}

function exitCodeText(): string {
  const codes = Object.entries(exitCodeMeanings).map(
    ([name, meaning]) => `  ${`${exitCodes[name as keyof typeof exitCodes]}`.padEnd(4)} ${meaning}`,
  );
  return `Exit codes:\n${codes.join('\n')}`;
}

function readVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return version;
}
