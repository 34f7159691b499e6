import { CommanderError } from 'commander';
import { assertNodeVersion, readOwnPackage } from '../config/own-package.ts';
import {
  type Code,
  isMediaAssetError,
  type MediaAssetError,
  mediaAssetError,
} from '../errors/errors.ts';
import { Declared, type ToAction, wrong } from './command-options.ts';
import { commandGroups } from './declare-commands.ts';
import { jsonOutput } from './terminal/json-output.ts';
import { type ExitCode, errorText, exitCodes, exits, type Terminal } from './terminal/terminal.ts';

const usageCodes: readonly Code[] = ['command-usage', 'argument-invalid', 'rules-missing'];

/** Runs the arguments after the program's name. Commands are imported when they run. */
export async function runCommandLine(
  words: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  let exitCode: ExitCode = exitCodes.done;
  let isJson = asksForJson(words);
  const json = jsonOutput(terminal);
  const run: ToAction = (load, { loadsConfig } = { loadsConfig: false }) =>
    async function () {
      assertNodeVersion();
      checkNotEmpty(this);
      const flags = this.optsWithGlobals();
      isJson = flags.json === true;
      if (loadsConfig && !terminal.isSiteProcess) {
        const { runSiteProcess } = await import('./site-process/run-site-process.ts');
        exitCode = await runSiteProcess(words, terminal);
        return;
      }
      const command = await load();
      const ended = await command(flags, isJson ? json.terminal : terminal, ...this.processedArgs);
      exitCode = ended ?? exitCodes.done;
      if (isJson) json.end({ exitCode });
    };
  const program = createProgram(run, terminal);
  try {
    await program.parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (thrown) {
    if (thrown instanceof CommanderError) {
      if (thrown.exitCode === 0) return exitCodes.done;
      if (thrown.code === 'commander.help') return exitCodes.usage;
    }
    const error = thrown instanceof CommanderError ? usageError(thrown) : thrown;
    if (!isMediaAssetError(error)) throw error;
    terminal.note(errorText(error, terminal));
    const { code, message, hint } = error;
    terminal.annotate?.({ code, message, hint, severity: 'error' });
    if (usageCodes.includes(code)) exitCode = exitCodes.usage;
    else exitCode = code === 'listing-ended' ? exitCodes.unsent : exitCodes.error;
    if (isJson) json.end({ exitCode, error });
    return exitCode;
  }
}

/** Whether arguments ask for JSON, even if they can't be parsed. */
function asksForJson(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return words.slice(0, end === -1 ? undefined : end).includes('--json');
}

/** Turns Commander's message, such as `error: unknown option '--jsno'`, into our error. */
function usageError({ message }: CommanderError): MediaAssetError {
  const [first = '', ...suggestion] = message.trim().split('\n');
  const problem = first.replace(/^error: (.)/, (_, letter: string) => letter.toUpperCase());
  const sentence = problem.endsWith('.') ? problem : `${problem}.`;
  const more = suggestion.map((line) => line.replace(/^\((.*)\)$/, '$1'));
  return mediaAssetError('command-usage', { problem: [sentence, ...more].join(' ') });
}

/** Refuses empty values, which come from unset variables. */
function checkNotEmpty(command: Declared): void {
  const values: Readonly<Record<string, unknown>> = command.opts();
  for (const option of command.options) {
    if (isEmpty(values[option.attributeName()])) wrong(`${option.long} is empty.`);
  }
  command.registeredArguments.forEach((argument, index) => {
    if (isEmpty(command.processedArgs[index])) wrong(`<${argument.name()}> is empty.`);
  });
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isEmpty);
  return typeof value === 'string' && value.trim() === '';
}

export function createProgram(run: ToAction, terminal: Pick<Terminal, 'out' | 'note'>): Declared {
  const codes = Object.values(exits).map(([code, text]) => `  ${String(code).padEnd(4)} ${text}`);
  const program = new Declared('media-asset')
    .description('Use the assets of a Media Asset Service, and report which built pages show them.')
    .version(readOwnPackage().version, '-v, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .commandsGroup('Help:')
    .helpCommand('help [command]', 'show help for a command')
    .examples('scan dist --site https://www.example.org')
    .addHelpText('after', `\nExit codes:\n${codes.join('\n')}`)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.note(text.trimEnd()),
      // Errors are also thrown, and printed like all others.
      outputError: () => undefined,
    });
  for (const [name, declare] of Object.entries(commandGroups))
    declare(program.commandsGroup(`${name}:`), run);
  return program;
}
