import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { canRunUnprivileged, failUnprivileged } from '../../support/process/unprivileged-user.ts';
import {
  command,
  flags,
  folder,
  report,
  server,
  token,
  useUsageProject,
  writePages,
} from './usage-project.ts';

useUsageProject();

let path: string;
let historyPath: string;
let good: string;

beforeEach(async () => {
  await writePages();
  await report();
  const [history = '', name = ''] = (await readdir(folder.path('.media-asset'))).sort();
  path = folder.path(join('.media-asset', name));
  historyPath = folder.path(join('.media-asset', history));
  good = await readFile(path, 'utf8');
  // One removal and one report to send.
  await folder.remove('dist/quay');
  await folder.page('dist/tower/index.html', 'Tower', 4713);
  server.log.length = 0;
});

/** All files next to the ledger with their bytes; `undefined` for a folder. */
async function state(): Promise<[string, string | undefined][]> {
  // What the folder publishes is recorded although its usages can't be sent.
  const files = (await readdir(dirname(path))).filter((file) => !file.startsWith('history-'));
  const read = (file: string) =>
    readFile(join(dirname(path), file), 'latin1').catch(() => undefined);
  return Promise.all(files.sort().map(async (file) => [file, await read(file)]));
}

const put = (text: string) => writeFile(path, text);

test.each<[string, () => Promise<unknown>, string, RegExp]>([
  ['is cut short', () => put(good.slice(0, good.length / 2)), 'ledger-broken', /isn't valid JSON/],
  [
    'is of a newer version',
    () => put(good.replace('"version":3', '"version":4')),
    'ledger-broken',
    /expected version 3.*Update/s,
  ],
  [
    'is of another site',
    () => put(good.replaceAll('harbour.example', 'ferry.example')),
    'ledger-foreign',
    /ferry\.example/,
  ],
  [
    'is a folder',
    async () => {
      await rm(path);
      await mkdir(path);
    },
    'ledger-unreadable',
    /EISDIR/,
  ],
])(
  'a ledger that %s ends a report before it sends anything, stays, and works after its repair',
  {
    timeout: 60_000,
  },
  async (_, spoil, code, said) => {
    await spoil();
    const before = await state();
    for (const reading of [['plan', 'dist'], ['status']]) {
      const { exitCode, stderr } = await command(...reading);
      const isReadable = code === 'ledger-unwritable';
      expect(exitCode, reading[0]).toBe(isReadable ? 0 : 1);
      expect(stderr, reading[0]).toContain(isReadable ? '' : `[${code}]`);
      expect(await state(), reading[0]).toEqual(before);
    }
    const { exitCode, stdout, stderr } = await report();
    expect(exitCode).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain(`[${code}]`);
    expect(stderr).toContain(path);
    expect(stderr).toMatch(said);
    expect(server.log).toEqual([]);
    expect(server.model.list()).toHaveLength(3);
    expect(await state()).toEqual(before);

    await rm(path, { recursive: true });
    await put(good);
    expect((await report()).exitCode).toBe(0);
    expect(server.model.list()).toEqual([
      'https://harbour.example/ 4711 Harbour',
      'https://harbour.example/ 4712 Harbour',
      'https://harbour.example/tower/ 4713 Tower',
    ]);
  },
);

test("a file instead of the ledger's folder is a clear error, and nothing is sent", async () => {
  const state = dirname(path);
  await rename(state, `${state}-kept`);
  await writeFile(state, 'a file in place of the folder');
  const { exitCode, stderr } = await report();
  expect(exitCode).toBe(1);
  expect(stderr).toContain('[rules-broken]');
  expect(server.log).toEqual([]);
  await rm(state);
  await rename(`${state}-kept`, state);
  expect((await report()).exitCode).toBe(0);
  expect(server.model.list()).toHaveLength(3);
});

test.runIf(canRunUnprivileged()).each<[string, string, () => Promise<void>]>([
  [
    'a ledger without the right to read it',
    'ledger-unreadable',
    async () => {
      await chmod(dirname(path), 0o777);
      await chmod(path, 0);
    },
  ],
  [
    'a folder without the right to write in it',
    'ledger-unwritable',
    async () => {
      await chmod(path, 0o666);
      await chmod(dirname(path), 0o555);
    },
  ],
])('%s ends a report before it sends anything: %s', async (_, code, forbid) => {
  await chmod(folder.dir, 0o755);
  // Whatever this process's umask is.
  await chmod(historyPath, 0o666);
  await forbid();
  const run = await failUnprivileged(folder.dir, ['report', 'dist', ...flags(), '--yes'], token);
  await chmod(dirname(path), 0o755);
  await chmod(path, 0o644);
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining(`[${code}]`) });
  expect(server.log).toEqual([]);
  expect(await readFile(path, 'utf8')).toBe(good);
  expect(await readdir(dirname(path))).toHaveLength(2);
  expect((await report()).exitCode).toBe(0);
});
