import { chmod } from 'node:fs/promises';
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
});
