import { spawn } from '@lydell/node-pty';
import type { Variables } from '../../test/support/site/site.ts';
import { terminalImage } from './terminal-image.ts';

/** Commands with a picture: what is typed, and the width of the terminal in columns. */
const commands = {
  plan: { typed: 'npx media-asset plan dist', columns: 104 },
  audit: { typed: 'npx media-asset audit dist', columns: 110 },
  init: { typed: 'npx --no media-asset init --yes', columns: 114 },
};

export type CommandName = keyof typeof commands;

/** An image of the output of `printCommand`. */
export function commandImage(name: CommandName, output: string): string {
  const { typed: command, columns } = commands[name];
  return terminalImage({ command, output, columns });
}

interface CommandOptions {
  readonly name: CommandName;
  readonly dir: string;
  readonly variables: Variables;
}

/** The terminal after a command. `program`: `main.js` or `main.ts`. */
export function printCommand(
  program: string,
  words: readonly string[],
  { name, dir, variables }: CommandOptions,
): Promise<string> {
  const env = { PATH: process.env.PATH, TERM: 'xterm-256color', ...variables };
  const terminal = spawn(process.execPath, [program, ...words], {
    cwd: dir,
    cols: commands[name].columns,
    rows: 50,
    env,
  });
  let output = '';
  terminal.onData((text) => {
    output += text;
  });
  return new Promise((resolve, reject) => {
    terminal.onExit(({ exitCode }) =>
      exitCode === 0 ? resolve(lastOf(output)) : reject(new Error(output)),
    );
  });
}

/** Without the progress line that was drawn and removed. */
function lastOf(output: string): string {
  return output.slice(output.lastIndexOf('\u001b[K') + 1).replace(/^\[K/, '');
}
