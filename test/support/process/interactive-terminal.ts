import { stripVTControlCharacters } from 'node:util';
import { type IPty, spawn } from '@lydell/node-pty';
import { commandEntry } from '../site/built-folder.ts';
import type { Variables } from '../site/site.ts';
import { compileCache } from './compile-cache.ts';

/** Milliseconds until a text must appear, or the command must end. */
const timeLimit = 25_000;

export const ctrlC = '\u0003';

/** Runs one `media-asset` command in a pseudo-terminal. */
export function openInteractiveTerminal(
  words: readonly string[],
  {
    directory,
    environment = {},
    columns = 120,
  }: { directory: string; environment?: Variables; columns?: number },
) {
  const variables = {
    PATH: process.env.PATH,
    ...compileCache,
    TERM: 'xterm-256color',
    HOME: directory,
    ...environment,
  };
  // An undefined variable would be passed as text.
  const env = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined),
  );
  const pty: IPty = spawn(process.execPath, [commandEntry, ...words], {
    cwd: directory,
    env,
    cols: columns,
    rows: 40,
  });
  let received = '';
  let exitCode: number | undefined;
  const watchers = new Set<() => void>();
  const tell = () => {
    for (const watcher of watchers) watcher();
  };
  pty.onData((text) => {
    received += text;
    tell();
  });
  pty.onExit((end) => {
    exitCode = end.exitCode;
    tell();
  });

  async function until(is: () => boolean, what: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const watcher = () => {
      if (is()) resolve();
      else if (exitCode !== undefined) reject(new Error(`It ended without ${what}:\n${received}`));
    };
    const timer = setTimeout(() => {
      pty.kill('SIGKILL');
      reject(new Error(`There was no ${what}:\n${received}`));
    }, timeLimit);
    watchers.add(watcher);
    watcher();
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      watchers.delete(watcher);
    }
  }

  return {
    /** All output so far, unchanged. */
    get received() {
      return received;
    },
    /** The lines on the screen, without overwritten ones and without colours. */
    screen: () => screenOf(received),
    /** Waits until a text appears. */
    waitFor: (text: string | RegExp) =>
      until(
        () => (typeof text === 'string' ? received.includes(text) : text.test(received)),
        `${text}`,
      ),
    type: (text: string) => pty.write(text),
    /** Waits for the end of the command. */
    async waitForExit() {
      await until(() => exitCode !== undefined, 'end');
      return exitCode as number;
    },
  };
}

/** The text that remains of each line after carriage returns and clearing. */
function screenOf(received: string): string {
  return received
    .replace(/\r\n/g, '\n')
    .split('\n')
    .map((line) =>
      line.split('\r').reduce((shown, part) => {
        const cleared = part.startsWith('\u001b[K') ? '' : shown;
        const text = stripVTControlCharacters(part);
        return text + cleared.slice(text.length);
      }, ''),
    )
    .join('\n');
}
