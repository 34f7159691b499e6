import type { Command } from 'commander';
import { createProgram } from '../src/cli/command-line.ts';
import { errorToJson } from '../src/cli/terminal/json-output.ts';
import { exits } from '../src/cli/terminal/terminal.ts';
import { mediaAssetError } from '../src/errors/errors.ts';

/** The exit codes and commands of `media-asset` as Markdown, from its parser. */
export function commandsPage(): string {
  const program = createProgram(() => async () => {}, { out() {}, note() {} });
  // The parser's help wraps its text at the terminal's width.
  program.configureOutput({ getOutHelpWidth: () => 1000 });
  const settings = [
    '## Where settings come from',
    'Only `record`, `import`, `rights`, `watch`, `audit` and `doctor` evaluate the Astro config. Credentials come from the environment, or from the `.env` files of the current folder. Everything else comes from flags, or from `.media-asset/build.json`, which the last build wrote.',
    'If no build with the same credentials wrote that file, commands end with [`service-untrusted`](errors.md#service-untrusted) [for safety](../background/security.md#ci-caches): set `MEDIA_ASSET_BASE_URL`.',
  ];
  const codes = [
    '## Exit codes',
    Object.values(exits)
      .map(([code, meaning]) => `- ${code}: ${meaning}`)
      .join('\n'),
    [
      'With unsent or refused usages, `report` [ends with 0, 4 or 1](../guides/reporting.md#if-the-service-is-down-on-deploy-day). [Held](../guides/reporting.md#held-removals) removals are 3. A `reconcile` or `retire` that left something is 4, and a `retire` whose ledger has a [gap](../background/ledger.md#lost-or-older-copies) is 3.',
      "If the ledger's store can't be reached, `requests`, `guard` and `unsent` are `null` in `--json`.",
    ].join('\n'),
  ];
  const commands = leavesOf(program);
  const shared = sharedOptions(commands);
  const termsOf = (command: Command) => optionsOf(command).map(([term]) => term);
  const everywhere = [...shared.keys()].filter(
    (term) => commands.filter((one) => termsOf(one).includes(term)).length > commands.length * 0.8,
  );
  const exceptions = (term: string) =>
    commands
      .filter((one) => !termsOf(one).includes(term))
      .map((one) => `\`${shortName(one)}\``)
      .join(', ');
  return [
    fence('npx --no media-asset plan dist\nnpx --no media-asset report dist --yes'),
    commands.map((command) => `[${shortName(command)}](#${anchorOf(command)})`).join(', '),
    ...codes,
    jsonText(),
    '## Shared options',
    `Every command takes ${everywhere.map((term) => `\`${flagOf(term)}\` (except ${exceptions(term)})`).join(' and ')}, and names the others that it takes.`,
    list([...shared]),
    ...settings,
    ...commands.map((command) => commandText(command, shared, everywhere)),
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
      "- `error`: the error that ended the command, with a permanent [`code`](errors.md), `message`, `hint`, and sometimes `cause` and the `status` of the service's answer. Wrong usage is `command-usage`, and Ctrl-C `call-ended`.",
      '- `findings`: what else you should know, such as why something is unsent, each with `code`, `severity` (`error`, `warning` or `notice`), `message` and `hint`.',
      '- Both name the `page`, the `place` (`file`, `line` and `column`) and the ID of the `asset`, if there is one, and in `details` what the message was made from ([by code](errors.md)).',
      '- The result, if there is one.',
    ].join('\n'),
  ].join('\n\n');
}

function leavesOf(command: Command): Command[] {
  return command.commands.flatMap((one) => (one.commands.length > 0 ? leavesOf(one) : [one]));
}

/** The terms and meanings of a command's arguments and options, except `--help`. */
function optionsOf(command: Command): [term: string, meaning: string][] {
  const help = command.createHelp();
  return [
    ...help
      .visibleArguments(command)
      .map((one): [string, string] => [help.argumentTerm(one), help.argumentDescription(one)]),
    ...help
      .visibleOptions(command)
      .filter(({ long }) => long !== '--help')
      .map((one): [string, string] => [help.optionTerm(one), help.optionDescription(one)]),
  ];
}

/** What more than two commands have, with the same meaning in each. */
function sharedOptions(commands: readonly Command[]): Map<string, string> {
  const all = Map.groupBy(commands.flatMap(optionsOf), ([term, meaning]) => `${term} ${meaning}`);
  return new Map(
    [...all.values()].filter((same) => same.length > 2).flatMap(([one]) => (one ? [one] : [])),
  );
}

function commandText(
  command: Command,
  shared: ReadonlyMap<string, string>,
  everywhere: readonly string[],
): string {
  const options = optionsOf(command);
  const isShared = ([term, meaning]: readonly [string, string]) => shared.get(term) === meaning;
  const own = options.filter((one) => !isShared(one));
  const others = options
    .filter((one) => isShared(one) && !everywhere.includes(one[0]))
    .map(([term]) => `\`${flagOf(term)}\``);
  const lines = helpOf(command).filter((line) => line.startsWith('  $ '));
  const examples = lines.filter((line) => !lines.some((one) => line === `${one} --json`));
  return [
    `## ${shortName(command)}`,
    command.description(),
    fence(examples.map((line) => line.slice('  $ '.length)).join('\n')),
    ...(own.length > 0 ? [list(own)] : []),
    ...(others.length > 0 ? [`[Shared](#shared-options): ${others.join(', ')}`] : []),
  ].join('\n\n');
}

/** `--yes` of `-y, --yes`, and `--site` of `--site <url>`. */
function flagOf(term: string): string {
  return term.replace(/^-., | <.*/g, '');
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

function shortName(command: Command): string {
  return nameOf(command).replace('media-asset ', '');
}

function anchorOf(command: Command): string {
  return shortName(command).replaceAll(' ', '-');
}

function list(options: readonly (readonly [term: string, meaning: string])[]): string {
  return options.map(([term, meaning]) => `- \`${term}\`: ${meaning}`).join('\n');
}

function fence(text: string, language = 'sh'): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
