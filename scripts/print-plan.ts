import { spawn } from '@lydell/node-pty';
import type { Variables } from '../test/support/site/site.ts';
import { terminalImage } from './terminal-image.ts';

const columns = 92;

/** An image of the output of `printPlan`. */
export function planImage(output: string): string {
  return terminalImage({ command: 'npx media-asset plan dist', output, columns });
}

/** The terminal after `media-asset plan dist` in a folder. `program`: `main.js` or `main.ts`. */
export function printPlan(
  program: string,
  { dir, variables }: { dir: string; variables: Variables },
): Promise<string> {
  const env = { PATH: process.env.PATH, TERM: 'xterm-256color', ...variables };
  const terminal = spawn(process.execPath, [program, 'plan', 'dist'], {
    cwd: dir,
    cols: columns,
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
