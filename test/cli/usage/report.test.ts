import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { PageUsage } from '../../../src/scan/manifest.ts';
import { pagesDigest } from '../../../src/usage/build-rules.ts';
import { heldIds, removalsAlwaysAllowed } from '../../support/ledger/usage-fixtures.ts';
import { builtSettings } from '../../support/site/built-folder.ts';
import {
  environment,
  flags,
  folder,
  report,
  server,
  site,
  startReport,
  token,
  useUsageProject,
  writePages,
} from './usage-project.ts';

useUsageProject();
beforeEach(writePages);

const dist = () => ['dist', ...flags()];
const nothing = { reported: 0, removed: 0, requests: 0, unsent: 0 };
/** Runs a command whose build has named the site. */
const run = (...words: string[]) => folder.command(words, environment());

/** Removes more usages from the pages than a run may. */
async function removeMany(): Promise<void> {
  await folder.page('dist/quay/index.html', 'The quay', ...heldIds);
  await report();
  await folder.remove('dist/quay');
}

describe('plan', () => {
  test('shows the requests without credentials and sends nothing', async () => {
    const { exitCode, stdout } = await folder.command(['plan', ...dist(), '--json']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      version: 1,
      requests: [
        { removed: false, page: `${site}/`, pageName: 'Harbour', ids: [4711, 4712] },
        { removed: false, page: `${site}/quay/`, pageName: 'The quay', ids: [4712] },
      ],
      guard: { removals: 0, known: 0, limit: removalsAlwaysAllowed, held: false },
      findings: [expect.objectContaining({ code: 'ledger-missing', severity: 'notice' })],
    });
    expect(server.log).toEqual([]);
  });

  test('names the command that sends it, with the same flags', async () => {
    const words = ['--base', '/docs', '--contact', 'Ada Berg', '--exclude', 'old/**'];
    const { stdout } = await folder.command(['plan', ...dist(), ...words, '--allow-removals']);
    expect(stdout).toContain('Next: media-asset report dist, with the same flags\n');
  });

  test('exits with 3 if the guard would hold removals, and names the override', async () => {
    await removeMany();
    const planned = await folder.command(['plan', ...dist()]);
    expect(planned.exitCode).toBe(3);
    expect(planned.stdout).toContain('--allow-removals');

    const held = await report();
    expect(held.exitCode).toBe(3);
    expect(held.stdout).toBe(`Nothing was sent; ${heldIds.length} removals held.\n`);
    expect(JSON.parse((await report('--json')).stdout)).toEqual({
      ...{ version: 1, ...nothing, held: heldIds.length },
      findings: [expect.objectContaining({ code: 'removals-held', severity: 'warning' })],
    });
    expect(server.model.list()).toHaveLength(heldIds.length + 2);

    const allowed = await report('--allow-removals');
    expect(allowed.exitCode).toBe(0);
    expect(allowed.stdout).toBe(`0 usages reported, ${heldIds.length} removed, in 1 request.\n`);
    expect(server.model.list()).toHaveLength(2);
  });

  test.each([
    ['1', 0, 2],
    ['false', 3, heldIds.length + 2],
  ])('with MEDIA_ASSET_ALLOW_REMOVALS=%s, report ends with %i', async (value, code, listed) => {
    await removeMany();
    const variables = { ...token, MEDIA_ASSET_ALLOW_REMOVALS: value };
    const { exitCode } = await folder.command(['report', ...dist(), '--yes'], variables);
    expect(exitCode).toBe(code);
    expect(server.model.list()).toHaveLength(listed);
  });
});

