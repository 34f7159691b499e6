import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { siteEnvironment } from '../../src/config/environment.ts';

test.each([
  ['nothing', () => undefined, 'site'],
  ['a folder above the project', () => '../..', 'workspace'],
  ['an absolute folder', (workspace: string) => workspace, 'workspace'],
  ['false', () => false as const, undefined],
])('with %s as vite.envDir, .env files are those that Vite reads', async (_, envDir, where) => {
  const workspace = await mkdtemp(join(tmpdir(), 'workspace-'));
  onTestFinished(() => rm(workspace, { recursive: true }));
  const site = join(workspace, 'apps/site');
  await mkdir(site, { recursive: true });
  await writeFile(join(workspace, '.env'), 'WHERE_IT_WAS=workspace\n');
  await writeFile(join(site, '.env'), 'WHERE_IT_WAS=site\n');
  const given = envDir(workspace);
  const vite = given === undefined ? {} : { envDir: given };
  const config = { root: pathToFileURL(`${site}/`), vite };
  expect(siteEnvironment(config, 'production').WHERE_IT_WAS).toBe(where);
});
