import { readdirSync } from 'node:fs';
import { mkdtemp, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { replaceFile } from '../../src/storage/replace-file.ts';

test('a file that is replaced several times at once has one of the texts, and nothing is left', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'replace-'));
  const path = join(folder, 'state.json');
  const texts = Array.from({ length: 20 }, (_, index) => String(index).repeat(10_000));
  await Promise.all(texts.map((text) => replaceFile(path, text, 'anybody')));
  expect(texts).toContain(await readFile(path, 'utf8'));
  expect(await readdir(folder)).toEqual(['state.json']);
});

test.each(['owner', 'anybody'] as const)(
  'a temporary file for %s has a name that no one can guess',
  async (access) => {
    const folder = await mkdtemp(join(tmpdir(), 'replace-'));
    const names: string[] = [];
    function* content() {
      names.push(
        readdirSync(folder).find((name) => /tmp$/.test(name) && !names.includes(name)) ?? '',
      );
      yield 'text';
    }
    await replaceFile(join(folder, 'state.json'), content(), access);
    // An earlier name leads somewhere else.
    await symlink('leak.txt', join(folder, `${names[0]}`));
    await replaceFile(join(folder, 'state.json'), content(), access);
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(/^\.[0-9a-f-]{36}\.tmp$/);
    expect(await readdir(folder)).not.toContain('leak.txt');
  },
);

test.skipIf(process.platform === 'win32').each([
  ['owner', 0o600],
  ['anybody', 0o644],
] as const)('a file for %s has that mode, whatever the old one had', async (access, mode) => {
  const path = join(await mkdtemp(join(tmpdir(), 'replace-')), 'state.json');
  const before = process.umask(0o022);
  onTestFinished(() => void process.umask(before));
  await writeFile(path, 'one', { mode: 0o666 });
  await replaceFile(path, 'two', access);
  expect((await stat(path)).mode & 0o777).toBe(mode);
});