describe('a folder with other pages than the last build', () => {
  const image = `_astro/media-asset/4711-${'a'.repeat(16)}-${'b'.repeat(16)}-harbour.webp`;

  beforeEach(async () => {
    const pages = ['/', '/quay/'].map((path) => ({ page: `${site}${path}` }));
    await folder.build({
      service: server.url,
      pages: pagesDigest({ pages: pages as unknown as PageUsage[], files: [image] }),
    });
    await folder.write(join('dist', image), 'pixels');
    await run('report', 'dist', '--yes');
    server.log.length = 0;
    await folder.remove('dist/quay');
  });

  test('is refused, and so is one without its images, because they would count as never published', async () => {
    await folder.page('dist/quay/index.html', 'The quay', 4712);
    expect((await run('report', 'dist', '--yes')).exitCode).toBe(0);
    await folder.remove(join('dist', image));
    const { exitCode, stderr } = await run('report', 'dist', '--yes');
    expect(stderr).toContain('[folder-mismatch]');
    expect(exitCode).toBe(1);
  });

  test.each([['plan'], ['report', '--yes'], ['reconcile', '--yes']])(
    'is refused by %s',
    async (...words) => {
      const { exitCode, stderr } = await run(...words, 'dist');
      expect(stderr).toContain('dist has other pages or images than the last build made.');
      expect(exitCode).toBe(1);
      expect(server.log).toEqual([]);
    },
  );

  test('is reported with --allow-removals', async () => {
    const { exitCode, stdout } = await run('report', 'dist', '--yes', '--allow-removals');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('1 removed');
  });
});

describe('a folder that a re-run job restores from an earlier build', () => {
  const restore = (startedAt: string) => folder.build({ service: server.url, startedAt });

  beforeEach(async () => {
    await restore('2026-03-02T12:00:00.000Z');
    await run('report', 'dist', '--yes');
    server.log.length = 0;
    await folder.remove('dist/quay');
    await restore('2026-03-02T11:00:00.000Z');
  });

  test('is refused by report, which names the flag for a rollback', async () => {
    const { exitCode, stderr } = await run('report', 'dist', '--yes');
    expect(stderr).toContain(
      'This build started at 2026-03-02T11:00:00.000Z, before the one that was reported last (2026-03-02T12:00:00.000Z), so nothing was sent.',
    );
    expect(stderr).toContain('--rollback');
    expect(exitCode).toBe(1);
    expect(server.log).toEqual([]);
    expect(server.model.list()).toHaveLength(3);
  });

  test('is reported with --rollback, and from then on without it', async () => {
    const { exitCode, stdout } = await run('report', 'dist', '--yes', '--rollback');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('1 removed');
    expect((await run('report', 'dist', '--yes')).stdout).toContain('Nothing changed');
  });

  test('can still be retired with its site', async () => {
    expect((await run('retire', '--site', site, '--yes')).exitCode).toBe(0);
    expect(server.model.list()).toEqual([]);
  });
});

describe('a run for a pull request', () => {
  const pullRequest = { ...token, GITHUB_ACTIONS: 'true', GITHUB_EVENT_NAME: 'pull_request' };

  beforeEach(async () => {
    await report();
    server.log.length = 0;
    await folder.remove('dist/quay');
  });

  test.each([['report'], ['reconcile'], ['retire']])('is refused by %s', async (name) => {
    const words = [name, ...(name === 'retire' ? flags() : dist()), '--yes'];
    const { exitCode, stderr } = await folder.command(words, pullRequest);
    expect(stderr).toContain('GitHub Actions says that this run is for a pull request');
    expect(stderr).toContain('[report-preview]');
    expect(exitCode).toBe(1);
    expect(server.log).toEqual([]);
  });

  test('is planned, and reported with MEDIA_ASSET_REPORT=always', async () => {
    expect((await folder.command(['plan', ...dist()], pullRequest)).exitCode).toBe(0);
    const forced = { ...pullRequest, MEDIA_ASSET_REPORT: 'always' };
    const { stdout } = await folder.command(['report', ...dist(), '--yes'], forced);
    expect(stdout).toContain('1 removed');
  });
});

