import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { refuseTrackedLinks } from '../../src/storage/tracked-links.ts';

const paths = ['.env', '.media-asset', 'node_modules/.astro'];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'links-'));
});
afterEach(() => rm(folder, { recursive: true }));

const git = (...words: string[]) => execFileSync('git', words, { cwd: folder, stdio: 'ignore' });

async function link(path: string, target = 'public'): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await symlink(target, join(folder, path));
}

/** The refused path, if there is one. */
function refused(at = ''): string | undefined {
  try {
    refuseTrackedLinks(join(folder, at), paths);
    return undefined;
  } catch (error) {
    expect(error).toMatchObject({ code: 'link-tracked' });
    const [, path] = /^Git tracks (.*) as a link/.exec((error as Error).message) ?? [];
    return path?.slice(folder.length + 1);
  }
}

describe('a link that Git tracks', () => {
  test.each([
    ['.env', '.env'],
    ['.ENV', '.ENV'],
    ['.Media-Asset/ledger-site.json', '.Media-Asset/ledger-site.json'],
    ['.media-asset', '.media-asset'],
    ['.media-asset/ledger-site.json', '.media-asset/ledger-site.json'],
    ['.media-asset/a/b', '.media-asset/a/b'],
    ['node_modules', 'node_modules'],
    ['node_modules/.astro', 'node_modules/.astro'],
    ['node_modules/.astro/media-asset/4711', 'node_modules/.astro/media-asset/4711'],
  ])('at %s is refused', async (path, found) => {
    git('init');
    await link(path);
    expect(refused()).toBeUndefined();
    git('add', '-f', path);
    expect(refused()).toBe(found);
  });

  test.each(['.env.example', 'media-asset', 'node_modules/.bin/astro', 'src/.env', '.envrc'])(
    'at %s is not ours',
    async (path) => {
      git('init');
      await link(path);
      git('add', '-f', path);
      expect(refused()).toBeUndefined();
    },
  );

  test('in a folder of the repository is refused too', async () => {
    git('init');
    await link('apps/site/.media-asset');
    git('add', '-f', '.');
    expect(refused('apps/site')).toBe('apps/site/.media-asset');
  });
});

test('files and folders that Git tracks are fine', async () => {
  git('init');
  await mkdir(join(folder, '.media-asset'));
  await writeFile(join(folder, '.media-asset/ledger-site.json'), '{}');
  await writeFile(join(folder, '.env'), '');
  git('add', '-f', '.');
  expect(refused()).toBeUndefined();
});

describe('a link that no one has committed', () => {
  test('is fine outside of a repository', async () => {
    await link('.media-asset');
    expect(refused()).toBeUndefined();
  });

  test('to a folder outside of the repository is fine', async () => {
    await mkdir(join(folder, 'repository'));
    execFileSync('git', ['init', 'repository'], { cwd: folder, stdio: 'ignore' });
    await link('cache');
    expect(() => refuseTrackedLinks(join(folder, 'repository'), ['../cache'])).not.toThrow();
  });

  test('may be tracked if Git can’t say it', async () => {
    const { PATH } = process.env;
    onTestFinished(() => void Object.assign(process.env, { PATH }));
    process.env.PATH = '';
    expect(refused()).toBeUndefined();
    await link('.media-asset/v3/4711/facts.json');
    expect(refused()).toBe('.media-asset/v3/4711/facts.json');
    await rm(join(folder, '.media-asset'), { recursive: true });
    await link('.media-asset');
    expect(refused()).toBe('.media-asset');
  });
});

test('the variables of another repository’s hook don’t count', async () => {
  const other = await mkdtemp(join(tmpdir(), 'other-'));
  onTestFinished(() => rm(other, { recursive: true }));
  execFileSync('git', ['init'], { cwd: other, stdio: 'ignore' });
  git('init');
  await link('.env');
  git('add', '-f', '.env');
  onTestFinished(() => void delete process.env.GIT_DIR);
  process.env.GIT_DIR = join(other, '.git');
  expect(refused()).toBe('.env');
});

test('a program that the repository’s settings name isn’t run', async () => {
  git('init');
  await writeFile(join(folder, 'run.sh'), `#!/bin/sh\ntouch ${folder}/ran\n`, { mode: 0o755 });
  git('config', 'core.fsmonitor', join(folder, 'run.sh'));
  await link('.env');
  git('-c', 'core.fsmonitor=false', 'add', '-f', '.env');
  expect(refused()).toBe('.env');
  await expect(rm(join(folder, 'ran'))).rejects.toThrow('ENOENT');
});
