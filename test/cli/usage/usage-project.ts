import { afterEach, beforeEach } from 'vitest';
import { startUsageServer, type UsageServer } from '../../support/ledger/usage-server.ts';
import { type BuiltFolder, createBuiltFolder } from '../../support/site/built-folder.ts';

export const site = 'https://harbour.example';
export const token = { MEDIA_ASSET_ACCESS_TOKEN: 'lantern' };

/** The project and the service of the running test. */
export let folder: BuiltFolder;
export let server: UsageServer;

/** Opens both before each test of a file, and closes them after it. */
export function useUsageProject(options?: Parameters<typeof startUsageServer>[0]): void {
  beforeEach(async () => {
    folder = await createBuiltFolder();
    server = await startUsageServer(options);
  });
  afterEach(async () => {
    await server.close();
    await folder.delete();
  });
}

/** They name the site and the service. */
export const flags = () => ['--site', site, '--service', server.url];

/** Runs `media-asset` with the flags and a token. */
export const command = (...words: string[]) => folder.command([...words, ...flags()], token);

export const report = (...words: string[]) => command('report', 'dist', '--yes', ...words);

/** Writes two pages with three usages. */
export async function writePages(): Promise<void> {
  await folder.page('dist/index.html', 'Harbour', 4711, 4712);
  await folder.page('dist/quay/index.html', 'The quay', 4712);
}
