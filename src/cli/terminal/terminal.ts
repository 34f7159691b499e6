import type picocolors from 'picocolors';
import type { Environment } from '../../config/options.ts';
import { type Finding, hintWithCode, type MediaAssetError } from '../../errors/errors.ts';
import { groupFindings } from '../../errors/group-findings.ts';
import {
  type Annotation,
  isOnGithub,
  neutralizeCommands,
  workflowCommand,
} from '../../usage/output/github-actions.ts';

export type Colours = ReturnType<typeof picocolors.createColors>;

export interface Terminal {
  /** Prints a result: with `--json` as one object of version 1, else the text. */
  print(result: object, text: () => string): void;
  out(text: string): void;
  /** Progress, findings and errors. */
  note(text: string): void;
  /** `undefined` unless GitHub Actions reads the output. */
  readonly annotate: ((annotation: Annotation) => void) | undefined;
  /** Keeps the findings that are shown, for the JSON of a command that fails. */
  readonly onFindings?: (findings: readonly Finding[]) => void;
  /** Writes a line in place of the one before, `''` to take it away; `undefined` where none is watching. */
  readonly redraw: ((line: string) => void) | undefined;
  /** Asks a person; `undefined` where none is watching. Ctrl-C and Ctrl-D are a no. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined;
  /**
   * Asks for a line, also where it comes from a pipe; `undefined` where there is none to come, or the
   * signal fires. Ctrl-C ends the command.
   */
  ask(question: string, signal: AbortSignal): Promise<string | undefined>;
  /** Opens an address in the person's browser. Fails where there is none. */
  browse(address: string): Promise<void>;
  /** Colours of results, which may go to a file while notes go to a person. */
  readonly paint: Colours;
  readonly notePaint: Colours;
  /** Columns of results; `undefined` where they are read by a program. */
  readonly width: number | undefined;
  readonly noteWidth: number | undefined;
  /** The variables of the process, without those of `.env` files. */
  readonly environment: Environment;
  readonly directory: string;
  /**
   * Aborted by Ctrl-C and by the end of the terminal. A command that reads it ends by itself then;
   * until it is read, Ctrl-C ends the process at once.
   */
  readonly signal: AbortSignal;
}

export const exitCodes = { done: 0, error: 1, usage: 2, held: 3, unsent: 4, ended: 130 } as const;
export const exitCodeMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: 'done',
  error: 'error',
  usage: 'wrong usage',
  held: 'held by a guard',
  unsent: 'something is unsent, and that counts as a failure',
  ended: 'interrupted',
};
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** How a terminal writes. Only `annotate` writes commands to a CI host. */
export function lineWriters({
  writeOut,
  writeNote,
  environment,
}: {
  writeOut: (text: string) => void;
  writeNote: (text: string) => void;
  environment: Environment;
}): Pick<Terminal, 'print' | 'out' | 'note' | 'annotate'> {
  const out = (text: string) => writeOut(`${neutralizeCommands(text)}\n`);
  return {
    print: (_, text) => out(text()),
    out,
    note: (text) => writeNote(`${neutralizeCommands(text)}\n`),
    annotate: isOnGithub(environment)
      ? (annotation) => writeNote(`${workflowCommand(annotation)}\n`)
      : undefined,
  };
}

/** Shows findings to people, grouped; in GitHub Actions as annotations. */
export function noteFindings(
  findings: readonly Finding[],
  {
    note,
    notePaint,
    onFindings,
    annotate = (found) => note(findingText(found, notePaint)),
  }: Pick<Terminal, 'note' | 'notePaint' | 'onFindings' | 'annotate'>,
): void {
  onFindings?.(findings);
  for (const found of groupFindings(findings)) annotate(found);
}

/** An error as people read it: message, hint with the code, the link, and what it came from. */
export function errorText(
  error: MediaAssetError,
  { notePaint: paint }: Pick<Terminal, 'notePaint'>,
): string {
  const cause = causeText(error);
  return [
    `${paint.red('error')} ${error.message}`,
    `  ${error.hint.replaceAll('\n', '\n  ')}`,
    ...(cause ? [`  ${paint.dim(`Cause: ${cause}`)}`] : []),
  ].join('\n');
}

/** What an error came from, unless its message says that already. */
export function causeText({ message, cause }: MediaAssetError): string | undefined {
  // A schema's error is JSON; the message lists the same problems for people.
  if (!(cause instanceof Error) || cause.name.endsWith('ZodError')) return undefined;
  const text = cause.message.trim().replace(/\s+/g, ' ');
  return message.includes(text) ? undefined : text;
}

function findingText(finding: Annotation, paint: Colours): string {
  const colour = { error: paint.red, warning: paint.yellow, notice: paint.cyan }[finding.severity];
  return `${colour(finding.severity)} ${finding.message}\n  ${hintWithCode(finding)}`;
}
