import { fileURLToPath } from 'node:url';
import type { AstroConfig, AstroIntegration } from 'astro';
import { hasCredentials } from '../../config/service-settings.ts';
import { annotateFailures, forkLogger, logFinding } from '../log-finding.ts';
import type { Site } from '../open-site.ts';
import type { BuildNotes } from './build-notes.ts';
import { buildSummaryLines } from './build-summary.ts';

/**
 * The part of the integration that runs last. Scans the built pages, reports, and logs a summary. If
 * another integration fails, this part doesn't run, and nothing is sent.
 */
export function reporter(finished: () => (Site & BuildNotes) | undefined): AstroIntegration {
  let rendersOnDemand = false;
  const integration: AstroIntegration = {
    name: 'astro-media-asset/reporter',
    hooks: annotateFailures({
      'astro:config:done'({ config, buildOutput }) {
        rendersOnDemand = buildOutput === 'server';
        moveToEnd(config, integration);
      },
      async 'astro:build:done'({ dir, logger }) {
        const build = finished();
        if (!build) return;
        const { reportBuild } = await import('./report-build.ts');
        const { credentialsFinding } = await import('./missing-credentials.ts');
        const log = forkLogger(logger);
        const folder = fileURLToPath(dir);
        const done = await reportBuild(build, { dir: folder, rendersOnDemand, logger: log });
        const { scan, usages, failure, interrupt } = done;
        const { images, files, unscanned, options } = build;
        const work = images.publisher.counts();
        const lines = buildSummaryLines({ scan, work, files, usages, unscanned });
        for (const line of lines) log.info(line);
        if (!hasCredentials(options)) logFinding(log, credentialsFinding(options));
        if (interrupt) process.kill(process.pid, interrupt);
        if (failure) throw failure;
      },
    }),
  };
  return integration;
}

/**
 * Astro runs hooks in the order of this list. Other integrations can append to it after us, and Astro
 * has no other way to run last.
 */
function moveToEnd(config: AstroConfig, integration: AstroIntegration): void {
  const at = config.integrations.indexOf(integration);
  if (at >= 0) config.integrations.push(...config.integrations.splice(at, 1));
}