describe('report', () => {
  test('sends, summarizes, and has nothing to send the second time', async () => {
    const first = await report();
    expect(first.exitCode).toBe(0);
    expect(first.stdout).toBe('3 usages reported, 0 removed, in 2 requests.\n');
    expect(first.stderr).toContain('[ledger-missing]');
    expect(server.log).toHaveLength(2);

    const second = await report();
    expect(second.exitCode).toBe(0);
    expect(second.stdout).toContain('Nothing changed');
    expect(server.log).toHaveLength(2);
  });

  test('prints only JSON to stdout with --json', async () => {
    expect(JSON.parse((await report('--json')).stdout)).toEqual({
      ...{ version: 1, reported: 3, removed: 0, requests: 2, unsent: 0 },
      findings: [expect.objectContaining({ code: 'ledger-missing' })],
    });
    expect(JSON.parse((await report('--json')).stdout)).toEqual({ version: 1, ...nothing });
  });

  test('reads service and credentials from .env files', async () => {
    await folder.write(
      '.env',
      `MEDIA_ASSET_BASE_URL=${server.url}\nMEDIA_ASSET_ACCESS_TOKEN=lantern\nMEDIA_ASSET_PROJECT=Museum\n`,
    );
    const { exitCode } = await folder.command(['report', 'dist', '--yes', '--site', site]);
    expect(exitCode).toBe(0);
    expect(server.log.map(({ project }) => project)).toEqual(['Museum', 'Museum']);
  });

  test("refuses another folder than the build's, like all commands that read one", async () => {
    await folder.build({ service: server.url, output: 'dist/client' }, 'dist/client');
    await folder.page('dist/client/index.html', 'Harbour', 4711);
    for (const words of [['plan'], ['report', '--yes'], ['reconcile', '--yes']]) {
      const { exitCode, stdout, stderr } = await run(...words, 'dist');
      expect([words, exitCode, stdout]).toEqual([words, 1, '']);
      expect(stderr).toContain('[folder-mismatch]');
    }
    expect(server.log).toEqual([]);
    expect((await run('report', 'dist/client', '--yes')).exitCode).toBe(0);
    await folder.page('dist-quay/index.html', 'The quay', 4712);
    const other = ['report', 'dist-quay', '--yes', '--site', 'https://quay.example'];
    expect((await run(...other)).exitCode).toBe(0);
    expect(server.log.map(({ page }) => page)).toEqual([`${site}/`, 'https://quay.example/']);
  });

  test("only warns if the service can't be reached, with the reason", async () => {
    await server.close();
    const { exitCode, stdout, stderr } = await report();
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/; 3 unsent\.\n$/);
    expect(stderr).toMatch(/^warning .*ECONNREFUSED/m);
    expect(stderr).toContain('[usage-unsent]');
    expect(JSON.parse((await report('--json')).stdout)).toMatchObject({
      unsent: 3,
      findings: [{ code: 'usage-unsent', severity: 'warning' }],
    });
  });

  test.each<[unsent: string, settings: object, flags: string[], exitCode: number]>([
    ['fail with the build’s onError', { onError: 'fail' }, [], 4],
    ['fail with --on-error fail', { onError: 'warn' }, ['--on-error', 'fail'], 4],
    ['warn with --on-error warn', { onError: 'fail' }, ['--on-error', 'warn'], 0],
    ['fail after the build’s maxUnsent', { maxUnsent: 0 }, ['--on-error', 'warn'], 1],
  ])('unsent usages %s', { tags: ['slow'] }, async (_, settings, words, exitCode) => {
    await folder.build({ service: server.url, settings: { ...builtSettings, ...settings } });
    await server.close();
    await run('report', 'dist', '--yes', ...words);
    expect(await run('report', 'dist', '--yes', ...words)).toMatchObject({
      exitCode,
      stdout: expect.stringMatching(/; 3 unsent\.$/m),
    });
  });

  test('annotates a refused usage in each run, as an error if it fails the run, and sends all others', async () => {
    server.treat = ({ ids }) => (ids.includes(4711) ? { status: 403 } : 'done');
    for (const [onError, expected] of [
      ['warn', 0],
      ['fail', 4],
      ['warn', 0],
    ] as const) {
      const github = { ...token, GITHUB_ACTIONS: 'true' };
      const words = ['report', ...dist(), '--yes', '--on-error', onError];
      const { exitCode, stderr } = await folder.command(words, github);
      expect(exitCode).toBe(expected);
      expect(stderr).toMatch(
        /^::warning title=usage-refused::The service has refused asset 4711 /m,
      );
      const severity = onError === 'fail' ? 'error' : 'warning';
      expect(stderr.match(/^::\w+ title=usage-unsent::/gm)).toEqual([
        `::${severity} title=usage-unsent::`,
      ]);
    }
    expect(server.model.list()).toHaveLength(2);
  });

  test('exits with 1 for a refused token without showing it, and can run again', async () => {
    await report();
    await folder.page('dist/quay/index.html', 'The quay', 4712, 4713);
    server.treat = () => ({ status: 401, body: '{}' });
    const refused = await report();
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain('[request-unauthorized]');
    expect(refused.output).not.toContain('lantern');

    server.treat = () => 'done';
    expect((await report()).exitCode).toBe(0);
    expect(server.model.list()).toHaveLength(4);
  });
});

