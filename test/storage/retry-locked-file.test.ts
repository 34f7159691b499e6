import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { expect, test } from 'vitest';
import { writeBuiltFile } from '../../src/astro/build/built-files.ts';
import { lockFile } from '../../src/storage/file-lock.ts';
import { pause } from '../../src/storage/pause.ts';
import { replaceFile } from '../../src/storage/replace-file.ts';
import { retryLockedFile } from '../../src/storage/retry-locked-file.ts';
import { fileStateStore } from '../../src/usage/ledger/open-state-store.ts';
import { cacheFolder as newFolder } from '../assets/open-images.ts';
import { failureOf } from '../service/scripted-service.ts';
import { lockFilesByProcess } from '../support/process/lock-files-by-process.ts';

const refused = (code: string) => Object.assign(new Error(`${code}: no`), { code });

/** Fails a number of times with an error. Returns the pauses in ms and the outcome. */
async function attempt(
  times: number,
  { error = refused('EPERM'), platform = 'win32' as NodeJS.Platform } = {},
) {
  const pauses: number[] = [];
  let left = times;
  const act = async () => {
    if (left > 0) {
      left -= 1;
      throw error;
    }
    return 'done';
  };
  const sleep = async (ms: number) => void pauses.push(ms);
  const outcome = await retryLockedFile(act, { platform, sleep }).catch((thrown) => thrown);
  return { outcome, pauses };
}

test.each([
  ['win32', 'EBUSY', true],
  ['win32', 'EPERM', true],
  ['win32', 'EACCES', true],
  ['win32', 'ENOENT', false],
  ['win32', 'ENOSPC', false],
  ['linux', 'EBUSY', true],
  ['linux', 'EPERM', false],
  ['linux', 'EACCES', false],
  ['darwin', 'EACCES', false],
] as const)('on %s, %s is retried: %s', async (platform, code, again) => {
  const error = refused(code);
  const { outcome } = await attempt(1, { error, platform });
  expect(outcome).toBe(again ? 'done' : error);
});

test('pauses double from 10 ms on and end within three seconds with the original error', async () => {
  const error = refused('EBUSY');
  const { outcome, pauses } = await attempt(Number.POSITIVE_INFINITY, { error });
  expect(outcome).toBe(error);
  expect(pauses).toEqual([10, ...pauses.map((ms) => 2 * ms).slice(0, -1)]);
  const total = pauses.reduce((sum, ms) => sum + ms, 0);
  expect(total).toBeGreaterThan(2000);
  expect(total).toBeLessThan(3000);
  expect((await attempt(Number.POSITIVE_INFINITY, { error })).pauses).toEqual([]);
});

test('a pause ends early, and without an error, if its signal fires', async () => {
  const ending = new AbortController();
  const paused = pause(60_000, ending.signal);
  ending.abort();
  await paused;
}, 10_000);

test('a briefly locked file is replaced, written and locked anyway', async () => {
  const folder = await newFolder();
  const path = join(folder, 'file');
  const found = lockFilesByProcess(2);
  await replaceFile(path, 'one');
  await replaceFile(path, 'two');
  await writeBuiltFile(join(folder, 'dist', 'a.jpg'), Buffer.from('bytes'));
  const wrong = () => new Error('The lock is not free.');
  const lock = await lockFile({
    path: join(folder, 'lock'),
    clock: Date.now,
    expiry: 60_000,
    busy: wrong,
    lost: wrong,
    unwritable: wrong,
  });
  await lock.renew();
  await lock.release();

  expect(found()).toBe(6);
  expect(await readFile(path, 'utf8')).toBe('two');
  expect(await readFile(join(folder, 'dist', 'a.jpg'), 'utf8')).toBe('bytes');
  expect((await readdir(folder)).sort()).toEqual(['dist', 'file']);
  expect(await readdir(join(folder, 'dist'))).toEqual(['a.jpg']);
});

test('a file that stays locked is an error that names it, and nothing changes', async () => {
  const folder = await newFolder();
  const path = join(folder, 'ledger.json');
  const store = fileStateStore({ path });
  const lock = await store.lock();
  await lock.write(['one'], undefined);
  const before = await store.read();
  lockFilesByProcess(Number.POSITIVE_INFINITY);
  const [ledger, output] = await Promise.all([
    failureOf(lock.write(['two'], before?.tag)),
    failureOf(writeBuiltFile(join(folder, 'a.jpg'), Buffer.from('x'))),
  ]);
  expect(ledger).toMatchObject({ code: 'ledger-unwritable', cause: { code: 'EBUSY' } });
  expect(output).toMatchObject({ code: 'file-unwritable', cause: { code: 'EBUSY' } });
  expect(output.message).toMatch(/a\.jpg .* reports EBUSY/);
  lockFilesByProcess(0);
  expect(await store.read()).toEqual(before);
  await expect(readFile(join(folder, 'a.jpg'))).rejects.toThrow('ENOENT');
  await lock.release();
});

test('an invalid output path is an error that names the file', async () => {
  const folder = await newFolder();
  await mkdir(join(folder, 'folder.jpg', 'full'), { recursive: true });
  await writeFile(join(folder, 'file'), '');
  for (const path of [join(folder, 'folder.jpg'), join(folder, 'file', 'a.jpg')]) {
    const error = await failureOf(writeBuiltFile(path, Buffer.from('x')));
    expect(error).toMatchObject({ code: 'file-unwritable', cause: expect.any(Error) });
    expect(error.message).toContain(path);
  }
  expect((await readdir(folder)).sort()).toEqual(['file', 'folder.jpg']);
});

test("an error in an output's content isn't reported as a write error", async () => {
  const path = join(await newFolder(), 'a.jpg');
  const broken = new Error('The picture is damaged.');
  async function* content(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('half');
    throw broken;
  }
  expect(await failureOf(writeBuiltFile(path, content()))).toBe(broken);
  expect(await readdir(join(path, '..'))).toEqual([]);
});

test('files are replaced and deleted only here, so that every place retries', async () => {
  const root = new URL('../../src/', import.meta.url);
  const sources = await fastGlob('**/*.ts', {
    cwd: root.pathname,
    ignore: ['emulator/**', 'storage/**'],
  });
  const own = /import \{[^}]*\b(rename|rm|unlink)(Sync)?\b[^}]*\} from 'node:fs(\/promises)?'/;
  const found = [];
  for (const file of sources) {
    if (own.test(await readFile(new URL(file, root), 'utf8'))) found.push(file);
  }
  // These use Node's own retries, or compare a file in the same retried call that replaces it.
  expect(found.sort()).toEqual([
    'assets/store/asset-facts.ts',
    'assets/store/asset-folder.ts',
    'astro/markdown/markdown.ts',
    'authoring/source/source-file.ts',
  ]);
});
