import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, onTestFinished, vi } from 'vitest';
import { startUsageServer, type UsageServer } from '../../support/ledger/usage-server.ts';
import { childEnvironment } from '../../support/process/compile-cache.ts';
import { commandEntry } from '../../support/site/built-folder.ts';
import { useBuiltFolder } from '../../support/site/use-built-folder.ts';

export const site = 'https://harbour.example';
export const token = { MEDIA_ASSET_ACCESS_TOKEN: 'lantern' };

/** The project and the service of the running test. */
export let folder: ReturnType<typeof useBuiltFolder>;
export let server: UsageServer;

/** Opens both before each test of a file, and closes them after it. */
export function useUsageProject(options?: Parameters<typeof startUsageServer>[0]): void {
  folder = useBuiltFolder();
  beforeEach(async () => {
    server = await startUsageServer(options);
  });
  afterEach(() => server.close());
}

/** They name the site and the service. */
export const flags = () => ['--site', site, '--service', server.url];

/** Runs `media-asset` with the flags and a token. */
export const command = (...words: string[]) => folder.command([...words, ...flags()], token);

export const report = (...words: string[]) => command('report', 'dist', '--yes', ...words);

/** The variables of a run whose build has named the site. */
export const environment = () => ({ MEDIA_ASSET_BASE_URL: server.url, ...token });

/** Starts a report in its own process, where signals can reach it. */
export function startReport({
  words = [],
  environment = {},
}: {
  words?: readonly string[];
  environment?: Readonly<Record<string, string>>;
} = {}) {
  const all = [commandEntry, 'report', 'dist', '--yes', ...flags(), ...words];
  const child = spawn(process.execPath, all, {
    cwd: folder.dir,
    env: { ...childEnvironment, ...token, ...environment },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (more: string) => {
    stderr += more;
  });
  const ended = Promise.all([once(child, 'close'), text(child.stdout)]).then(
    ([[exitCode, signal], stdout]) => ({ exitCode, signal, stdout, stderr }),
  );
  return {
    ended,
    end: (signal: NodeJS.Signals) => child.kill(signal),
    /** Waits for a text on stderr. */
    says: (said: string) => vi.waitFor(() => expect(stderr).toContain(said), 20_000),
  };
}

/** Writes two pages with three usages. */
export async function writePages(): Promise<void> {
  await folder.page('dist/index.html', 'Harbour', 4711, 4712);
  await folder.page('dist/quay/index.html', 'The quay', 4712);
}
