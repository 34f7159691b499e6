import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import picocolors from 'picocolors';
import type { Environment } from '../../config/options.ts';
import { endSignal } from '../../usage/report/end-signal.ts';
import { lineWriters, type Terminal } from './terminal.ts';

export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  let signal: AbortSignal | undefined;
  let isDrawn = false;
  function redraw(line: string): void {
    if (line !== '' || isDrawn) stderr.write(`\r\u001b[K${line}`);
    isDrawn = line !== '';
  }
  function write(to: NodeJS.WriteStream, text: string): void {
    redraw('');
    to.write(text);
  }
  return {
    ...lineWriters(write.bind(null, stdout), write.bind(null, stderr), env),
    redraw: stderr.isTTY ? redraw : undefined,
    confirm: stdin.isTTY && stderr.isTTY ? (question) => confirm(question, signal) : undefined,
    ask,
    paint: picocolors.createColors(hasColours(stdout, env)),
    notePaint: picocolors.createColors(hasColours(stderr, env)),
    // A terminal with unknown width reports 0 columns.
    width: (stdout.isTTY && stdout.columns) || undefined,
    noteWidth: (stderr.isTTY && stderr.columns) || undefined,
    environment: env,
    directory: process.cwd(),
    get signal() {
      signal ??= endSignal().signal;
      return signal;
    },
  };
}

/** Whether to use colours: only on terminals, unless `NO_COLOR` or `FORCE_COLOR` is set. */
function hasColours(
  { isTTY }: { readonly isTTY?: boolean },
  { NO_COLOR, FORCE_COLOR, TERM }: Environment,
): boolean {
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return Boolean(isTTY) && TERM !== 'dumb';
}

/** Counts a signal as "no", if the command handles signals. */
async function confirm(question: string, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal?.aborted) return false;
  const onInterrupt = (lines: Interface) => lines.close();
  const answer = await readLine(`${question} [y/N] `, { ...(signal && { signal }), onInterrupt });
  if (answer === undefined) process.stderr.write('\n');
  return /^y(es)?$/i.test(answer?.trim() ?? '');
}

const ask: Terminal['ask'] = async (question, options = {}) => {
  const onInterrupt = () => process.kill(process.pid, 'SIGINT');
  const answer = await readLine(question, { ...options, onInterrupt });
  if (options.isSecret) process.stderr.write('\n');
  return answer;
};

type LineAsk = Parameters<Terminal['ask']>[1] & { onInterrupt: (lines: Interface) => void };

/** Returns `undefined` at the end of the input, or if the signal fires. */
async function readLine(
  question: string,
  { signal, isSecret = false, onInterrupt }: LineAsk,
): Promise<string | undefined> {
  // Readline echoes what is typed to its output, and keeps the terminal from doing so.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({
    input: process.stdin,
    output: isSecret ? nowhere : process.stderr,
    terminal: process.stdin.isTTY && process.stderr.isTTY,
  });
  if (isSecret) process.stderr.write(question);
  const ended = new AbortController();
  lines.once('close', () => ended.abort());
  // While reading a line, readline gets Ctrl-C before it becomes a signal.
  lines.once('SIGINT', () => onInterrupt(lines));
  const either = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal;
  try {
    return await lines.question(isSecret ? '' : question, { signal: either });
  } catch (error) {
    if (!either.aborted) throw error;
    return undefined;
  } finally {
    lines.close();
  }
}
