import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startEmulatorLibrary } from '../../support/service/emulator-library.ts';
import { type BuiltFolder, createBuiltFolder } from '../../support/site/built-folder.ts';

const site = ['--site', 'https://harbour.example'];

/** A command of each group, with its arguments and expected stdout. Their other tests share a process. */
const commands: Readonly<Record<string, readonly [words: readonly string[], prints: string]>> = {
  report: [['dist', ...site, '--yes'], '1 usage reported'],
  download: [['4712'], 'quay.jpg'],
  logout: [[], 'signed in'],
  doctor: [[], 'credentials'],
};

const library = await startEmulatorLibrary();
let folder: BuiltFolder;

beforeEach(async () => {
  folder = await createBuiltFolder();
  await folder.page('dist/index.html', 'Harbour', 4711);
  await folder.write('quay.txt', 'The quay');
});

afterEach(async () => {
  await library.emulator.reset();
  await folder.delete();
});

test.each(Object.entries(commands))(
  'media-asset %s runs as a process',
  async (name, [words, prints]) => {
    const environment = { ...library.emulator.env, HOME: folder.dir };
    const run = await folder.process([...name.split(' '), ...words], environment);
    expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(prints) });
    if (name !== 'download') return;
    const original = await readFile(join(library.emulator.mediaDir, 'boats/quay.jpg'));
    expect(await readFile(folder.path('quay.jpg'))).toEqual(original);
  },
);
