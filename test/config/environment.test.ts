import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { loadEnvironment, siteEnvironment } from '../../src/config/environment.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';

let root: string;

beforeEach(async () => {
  root = await temporaryFolder('environment');
});

test("reads the mode's .env files: the most specific one wins, and process variables override them all", async () => {
  await writeFile(join(root, '.env'), 'A=env\nB=env\nC=env\nD=env\nE=env\n');
  await writeFile(join(root, '.env.local'), 'B=local\nC=local\nD=local\nE=local\n');
  await writeFile(join(root, '.env.production'), 'C=production\nD=production\nE=production\n');
  await writeFile(
    join(root, '.env.production.local'),
    'D="production local"\nE=production-local\n',
  );
  await writeFile(join(root, '.env.development'), 'A=development\n');

  expect(loadEnvironment(root, 'production', { E: 'process' })).toEqual({
    A: 'env',
    B: 'local',
    C: 'production',
    D: 'production local',
    E: 'process',
  });
});

test('returns only the process variables if there are no .env files', () => {
  expect(loadEnvironment(root, 'production', { A: 'process' })).toEqual({ A: 'process' });
});

test('skips a folder named .env, such as a Python virtual environment', async () => {
  await mkdir(join(root, '.env'));
  expect(loadEnvironment(root, 'production', {})).toEqual({});
});

test("names a file that can't be read", async () => {
  await symlink('.env.local', join(root, '.env.local'));
  expect(() => loadEnvironment(root, 'production', {})).toThrow(
    expect.objectContaining({
      code: 'environment-unreadable',
      message: expect.stringContaining('.env.local'),
    }),
  );
});

test.each([
  ['nothing', () => undefined, 'site'],
  ['a folder above the project', () => '../..', 'workspace'],
  ['an absolute folder', (workspace: string) => workspace, 'workspace'],
  ['false', () => false as const, undefined],
])('reads the .env files that Vite reads, with %s as vite.envDir', async (_, envDir, where) => {
  const site = join(root, 'apps/site');
  await mkdir(site, { recursive: true });
  await writeFile(join(root, '.env'), 'WHERE_IT_WAS=workspace\n');
  await writeFile(join(site, '.env'), 'WHERE_IT_WAS=site\n');
  const given = envDir(root);
  const vite = given === undefined ? {} : { envDir: given };
  const config = { root: pathToFileURL(`${site}/`), vite };
  expect(siteEnvironment(config, 'production').WHERE_IT_WAS).toBe(where);
});
