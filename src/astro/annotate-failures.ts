import type { AstroIntegration } from 'astro';
import { isMediaAssetError } from '../errors.ts';
import { isOnGithub } from '../usage/github-actions.ts';
import { writeAnnotation } from './log-finding.ts';

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
 * Prints an error of ours as an annotation. Astro prints it in a form that GitHub does not know. An
 * error that passes here twice is printed once.
 */
export function annotateFailure(error: unknown): void {
  if (!isOnGithub(process.env) || !isMediaAssetError(error) || annotated.has(error)) return;
  annotated.add(error);
  const { code, message, hint } = error;
  writeAnnotation({ code, message, hint, severity: 'error' });
}
