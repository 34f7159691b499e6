/**
 * @module-tag any-astro
 * @module-tag slow
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeEach, expect, test } from 'vitest';
import { ledgerPath } from '../../../src/usage/ledger/ledger-identity.ts';
import type { Lease } from '../../../src/usage/ledger/open-state-store.ts';
import { fileStateStore } from '../../../src/usage/ledger/open-state-store.ts';
import { childEnvironment } from '../../support/process/compile-cache.ts';
import { outputOf, useSite } from '../../support/site/site-with-service.ts';

const setup = useSite('main-job');

beforeEach(async () => {
  await setup.restore();
  const options = '{ service: { concurrency: 4 }, report: { maxIdsPerRequest: 1 } }';
  await setup.site.edit('astro.config.mjs', 'mediaAsset()', `mediaAsset(${options})`);
});

/**
 * Starts a build and stops in the middle of its report, with four requests sent and none answered.
 * `waitsFor` is another run's lease, which ends once the build says that it waits.
 */
async function buildThatReports({ waitsFor }: { waitsFor?: Lease } = {}) {
  await setup.emulator.setFaults([{ kind: 'latency', call: 'usage-report', ms: 5000 }]);
  const astro = setup.site.astro;
  const { HOME } = process.env;
  const reporting = { HOME, MEDIA_ASSET_REPORT: 'always', NO_COLOR: '1' };
  const env = { ...childEnvironment, ...setup.emulator.env, ...reporting };
  const child = spawn(process.execPath, [astro, 'build'], { cwd: setup.site.dir, env });
  const warned = Promise.withResolvers<void>();
  const said = { output: '', warned: warned.promise };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      said.output += text;
      if (said.output.includes('Ctrl-C again')) warned.resolve();
    });
  }
  if (waitsFor) {
    const patience = { timeout: 120_000, interval: 50 };
    await expect
      .poll(() => said.output, patience)
      .toMatch(/is in use: process \d+ .* Waiting up to/);
    await waitsFor.release();
  }
  await expect.poll(() => setup.pairs().length, { timeout: 120_000, interval: 50 }).toBe(4);
  return { child, said };
}

async function isPutRight(): Promise<void> {
  await setup.emulator.clearFaults();
  expect((await setup.command('report', 'dist', '--yes')).exitCode).toBe(0);
  expect(setup.pairs()).toHaveLength(5);
  expect(new Set(setup.pairs()).size).toBe(5);
}

const unix = process.platform !== 'win32';

test.runIf(unix)(
  'a build waits for another run, and the first Ctrl-C ends its report',
  async () => {
    const own = { service: setup.emulator.url, site: 'https://harbour.example', base: '/' };
    const path = ledgerPath(setup.site.dir, own);
    const { child, said } = await buildThatReports({
      waitsFor: await fileStateStore({ path }).lock(),
    });
    child.kill('SIGINT');
    const [, signal] = await once(child, 'close');

    expect(signal).toBe('SIGINT');
    expect(said.output).toContain('Finishing the current requests');
    expect(said.output).toMatch(/usages +\d reported, 0 removed, in 4 requests/);
    expect(said.output).toMatch(/unsent +\d usages?, kept for the next run/);
    await isPutRight();
  },
);

test.runIf(unix)(
  'the second Ctrl-C ends it at once, and the next run completes the report',
  async () => {
    const { child, said } = await buildThatReports();
    child.kill('SIGINT');
    // The open requests end by themselves a second later.
    await said.warned;
    child.kill('SIGINT');
    const [, signal] = await once(child, 'close');
    expect(signal).toBe('SIGINT');
    expect(said.output).not.toContain('kept for the next run');

    await isPutRight();
  },
);

// Doesn't depend on Astro.
test('usages that stay unsent fail the build if the site asks for it', async () => {
  const options = "onError: 'fail', maxIdsPerRequest: 1";
  await setup.site.edit('astro.config.mjs', 'maxIdsPerRequest: 1', options);
  await setup.emulator.setFaults([{ kind: 'limit', call: 'usage-report', retryAfter: 3600 }]);
  const output = await outputOf(
    setup.build({
      GITHUB_STEP_SUMMARY: setup.site.path('summary.md'),
    }),
    1,
  );

  expect(output).toMatch(/5 usages unsent: The service rate-limited/);
  expect(output).toContain('[usage-unsent]');
  expect(await setup.site.read('summary.md')).toContain('The service rate-limited');
  await isPutRight();
});
