import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createProgram } from '../../../src/cli/command-line.ts';
import {
  type EmulatorLibrary,
  startEmulatorLibrary,
} from '../../support/service/emulator-library.ts';
import { type BuiltFolder, createBuiltFolder } from '../../support/site/built-folder.ts';

const site = ['--site', 'https://harbour.example'];

/** Commands that run as a process, with their arguments and expected stdout. */
const commands: Readonly<Record<string, readonly [words: readonly string[], prints: string]>> = {
  scan: [['dist', ...site], '1 page scanned'],
  plan: [['dist', ...site], '1 usage to report'],
  report: [['dist', ...site, '--yes'], '1 usage reported'],
  status: [site, 'no ledger'],
  reconcile: [['dist', ...site, '--yes'], '1 usage reported'],
  retire: [[...site, '--yes'], 'no ledger'],
  folders: [[], 'boats'],
  files: [['2'], 'ferry'],
  search: [['quay'], 'quay'],
  record: [['4711'], 'ferry'],
  download: [['4712'], 'quay.jpg'],
  upload: [['quay.txt', '--folder', '1'], 'quay.txt'],
  update: [['4711', 'credit=Ada'], 'credit'],
  usages: [['4711'], 'no usages of asset'],
  'cache list': [[], 'media-asset'],
  'cache clear': [['--yes'], 'media-asset'],
  'cache verify': [[], 'media-asset'],
  fetch: [['4711'], '1'],
  logout: [[], 'signed in'],
  doctor: [[], 'credentials'],
};

/**
 * The first two wait for a user or a signal: see `sign-in.test.ts` and `emulator/process.test.ts`. The
 * others need a built site: see `record-commands`, `watch` and `withdraw` in `e2e/`.
 */
const testedElsewhere = ['login', 'emulator', 'rights', 'watch', 'withdraw'];

let library: EmulatorLibrary;
let folder: BuiltFolder;

beforeAll(async () => {
  library = await startEmulatorLibrary();
});

beforeEach(async () => {
  folder = await createBuiltFolder();
  await folder.page('dist/index.html', 'Harbour', 4711);
  await folder.write('quay.txt', 'The quay');
});

afterEach(async () => {
  await library.emulator.reset();
  await folder.delete();
});

afterAll(() => library.close());

test('lists every command', async () => {
  const program = createProgram(() => async () => {}, { out() {}, note() {} });
  const names = program.commands.flatMap((command) =>
    command.commands.length > 0
      ? command.commands.map((one) => `${command.name()} ${one.name()}`)
      : command.name(),
  );
  const expected = [...Object.keys(commands), ...testedElsewhere];
  expect(names.filter((name) => name !== 'help').sort()).toEqual(expected.sort());
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
