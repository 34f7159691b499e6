import picocolors from 'picocolors';
import { runCommandLine } from '../../src/cli/command-line.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import type { Variables } from './site.ts';

/**
 * Runs `media-asset` in this process, with nobody watching and Ctrl-C pressed before it begins: for
 * what it says before it does anything. Its service is a port where nobody listens.
 *
 * @param watched what is there all the same
 */
export async function runUnwatched(
  words: readonly string[],
  {
    directory,
    environment = {},
    ...watched
  }: { directory: string; environment?: Variables } & Partial<
    Pick<Terminal, 'confirm' | 'onFindings' | 'signal'>
  >,
) {
  let [stdout, stderr] = ['', ''];
  const paint = picocolors.createColors(false);
  const terminal: Terminal = {
    out(text) {
      stdout += `${text}\n`;
    },
    note(text) {
      stderr += `${text}\n`;
    },
    outBytes: undefined,
    redraw: undefined,
    confirm: undefined,
    ask: async () => undefined,
    browse: async () => {},
    paint,
    notePaint: paint,
    width: undefined,
    noteWidth: undefined,
    environment: {
      MEDIA_ASSET_BASE_URL: 'http://127.0.0.1:9',
      MEDIA_ASSET_ACCESS_TOKEN: 's3cr3t-lantern',
      ...environment,
    },
    directory,
    signal: AbortSignal.abort(),
    ...watched,
  };
  return { exitCode: await runCommandLine(words, terminal), stdout, stderr };
}
