import { chmod, readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canRunUnprivileged, failUnprivileged } from '../../support/process/unprivileged-user.ts';
import { startEmulatorLibrary } from '../../support/service/emulator-library.ts';
import { useBuiltFolder } from '../../support/site/use-built-folder.ts';

const library = await startEmulatorLibrary();
const folder = useBuiltFolder();

beforeEach(() => library.emulator.clearLog());
afterEach(() => chmod(folder.dir, 0o755));

const refused = (...words: string[]) => failUnprivileged(folder.dir, words, library.emulator.env);

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
