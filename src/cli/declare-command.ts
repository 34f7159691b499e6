import type { Command } from 'commander';
import type { ExitCode, Terminal } from './terminal.ts';

/** Runs a command with its options and its arguments, as its parser gives them. */
// biome-ignore lint/suspicious/noExplicitAny: each command types what it has declared
type RunCommand = (flags: any, terminal: Terminal, ...words: any[]) => Promise<ExitCode>;

/** Turns the import of a command, which happens when it is called, into an action of its parser. */
export type ToAction = (
  load: () => Promise<RunCommand>,
) => (this: Command, ...given: unknown[]) => Promise<void>;

/**
 * Adds commands to the program: arguments, options and help. It loads no command, so that help
 * stays fast.
 *
 * @param words all words of the command line, for what only some of them need
 */
export type DeclareCommands = (
  program: Command,
  run: ToAction,
  words: readonly string[],
) => void | Promise<void>;

/** The end of a command's help. */
export function example(...lines: readonly string[]): string {
  const title = lines.length === 1 ? 'Example' : 'Examples';
  return `\n${title}:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}
