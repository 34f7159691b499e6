import type { Command } from 'commander';
import { createProgram } from '../src/cli/create-program.ts';
import { exitCodeMeanings, exitCodes } from '../src/cli/terminal.ts';

/** The exit codes and commands of `media-asset`, as its parser has them, in Markdown. */
export async function commandsPage(): Promise<string> {
  const program = await createProgram({
    run: () => async () => {},
    words: [],
    terminal: { out: () => {}, note: () => {} },
  });
  // The parser's help wraps its text at the width of whoever runs this.
  program.configureOutput({ getOutHelpWidth: () => 1000 });
  const sending =
    'Commands that send (`report`, `reconcile`, `retire`) can end with 3 and 4, `plan` with 3.';
  return [exitCodeTable(), sending, ...leavesOf(program).map(commandText)].join('\n\n');
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

function fence(text: string): string {
  return `\`\`\`sh\n${text}\n\`\`\``;
}
