import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startService } from '../../assets/open-images.ts';
import { createBuiltFolder } from '../../support/site/built-folder.ts';
import { type FilledCache, fillCache } from '../filled-cache.ts';

const emulator = await startService([
  { path: 'a.jpg', width: 320, height: 200 },
  { path: 'b.jpg', width: 320, height: 200, seed: 1 },
]);

async function project(): Promise<FilledCache> {
  const filled = await fillCache(emulator);
  onTestFinished(() => filled.folder.delete());
  return filled;
}

async function list({ command }: FilledCache) {
  const { exitCode, stdout } = await command('list', '--json');
  expect(exitCode).toBe(0);
  return JSON.parse(stdout) as {
    size: number;
    files: { id: number; kind: string; size: number; width: number }[];
  };
}

const kindsOf = (files: readonly { id: number; kind: string }[]) =>
  files.map(({ id, kind }) => `${id} ${kind}`);

test('list shows sources, renditions and placeholders with pixels, size, times and the total', async () => {
  const filled = await project();
  const { size, files } = await list(filled);
  expect(kindsOf(files)).toEqual([
    '4711 original',
    '4711 rendition',
    '4712 original',
    '4712 custom-format',
    '4712 rendition',
    '4712 placeholder',
  ]);
  expect(size).toBe(files.reduce((sum, file) => sum + file.size, 0));
  expect(files[0]).toMatchObject({ width: 320, height: 200, query: null });
  expect(files[1]).toMatchObject({ width: 160, height: 100, checked: null });
  expect(files[3]).toMatchObject({ width: 100, height: 80, query: 'x1=20&y1=10&w=100&h=80' });

  const { stdout } = await filled.command('list');
  expect(stdout).toMatch(/^ 4711 {2}original .* 320 × 200 {2}\d{4}-\d\d-\d\d \d\d:\d\d /m);
  expect(stdout).toContain('4712  custom-format x1=20&y1=10&w=100&h=80');
  expect(stdout).toContain(`6 files, `);
});

test("list uses the last build's folder, or that of --cache", async () => {
  const { folder, command, cacheDir } = await project();
  await mkdir(folder.path('shared'));
  await rename(cacheDir, folder.path('shared/media-asset'));
  expect((await command('list')).stdout).toMatch(/^Nothing is cached in .*--cache\.$/m);
  await folder.build({ cache: 'shared/media-asset' });
  expect((await command('list')).stdout).toContain(folder.path('shared/media-asset'));
  expect((await command('list', '--cache', 'shared')).stdout).toContain('Nothing is cached in');
  const { exitCode, stderr } = await command('list', '--cache', 'nowhere');
  expect(exitCode).toBe(1);
  expect(stderr).toContain('[cache-unusable]');
});

test('clear of an asset deletes its bytes and keeps all others', async () => {
  const filled = await project();
  const before = await filled.contents();
  const { exitCode, stdout } = await filled.command('clear', '--asset', '4712', '--yes');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^Cleared 4 files \(.*\) of 1 asset in /);
  expect(kindsOf((await list(filled)).files)).toEqual(['4711 original', '4711 rendition']);
  expect(before).toHaveLength(6);
  expect(await filled.contents()).toHaveLength(2);
});

test("clear keeps the ledger and files that aren't part of the cache", async () => {
  const filled = await project();
  await writeFile(join(filled.cacheDir, 'notes.txt'), 'mine');
  await filled.folder.write('.media-asset/ledger.json', '{}');
  const { exitCode, stdout } = await filled.command('clear', '--yes');
  expect(exitCode).toBe(0);
  expect(stdout).toContain('Cleared 6 files');
  expect(await readdir(filled.cacheDir)).toEqual(['notes.txt']);
  expect(await readdir(filled.folder.path('.media-asset'))).toEqual(['ledger.json']);
  expect((await filled.command('list')).stdout).toContain('Nothing is cached');
});

test.each([[[]], [['--asset', '4711']]])(
  'clear %j keeps a download in progress of a running build',
  async (words) => {
    const filled = await project();
    await mkdir(join(filled.cacheDir, 'v3/tmp'), { recursive: true });
    await writeFile(join(filled.cacheDir, 'v3/tmp/4711-fresh'), 'half a picture');
    expect((await filled.command('clear', '--yes', ...words)).exitCode).toBe(0);
    expect(await readdir(join(filled.cacheDir, 'v3/tmp'))).toEqual(['4711-fresh']);
  },
);

test('clear asks first, and needs --yes without a terminal', async () => {
  const filled = await project();
  const { exitCode, stderr } = await filled.command('clear');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('Pass --yes');
  expect((await list(filled)).files).toHaveLength(6);
});

test.each(['cache list', 'cache clear --yes'])(
  '%s of a missing folder is an error that names it',
  async (text) => {
    const folder = await createBuiltFolder();
    onTestFinished(() => folder.delete());
    await folder.write('a-file', '');
    for (const name of ['nowhere', 'a-file']) {
      const words = [...text.split(' '), '--cache', name];
      const { exitCode, stdout, stderr } = await folder.command(words);
      expect(exitCode).toBe(1);
      expect(stdout).toBe('');
      expect(stderr).toContain('[cache-unusable]');
      expect(stderr).toContain(folder.path(name));
    }
  },
);
