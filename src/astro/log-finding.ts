import type { AstroIntegration, AstroIntegrationLogger } from 'astro';
import { type Finding, hintWithCode, isMediaAssetError, toFinding } from '../errors/errors.ts';
import { groupFindings } from '../errors/group-findings.ts';
import {
  type Annotation,
  isOnGithub,
  neutralizeCommands,
  workflowCommand,
} from '../usage/output/github-actions.ts';

/** A logger for our own lines. Titles and URLs in them can't become commands to a CI host. */
export function forkLogger(logger: AstroIntegrationLogger): AstroIntegrationLogger {
  const own = logger.fork('media-asset');
  for (const level of ['info', 'warn', 'error'] as const) {
    const write = own[level];
    own[level] = (message) => write.call(own, neutralizeCommands(message));
  }
  return own;
}

/** Logs a finding. In GitHub Actions, prints it as an annotation. */
export function logFinding(logger: AstroIntegrationLogger, finding: Finding): void {
  if (isOnGithub(process.env)) return void writeAnnotation(finding);
  const level = ({ error: 'error', warning: 'warn', notice: 'info' } as const)[finding.severity];
  const { message } = finding;
  // A list doesn't end with a full stop, so the hint needs its own line.
  logger[level](`${message}${message.includes('\n') ? '\n' : ' '}${hintWithCode(finding)}`);
}

export function logFindings(logger: AstroIntegrationLogger, findings: readonly Finding[]): void {
  for (const found of groupFindings(findings)) logFinding(logger, found);
}

/**
 * Writes to stdout, because GitHub only reads commands at the start of a line, and a logger puts the
 * time there. The line break comes first: Astro leaves a page's line open while it renders the page.
 */
function writeAnnotation(annotation: Annotation): void {
  process.stdout.write(`\n${workflowCommand(annotation)}\n`);
}

type Hooks = AstroIntegration['hooks'];

const annotated = new WeakSet<Error>();

/** Wraps hooks: our errors in them also become annotations in GitHub Actions. */
export function annotateFailures(hooks: Hooks): Hooks {
  const wrapped = Object.entries(hooks).map(([name, hook]) => {
    const run = async (...args: unknown[]) => (hook as (...args: unknown[]) => unknown)(...args);
    const rethrow = (error: unknown) => {
      throw annotateFailure(error);
    };
    return [name, (...args: unknown[]) => run(...args).catch(rethrow)];
  });
  return Object.fromEntries(wrapped) as Hooks;
}

/** Prints an error as an annotation, once. Its messages change, so that Astro prints no command. */
export function annotateFailure(error: unknown): unknown {
  if (!isMediaAssetError(error) || annotated.has(error)) return error;
  annotated.add(error);
  if (isOnGithub(process.env)) writeAnnotation(toFinding('error', error));
  for (let part: unknown = error; part instanceof Error; part = part.cause) {
    // The message of a DOMException, such as a timeout's, can't be assigned.
    Object.defineProperty(part, 'message', { value: neutralizeCommands(part.message) });
  }
  return error;
}
