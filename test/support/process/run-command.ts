import picocolors from 'picocolors';
import { runCommandLine } from '../../../src/cli/command-line.ts';
import { lineWriters, type Terminal } from '../../../src/cli/terminal/terminal.ts';
import type { Run, Variables } from '../site/site.ts';

/** Input that a test can give a command in addition to its arguments. */
export interface CommandContext
  extends Partial<Pick<Terminal, 'confirm' | 'isSiteProcess' | 'onFindings' | 'signal'>> {
  /** The working directory. */
  readonly directory: string;
  /** All of its environment variables. */
  readonly environment?: Variables;
}

/**
 * Runs `media-asset` in this process, as if its output went to files. Tests of sign-ins, signals and
 * builds run it as a process.
 */
export async function runCommand(words: readonly string[], context: CommandContext): Promise<Run> {
  const written = { stdout: '', stderr: '' };
  const exitCode = await runCommandLine(words, terminalTo(written, context));
  return { exitCode, ...written, output: `${written.stdout}${written.stderr}` };
}

/** A terminal that is none: it appends to a text what a command writes. */
export function terminalTo(
  written: { stdout: string; stderr: string },
  { directory, environment = {}, ...rest }: CommandContext,
): Terminal {
  const paint = picocolors.createColors(false);
  return {
    ...lineWriters(
      (text) => {
        written.stdout += text;
      },
      (text) => {
        written.stderr += text;
      },
      environment,
    ),
    redraw: undefined,
    confirm: undefined,
    ask: async () => undefined,
    paint,
    notePaint: paint,
    noteWidth: undefined,
    environment,
    directory,
    signal: new AbortController().signal,
    ...rest,
  };
}

/** Runs a command with Ctrl-C pressed before it starts. Its service's URL has no server. */
export function runInterrupted(
  words: readonly string[],
  { directory }: { directory: string },
): Promise<Run> {
  const environment = {
    MEDIA_ASSET_BASE_URL: 'http://127.0.0.1:9',
    MEDIA_ASSET_ACCESS_TOKEN: 's3cr3t-lantern',
  };
  return runCommand(words, { directory, environment, signal: AbortSignal.abort() });
}
