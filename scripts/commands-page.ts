import type { Command } from 'commander';
import { createProgram } from '../src/cli/create-program.ts';
import { errorToJson } from '../src/cli/terminal/json-output.ts';
import { exitCodeMeanings, exitCodes } from '../src/cli/terminal/terminal.ts';
import { mediaAssetError } from '../src/errors/errors.ts';

/** The exit codes and commands of `media-asset`, as its parser has them, in Markdown. */
export async function commandsPage(): Promise<string> {
  const program = await createProgram({
    run: () => async () => {},
    words: [],
    terminal: { out: () => {}, note: () => {} },
  });
  // The parser's help wraps its text at the width of whoever runs this.
  program.configureOutput({ getOutHelpWidth: () => 1000 });
  const settings =
    "Commands don't read `astro.config`. Credentials come from the environment, or from the `.env` files of the folder that a command runs in. Everything else can come from flags or from `.media-asset/build.json`, where the last build leaves it.";
  const service =
    "Every command finds the service in the same order: `--service`, then `MEDIA_ASSET_BASE_URL`, then the last build's service. Credentials go to an address from `build.json` only if that build had the same credentials: a seal in the file proves it. Otherwise anyone who can write to your CI cache could redirect them. If the proof is missing, a command ends with [`service-untrusted`](errors.md#service-untrusted) and sends nothing. This happens if one job builds and another job with other credentials reports: set `MEDIA_ASSET_BASE_URL` there.";
  const sending =
    "`report` and `reconcile` end with 3 or 4, `plan` with 3, and `retire` with 4 if something is left, because no one has approved it or because Ctrl-C stopped the command. If `report` can't send something, it warns and ends with 0, unless the build's `report.onError` or `--on-error` is `fail`. It ends with 1 once something has been unsent for longer than `report.maxUnsent`. If the ledger's store can't be reached, `plan` and `report` warn in the same way and print no result, and `--json` holds only `findings`. `doctor` ends with 1 if it finds a problem, and `fetch` if it can't fetch an asset.";
  return [
    settings,
    service,
    exitCodeTable(),
    sending,
    jsonText(),
    ...leavesOf(program).map(commandText),
  ].join('\n\n');
}

/** What `--json` prints, with an error as the commands print it. */
function jsonText(): string {
  const error = errorToJson(mediaAssetError('folder-missing', { dir: 'dist' }));
  const example = JSON.stringify({ version: 1, error }, undefined, 2);
  return [
    '## JSON',
    'With `--json`, a command prints one JSON object with a `version` to standard output. If it ends with another exit code than 0, it prints one too. Standard error and the exit code stay the same:',
    fence(example, 'json'),
    [
      '- `error`: the error that ended the command, with `code` (permanent, see [errors](errors.md)), `message` and `hint`. `cause` is a text that the message does not contain, and `status` is the status that the service answered with. Wrong usage has the code `command-usage`, and Ctrl-C has `call-ended`.',
      '- `findings`, at any exit code: what else you should know, each with `code`, `severity` (`error`, `warning` or `notice`), `place`, `message` and `hint`. They say why something is unsent or held.',
      '- The result, if there is one. An `upload` that failed names the files that are `uploaded`.',
    ].join('\n'),
  ].join('\n\n');
}

function leavesOf(command: Command): Command[] {
  return command.commands.flatMap((one) => (one.commands.length > 0 ? leavesOf(one) : [one]));
}

function commandText(command: Command): string {
  const help = command.createHelp();
  const rows = [
    ...help
      .visibleArguments(command)
      .map((one) => [help.argumentTerm(one), help.argumentDescription(one)]),
    ...help
      .visibleOptions(command)
      .map((one) => [help.optionTerm(one), help.optionDescription(one)]),
  ].map(([term = '', text = '']) => [`\`${term}\``, text]);
  const examples = helpOf(command).filter((line) => line.startsWith('  $ '));
  return [
    `## ${nameOf(command)}`,
    command.description(),
    fence(help.commandUsage(command)),
    table(['argument or option', 'meaning'], rows),
    examples.length === 1 ? 'Example:' : 'Examples:',
    fence(examples.map((line) => line.slice('  $ '.length)).join('\n')),
    ...(command.name() === 'emulator' ? ['Its switches: [the emulator](emulator.md).'] : []),
  ].join('\n\n');
}

/** The lines that `--help` prints, with what was added to the parser's own. */
function helpOf(command: Command): string[] {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  return text.split('\n');
}

function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

function exitCodeTable(): string {
  return table(
    ['exit code', 'meaning'],
    Object.entries(exitCodes).map(([name, code]) => [
      `${code}`,
      exitCodeMeanings[name as keyof typeof exitCodes],
    ]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}

function fence(text: string, language = 'sh'): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
