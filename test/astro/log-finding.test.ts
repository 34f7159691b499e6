import type { AstroIntegrationLogger } from 'astro';
import { expect, test, vi } from 'vitest';
import { annotateFailures, logFinding } from '../../src/astro/log-finding.ts';
import { finding, mediaAssetError } from '../../src/errors/errors.ts';
import { workflowCommands } from '../support/process/workflow-commands.ts';

/** Returns the log lines for unavailable assets. */
function logged(...ids: number[]): string[] {
  vi.stubEnv('GITHUB_ACTIONS', '');
  const lines: string[] = [];
  const logger = { error: (line: string) => lines.push(line) } as unknown;
  const assets = ids.map((id) => ({ id, reason: 404, asked: [{ page: '/quay/' }] }));
  logFinding(logger as AstroIntegrationLogger, finding('error', 'asset-withdrawn', { assets }));
  vi.unstubAllEnvs();
  return lines.join('\n').split('\n');
}

test('a message and its hint are sentences on one line', () => {
  expect(logged(99)).toEqual([
    expect.stringMatching(
      /^The service no longer delivers asset 99 \(404\) on \/quay\/\. Remove .* \[asset-withdrawn\]$/,
    ),
  ]);
});

test('a hint starts below the last line of a list', () => {
  expect(logged(99, 100)).toEqual([
    'The service no longer delivers:',
    '  - asset 99 (404) on /quay/',
    '  - asset 100 (404) on /quay/',
    expect.stringMatching(/^Remove the assets from/),
  ]);
});

test('an error that leaves a hook contains no command for a CI host, nor does its cause', async () => {
  const cause = new Error('::add-mask::quay', { cause: AbortSignal.abort().reason });
  const path = 'ledger\n##[add-mask]quay';
  const hooks = annotateFailures({
    'astro:build:done'() {
      throw mediaAssetError('ledger-unwritable', { path }, { cause });
    },
  });
  const thrown = await Promise.resolve(hooks['astro:build:done']?.({} as never)).catch(
    (error: Error) => error,
  );
  expect(thrown?.message).toContain('# #[add-mask]quay');
  expect(thrown?.cause).toBe(cause);
  expect(workflowCommands(`${thrown?.message}\n${cause.message}`)).toEqual([]);
});
