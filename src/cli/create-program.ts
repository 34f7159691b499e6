import { Command } from 'commander';
import { readOwnPackage } from '../config/own-package.ts';
import { example, type ToAction } from './command-options.ts';
import { declareCache } from './commands/cache.ts';
import { declareDoctor } from './commands/doctor.ts';
import { addEmulatorSwitches, declareEmulator } from './commands/emulator.ts';
import { declareFetch } from './commands/fetch.ts';
import { declareDownload } from './commands/library/download.ts';
import { declareFiles, declareSearch } from './commands/library/files.ts';
import { declareFolders } from './commands/library/folders.ts';
import { declareRecord } from './commands/library/record.ts';
import { declareUpdate } from './commands/library/update.ts';
import { declareUpload } from './commands/library/upload.ts';
import { declareLogin } from './commands/login.ts';
import { declareLogout } from './commands/logout.ts';
import { declareRights } from './commands/rights/rights.ts';
import { declareWatch } from './commands/rights/watch.ts';
import { declareWithdraw } from './commands/rights/withdraw.ts';
import { declarePlan } from './commands/usage/plan.ts';
import { declareReconcile } from './commands/usage/reconcile.ts';
import { declareReport } from './commands/usage/report.ts';
import { declareRetire } from './commands/usage/retire.ts';
import { declareScan } from './commands/usage/scan.ts';
import { declareStatus } from './commands/usage/status.ts';
import { declareUsages } from './commands/usage/usages.ts';
import { declareWhoami } from './commands/whoami.ts';
import { exitCodeMeanings, exitCodes, type Terminal } from './terminal/terminal.ts';

/**
 * Adds a command: arguments, options, help and action. All commands are declared on each run, so an
 * action imports its dependencies only when it runs.
 */
type DeclareCommand = (program: Command, run: ToAction) => void;

const groups: readonly [heading: string, commands: readonly DeclareCommand[]][] = [
  [
    'Usages:',
    [declareScan, declarePlan, declareReport, declareStatus, declareReconcile, declareRetire],
  ],
  [
    'Library:',
    [
      declareFolders,
      declareFiles,
      declareSearch,
      declareRecord,
      declareDownload,
      declareUpload,
      declareUpdate,
      declareUsages,
    ],
  ],
  ['Rights:', [declareRights, declareWatch, declareWithdraw]],
  ['Images:', [declareCache, declareFetch]],
  ['Sign-in:', [declareLogin, declareLogout, declareWhoami]],
  ['Development:', [declareDoctor, declareEmulator]],
];

/** @param words the command line, to skip options that other commands don't need */
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
    .description('Use the assets of a Media Asset Service, and report which built pages show them.')
    .version(readOwnPackage().version, '-v, --version', 'show the version')
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
      // Errors are also thrown, and printed like all others.
      outputError: () => undefined,
    });
  for (const [heading, commands] of groups) {
    program.commandsGroup(heading);
    for (const declare of commands) declare(program, run);
  }
  if (words.includes('emulator')) await addEmulatorSwitches(program);
  return program;
}

function exitCodeText(): string {
  const codes = Object.entries(exitCodeMeanings).map(
    ([name, meaning]) => `  ${`${exitCodes[name as keyof typeof exitCodes]}`.padEnd(4)} ${meaning}`,
  );
  return `Exit codes:\n${codes.join('\n')}`;
}
