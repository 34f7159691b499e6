import { fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mediaAssetError } from '../../errors/errors.ts';
import type { Annotation } from '../../usage/output/github-actions.ts';
import type { ExitCode, Terminal } from '../terminal/terminal.ts';

export interface SiteProcessStart
  extends Pick<Terminal, 'directory' | 'width' | 'noteWidth'>,
    Record<'hasColours' | 'hasNoteColours' | 'canRedraw' | 'canAnnotate', boolean> {
  readonly words: readonly string[];
}

/** What the process reports. Only the last two end the command. */
export type SiteProcessMessage =
  | { readonly kind: 'out' | 'note' | 'redraw'; readonly text: string }
  | { readonly kind: 'annotate'; readonly annotation: Annotation }
  | { readonly kind: 'crash'; readonly problem: string }
  | { readonly kind: 'end'; readonly exitCode: ExitCode };

/**
 * Runs a command that evaluates the site's config in a child process. The command's output arrives
 * over IPC, and everything else that the config prints goes to stderr. The process is killed at the
 * end of the command, so nothing that the config has left open keeps it running.
 *
 * @throws `config-unloadable` if the process ends without an answer
 */
export async function runSiteProcess(
  words: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  const { directory, environment, width, noteWidth, paint, notePaint } = terminal;
  const start: SiteProcessStart = {
    ...{ words, directory, width, noteWidth },
    hasColours: paint.isColorSupported,
    hasNoteColours: notePaint.isColorSupported,
    canRedraw: terminal.redraw !== undefined,
    canAnnotate: terminal.annotate !== undefined,
  };
  const entry = new URL(`./site-process${extname(import.meta.url)}`, import.meta.url);
  const child = fork(fileURLToPath(entry), [JSON.stringify(start)], {
    ...{ cwd: directory, env: environment, execArgv: [] },
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  try {
    return await new Promise<ExitCode>((resolve, reject) => {
      const fail = (problem: string) =>
        reject(mediaAssetError('config-unloadable', { file: 'The Astro config', problem }));
      const onMessage = (message: SiteProcessMessage) => {
        if (message.kind === 'annotate') terminal.annotate?.(message.annotation);
        else if (message.kind === 'crash') fail(message.problem);
        else if (message.kind === 'end') resolve(message.exitCode);
        else terminal[message.kind]?.(message.text);
      };
      child.on('message', onMessage);
      child.on('error', reject);
      // After `exit`, messages can still arrive.
      child.on('close', (code, signal) => {
        const end = signal ?? `exit code ${code}`;
        fail(`it ended the process with ${end}, before the command's end`);
      });
    });
  } finally {
    process.off('exit', kill);
    kill();
  }
}
