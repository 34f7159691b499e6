import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadEnvironment } from '../../src/config/environment.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'environment-'));
});

afterEach(() => rm(root, { recursive: true, force: true }));

test('reads the .env files of the mode, the more special one first, and the process above all', async () => {
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

test('is the process alone where there are no files', () => {
  expect(loadEnvironment(root, 'production', { A: 'process' })).toEqual({ A: 'process' });
});

test('passes over a folder .env, such as a virtual environment of Python', async () => {
  await mkdir(join(root, '.env'));
  expect(loadEnvironment(root, 'production', {})).toEqual({});
});

test('names a file that cannot be read, for credentials may be missing', async () => {
  await symlink('.env.local', join(root, '.env.local'));
  expect(() => loadEnvironment(root, 'production', {})).toThrow(
    expect.objectContaining({
      code: 'environment-unreadable',
      message: expect.stringContaining('.env.local'),
    }),
  );
});
