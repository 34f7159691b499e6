import { execFile } from 'node:child_process';
import { chmod, readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canRunUnprivileged, unprivilegedUser } from '../../support/process/unprivileged-user.ts';
import { startEmulatorLibrary } from '../../support/service/emulator-library.ts';
import { commandEntry } from '../../support/site/built-folder.ts';
import { useBuiltFolder } from '../../support/site/use-built-folder.ts';

const library = await startEmulatorLibrary();
const folder = useBuiltFolder();

beforeEach(() => library.emulator.clearLog());
afterEach(() => chmod(folder.dir, 0o755));

async function refused(...words: string[]): Promise<{ code: number; stderr: string }> {
  const env = { ...library.emulator.env, PATH: process.env.PATH, HOME: folder.dir, NO_COLOR: '1' };
  const options = { cwd: folder.dir, env, ...unprivilegedUser };
  return promisify(execFile)(process.execPath, [commandEntry, ...words], options).then(
    () => Promise.reject(new Error('It was not refused.')),
    (error) => error,
  );
}

describe.skipIf(!canRunUnprivileged())('without permission', () => {
  test('to write to its folder, a download fails and leaves nothing behind', async () => {
    await chmod(folder.dir, 0o555);
    const { code, stderr } = await refused('download', '4712');
    expect(stderr).toContain("its folder isn't writable");
    expect(stderr).toContain('[file-unwritable]');
    expect(code).toBe(1);
    expect(await readdir(folder.dir)).toEqual([]);
  });

  test('to list a folder of the site, a report fails and sends nothing', async () => {
    await folder.page('dist/index.html', 'Harbour', 4711);
    await folder.page('dist/boats/index.html', 'Boats', 4712);
    await chmod(folder.path('dist/boats'), 0);
    await chmod(folder.dir, 0o755);
    const site = ['--site', 'https://harbour.example', '--yes'];
    const { code, stderr } = await refused('report', 'dist', ...site);
    await chmod(folder.path('dist/boats'), 0o755);
    expect(stderr).toContain(`${folder.path('dist/boats')} couldn't be read.`);
    expect(stderr).toContain('[scan-unreadable]');
    expect(code).toBe(1);
    expect(library.emulator.log()).toEqual([]);
  });

  test('to read its file, an upload fails and sends nothing', async () => {
    await folder.write('quay.jpg', 'mine');
    await chmod(folder.path('quay.jpg'), 0);
    await chmod(folder.dir, 0o755);
    const { code, stderr } = await refused('upload', 'quay.jpg', '--folder', '1');
    expect(stderr).toContain('permission denied');
    expect(stderr).toContain('[upload-source-unusable]');
    expect(code).toBe(1);
    expect(await readdir(folder.dir)).toEqual(['quay.jpg']);
    expect(library.emulator.log()).toEqual([]);
  });
});
