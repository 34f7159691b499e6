import { createInterface } from 'node:readline/promises';
import picocolors from 'picocolors';
import type { Finding, MediaAssetError } from '../errors.ts';
import type { Environment } from '../options.ts';

/** What a command meets the outside by. */
export interface Terminal {
  /** Results. */
  out(text: string): void;
  /** Progress, findings and errors. */
  note(text: string): void;
  /** Writes a line in place of the one before, `''` to take it away; `undefined` where none is watching. */
  readonly redraw: ((line: string) => void) | undefined;
  /** Asks a person; `undefined` where none is watching. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined;
  readonly paint: ReturnType<typeof picocolors.createColors>;
  readonly environment: Environment;
  /** The folder in which the command was called. */
  readonly directory: string;
  /** Aborted by Ctrl-C and by the end of the terminal. */
  readonly signal: AbortSignal;
}

export const exitCodes = { done: 0, error: 1, usage: 2, held: 3, unsent: 4 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The terminal of this process. Colour on terminals only; `NO_COLOR` is honoured. */
export function processTerminal(signal: AbortSignal): Terminal {
  const watched = Boolean(process.stdin.isTTY && process.stderr.isTTY);
  const coloured = Boolean(process.stdout.isTTY) && !process.env.NO_COLOR;
  return {
    out: (text) => void process.stdout.write(`${text}\n`),
    note: (text) => void process.stderr.write(`${text}\n`),
    redraw: watched ? (line) => void process.stderr.write(`\r\u001b[K${line}`) : undefined,
    confirm: watched ? (question) => confirm(question, signal) : undefined,
    paint: picocolors.createColors(coloured),
    environment: process.env,
    directory: process.cwd(),
    signal,
  };
}

async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await lines.question(`${question} [y/N] `, { signal });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}

/** An error as people read it: message, hint with the code, and what it came from. */
export function errorText(error: MediaAssetError, paint: Terminal['paint']): string {
  const cause =
    error.cause instanceof Error ? `\n  ${paint.dim(`Cause: ${error.cause.message}`)}` : '';
  return `${paint.red('error')} ${error.message}\n  ${error.hint}${cause}`;
}

/** A finding as people read it. */
export function findingText(finding: Finding, paint: Terminal['paint']): string {
  const colour = { error: paint.red, warning: paint.yellow, notice: paint.cyan }[finding.severity];
  return `${colour(finding.severity)} ${finding.message}\n  ${finding.hint} [${finding.code}]`;
}
