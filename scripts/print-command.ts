import { spawn } from '@lydell/node-pty';
import type { Variables } from '../test/support/site/site.ts';
import { terminalImage } from './terminal-image.ts';

/** The widths of the images, in columns. */
const columns = { plan: 92, audit: 110 };

type Name = keyof typeof columns;

/** An image of the output of `printCommand`. */
export function commandImage(name: Name, output: string): string {
  const command = `npx media-asset ${name} dist`;
  return terminalImage({ command, output, columns: columns[name] });
}

/** The terminal after a command on `dist` in a folder. `program`: `main.js` or `main.ts`. */
export function printCommand(
  program: string,
  name: Name,
  { dir, variables }: { dir: string; variables: Variables },
): Promise<string> {
  const env = { PATH: process.env.PATH, TERM: 'xterm-256color', ...variables };
  const terminal = spawn(process.execPath, [program, name, 'dist'], {
    cwd: dir,
    cols: columns[name],
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