describe('Markdown', () => {
  test('of a plan is written for a review comment', async () => {
    const words = ['plan', ...dist(), '--markdown', 'usages.md'];
    expect((await folder.command(words)).exitCode).toBe(0);
    const text = await readFile(folder.path('usages.md'), 'utf8');
    expect(text).toContain('\nHarbour  /\n+ 4711, 4712\n');
    expect(text).toContain('Planned; nothing was sent.');
  });

  test('of a report says what was sent', async () => {
    await report('--markdown', 'usages.md');
    const text = await readFile(folder.path('usages.md'), 'utf8');
    expect(text).toContain('3 usages reported, 0 removed, in 2 requests.');
  });

  test('to a folder is an error after the usages were sent', async () => {
    const { exitCode, stdout, stderr } = await report('--markdown', 'dist');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('3 usages reported');
    expect(stderr).toContain(`${folder.path('dist')} couldn't be written: `);
    expect(stderr).toContain('[file-unwritable]');
    expect((await report()).stdout).toContain('Nothing changed');
  });
});

describe('in GitHub Actions', () => {
  test("findings and errors are annotations, and the job's summary shows the plan", async () => {
    const summary = folder.path('summary.md');
    const github = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
    const words = ['report', ...dist(), '--yes', '--json'];
    const { stdout, stderr } = await folder.command(words, { ...token, ...github });
    expect(stderr).toMatch(/^::notice title=ledger-missing::/m);
    expect(JSON.parse(stdout)).toMatchObject({ reported: 3 });
    expect(await readFile(summary, 'utf8')).toContain('### Asset usages');

    const failed = await folder.command(['scan', 'nowhere', ...flags()], github);
    expect(failed.stderr).toMatch(/^::error title=folder-missing::/m);
  });
});

describe('an interrupted report', () => {
  /** Starts a report, and interrupts it during its first request. `answer` lets the service answer. */
  async function interruptReport() {
    for (let number = 0; number < 20; number += 1) {
      await folder.page(`dist/p${number}/index.html`, `Page ${number}`, 4711);
    }
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    server.treat = async () => {
      asked.resolve();
      await answered.promise;
      return 'done' as const;
    };
    const started = startReport({ words: ['--json'] });
    await Promise.race([asked.promise, started.ended]);
    const interrupt = () => started.end('SIGINT');
    interrupt();
    await started.says('Finishing the current requests.');
    return { ...started, interrupt, answer: () => answered.resolve() };
  }

  test('finishes the current requests after Ctrl-C, keeps the rest, and exits with 4', async () => {
    const { ended, answer } = await interruptReport();
    answer();
    const { exitCode, signal, stdout } = await ended;
    expect({ exitCode, signal }).toEqual({ exitCode: 4, signal: null });
    const { reported, requests, unsent } = JSON.parse(stdout);
    expect(requests).toBe(server.log.length);
    expect(requests).toBeLessThanOrEqual(8);
    expect(reported + unsent).toBe(23);

    server.treat = () => 'done';
    expect((await report()).exitCode).toBe(0);
    expect(server.model.list()).toHaveLength(23);
  });

  test('ends at once after a second Ctrl-C, and the next run settles what is in doubt', async () => {
    const { interrupt, ended, answer } = await interruptReport();
    interrupt();
    expect(await ended).toMatchObject({ exitCode: null, signal: 'SIGINT' });
    answer();
    server.treat = () => 'done';
    expect((await report()).exitCode).toBe(0);
    expect(server.model.list()).toHaveLength(23);
  });
});
