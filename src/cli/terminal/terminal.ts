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
  /** Prints a result: as text, or with `--json` as one object of version 1. */
  print(result: object, text: () => string): void;
  out(text: string): void;
  /** For progress, findings and errors. */
  note(text: string): void;
  /** `undefined` outside GitHub Actions. */
  readonly annotate: ((annotation: Annotation) => void) | undefined;
  /** Collects the shown findings for `--json`. */
  readonly onFindings?: (findings: readonly Finding[]) => void;
  /** Whether the site's config may be evaluated in this process. */
  readonly isSiteProcess?: boolean;
  /** Replaces the last line. `''` or other output removes it. `undefined` without a terminal. */
  readonly redraw: ((line: string) => void) | undefined;
  /** Asks for confirmation. Ctrl-C and Ctrl-D mean no. `undefined` without a terminal. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined;
  /**
   * Asks for a line, also from a pipe. Returns `undefined` at the end of the input or if the signal
   * fires. Ctrl-C ends the command. A terminal doesn't show a secret.
   */
  ask(
    question: string,
    options?: { readonly signal?: AbortSignal; readonly isSecret?: boolean },
  ): Promise<string | undefined>;
  /** Colours of results, which may go to a file while notes go to a terminal. */
  readonly paint: Colours;
  readonly notePaint: Colours;
  /** Columns for results; `undefined` without a terminal. */
  readonly width?: number | undefined;
  /** Columns for notes; `undefined` without a terminal. */
  readonly noteWidth: number | undefined;
  /** Variables of the process, without `.env` files. */
  readonly environment: Environment;
  readonly directory: string;
  /**
   * Aborted by Ctrl-C, or when the terminal closes. A command that reads it must end by itself.
   * Until then, Ctrl-C ends the process at once.
   */
  readonly signal: AbortSignal;
}

export const exits = {
  done: [0, 'done'],
  error: [1, 'error'],
  usage: [2, 'wrong usage'],
  held: [3, "held by a guard, or something isn't proved"],
  unsent: [4, 'something is unsent, and that counts as a failure'],
  rebuild: [5, 'the site needs a build'],
  ended: [130, 'interrupted'],
} as const;
export const exitCodes = Object.fromEntries(
  Object.entries(exits).map(([name, [code]]) => [name, code]),
) as { readonly [name in keyof typeof exits]: (typeof exits)[name][0] };
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export type Command<Flags, Words extends unknown[] = []> = (
  flags: Flags,
  terminal: Terminal,
  ...words: Words
  // biome-ignore lint/suspicious/noConfusingVoidType: many commands can only end as done
) => Promise<ExitCode | void>;

/** Creates a terminal's writers. Only `annotate` writes commands for a CI host. */
export function lineWriters(
  writeOut: (text: string) => void,
  writeNote: (text: string) => void,
  environment: Environment,
): Pick<Terminal, 'print' | 'out' | 'note' | 'annotate'> {
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

/** Shows findings: grouped, and as annotations in GitHub Actions. */
export function noteFindings(
  findings: readonly Finding[],
  terminal: Pick<Terminal, 'note' | 'notePaint' | 'onFindings' | 'annotate'>,
): void {
  const { note, notePaint, onFindings } = terminal;
  const { annotate = (found) => note(findingText(found, notePaint)) } = terminal;
  onFindings?.(findings);
  for (const found of groupFindings(findings)) annotate(found);
}

/** An error for people: message, hint with code, link, and cause. */
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

/** The cause of an error, unless its message already includes it. */
export function causeText({ message, cause }: MediaAssetError): string | undefined {
  // A schema error is JSON. Our message already lists its problems.
  if (!(cause instanceof Error) || cause.name.endsWith('ZodError')) return undefined;
  const text = cause.message.trim().replace(/\s+/g, ' ');
  return message.includes(text) ? undefined : text;
}

function findingText(finding: Annotation, paint: Colours): string {
  const colour = { error: paint.red, warning: paint.yellow, notice: paint.cyan }[finding.severity];
  return `${colour(finding.severity)} ${finding.message}\n  ${hintWithCode(finding)}`;
}
