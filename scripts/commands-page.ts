import type { Command } from 'commander';
import { createProgram } from '../src/cli/command-line.ts';
import { errorToJson } from '../src/cli/terminal/json-output.ts';
import { exitCodeMeanings, exitCodes } from '../src/cli/terminal/terminal.ts';
import { mediaAssetError } from '../src/errors/errors.ts';

/** The exit codes and commands of `media-asset` as Markdown, from its parser. */
export function commandsPage(): string {
  const program = createProgram(() => async () => {}, { out() {}, note() {} });
  // The parser's help wraps its text at the terminal's width.
  program.configureOutput({ getOutHelpWidth: () => 1000 });
  const settings = [
    '## Where settings come from',
    'Only `record`, `rights`, `doctor` and `watch` evaluate the Astro config, in a process of their own. Credentials come from the environment, or from the `.env` files of the current folder. Everything else comes from flags, or from `.media-asset/build.json`, which the last build wrote.',
    "The service is `--service`, then `MEDIA_ASSET_BASE_URL`, then the last build's. Credentials are sent to an address from `build.json` only if that build had the same credentials. Otherwise a command ends with [`service-untrusted`](errors.md#service-untrusted). This happens if another job with other credentials has built: set `MEDIA_ASSET_BASE_URL`. [Why](../background/security.md#ci-caches).",
  ];
  const codes = [
    '## Exit codes',
    exitCodeTable(),
    [
      '- `report`: unsent and refused usages are a warning, and the exit code is 0. With `--on-error fail` (or `report.onError`) it is 4, and after `report.maxUnsent` days it is 1.',
      '- `plan`, `report` and `reconcile`: 3 if removals are [held](../guides/reporting.md#held-removals).',
      '- `reconcile` and `retire`: 4 if something is left, because it was stopped or not approved.',
      "- `doctor`: 1 if it finds a problem. `fetch`: 1 if it can't fetch an asset.",
      "- If the ledger's store can't be reached, `plan` and `report` warn in the same way and print no result. In `--json`, `requests` and `guard` (`plan`) and `unsent` (`report`) are `null` then.",
    ].join('\n'),
  ];
  const commands = leavesOf(program);
  return [
    fence('npx media-asset plan dist\nnpx media-asset report dist --yes'),
    table(
      ['command', 'what it does'],
      commands.map((command) => [
        `[${nameOf(command).replace('media-asset ', '')}](#${nameOf(command).replaceAll(' ', '-')})`,
        command.description(),
      ]),
    ),
    ...codes,
    jsonText(),
    ...commands.map(commandText),
    ...settings,
  ].join('\n\n');
}

/** The output of `--json`. For an error, the same as that of the commands. */
function jsonText(): string {
  const error = errorToJson(mediaAssetError('folder-missing', { dir: 'dist' }));
  const example = JSON.stringify({ version: 1, error }, undefined, 2);
  return [
    '## JSON',
    'With `--json`, a command prints one JSON object with a `version` to standard output, at any exit code:',
    fence(example, 'json'),
    [
      "- `error`: the error that ended the command, with `code` (permanent, see [errors](errors.md)), `message` and `hint`. `cause` is a string that the message doesn't contain, and `status` is the status of the service's answer. Wrong usage has the code `command-usage`, and Ctrl-C has `call-ended`.",
      '- `findings`, at any exit code: what else you should know, each with `code`, `severity` (`error`, `warning` or `notice`), `message` and `hint`. They say why something is unsent or held.',
      '- Both have the `page`, the `place` (an object with `file`, `line` and `column`) and the ID of the `asset` if the error or the finding is about one.',
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
      .filter(({ long }) => long !== '--help')
      .map((one) => [help.optionTerm(one), help.optionDescription(one)]),
  ].map(([term = '', text = '']) => [`\`${term}\``, text]);
  const examples = helpOf(command).filter((line) => line.startsWith('  $ '));
  return [
    `## ${nameOf(command)}`,
    command.description(),
    fence(examples.map((line) => line.slice('  $ '.length)).join('\n')),
    table(['argument or option', 'meaning'], rows),
  ].join('\n\n');
}

/** The lines of `--help`, including those that we add to the parser's. */
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
