import type { AstroIntegration, AstroIntegrationLogger } from 'astro';
import { type Finding, hintWithCode, isMediaAssetError } from '../errors/errors.ts';
import { groupFindings } from '../errors/group-findings.ts';
import {
  type Annotation,
  isOnGithub,
  neutralizeCommands,
  workflowCommand,
} from '../usage/output/github-actions.ts';

/** The logger of our lines. None of them is a command to a CI host, whatever titles and URLs they hold. */
export function forkLogger(logger: AstroIntegrationLogger): AstroIntegrationLogger {
  const own = logger.fork('media-asset');
  for (const level of ['info', 'warn', 'error'] as const) {
    const write = own[level];
    own[level] = (message) => write.call(own, neutralizeCommands(message));
  }
  return own;
}

/** Prints a finding in the log of the build or the dev server; in GitHub Actions as an annotation. */
export function logFinding(logger: AstroIntegrationLogger, finding: Finding): void {
  if (isOnGithub(process.env)) {
    writeAnnotation(finding);
    return;
  }
  const level = ({ error: 'error', warning: 'warn', notice: 'info' } as const)[finding.severity];
  const { message } = finding;
  // A list has no stop that would part it from the hint.
  logger[level](`${message}${message.includes('\n') ? '\n' : ' '}${hintWithCode(finding)}`);
}

/** Prints what is found at one time, grouped. */
export function logFindings(logger: AstroIntegrationLogger, findings: readonly Finding[]): void {
  for (const found of groupFindings(findings)) logFinding(logger, found);
}

/**
 * GitHub knows a command at the beginning of a line only: a logger begins its lines with the time,
 * and Astro leaves the line of a page open while it renders it.
 */
function writeAnnotation(annotation: Annotation): void {
  process.stdout.write(`\n${workflowCommand(annotation)}\n`);
}

type Hooks = AstroIntegration['hooks'];

const annotated = new WeakSet<Error>();

/** Hooks whose errors of ours are annotations too, where GitHub Actions reads the log. */
export function annotateFailures(hooks: Hooks): Hooks {
  const wrapped = Object.entries(hooks).map(([name, hook]) => {
    const run = hook as (...args: unknown[]) => unknown;
    return [
      name,
      async (...args: unknown[]) => {
        try {
          return await run(...args);
        } catch (error) {
          annotateFailure(error);
          throw error;
        }
      },
    ];
  });
  return Object.fromEntries(wrapped) as Hooks;
}

/**
 * Prints an error of ours as an annotation, once. Astro prints it in a form that GitHub does not know,
 * with its causes: so none of their messages is left a command to a CI host.
 */
export function annotateFailure(error: unknown): void {
  if (!isMediaAssetError(error) || annotated.has(error)) return;
  annotated.add(error);
  const { code, message, hint } = error;
  if (isOnGithub(process.env)) writeAnnotation({ code, message, hint, severity: 'error' });
  for (let part: unknown = error; part instanceof Error; part = part.cause) {
    // The message of a DOMException, such as a timeout's, can't be assigned.
    Object.defineProperty(part, 'message', { value: neutralizeCommands(part.message) });
  }
}

export type FailureLog = ReturnType<typeof createFailureLog>;

/** Logs what goes wrong with the assets of pages that the dev server renders nevertheless. */
export function createFailureLog(log: (finding: Finding) => void) {
  const logged = new Map<string, string>();
  return {
    /** Logs a failure once, until the page shows the asset again. */
    failed({ id, ...failure }: Finding & { readonly id: number }): void {
      const key = `${id} ${failure.place}`;
      if (logged.get(key) !== failure.message) log(failure);
      logged.set(key, failure.message);
    },
    shown(place: string, id: number): void {
      logged.delete(`${id} ${place}`);
    },
  };
}
