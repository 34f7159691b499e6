/** @module-tag slow */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readBuildRules, writeBuildRules } from '../../../src/usage/build-rules.ts';
import { mountSmallDisk, type SmallDisk } from '../../support/process/small-disk.ts';
import { builtRules, commandEntry } from '../../support/site/built-folder.ts';
import { flags, folder, report, server, token, useUsageProject } from './usage-project.ts';

useUsageProject();

const disk = mountSmallDisk();

beforeEach(async () => {
  for (let number = 0; number < 120; number += 1) {
    await folder.page(`dist/p${number}/index.html`, `Page ${number}`, 4711);
  }
});

afterEach(() => disk?.empty());
afterAll(() => disk?.unmount());

/** Removes one page and adds another: one removal and one report. */
async function editSite(): Promise<void> {
  await folder.remove('dist/p7');
  await folder.page('dist/new/index.html', 'New', 4712);
  server.log.length = 0;
}

/** The next run, with free space, sends the rest. */
async function expectCompletion(...words: string[]): Promise<void> {
  const { exitCode, output } = await report(...words);
  expect(exitCode, output).toBe(0);
  const listed = server.model.list();
  expect(listed).toHaveLength(120);
  expect(listed).toContain('https://harbour.example/new/ 4712 New');
  expect(listed.filter((usage) => usage.includes('/p7/'))).toEqual([]);
}

test.skipIf(process.platform === 'win32')(
  'with a quota of 4 KiB for files, a report sends nothing and keeps the ledger',
  { timeout: 60_000 },
  async () => {
    await report();
    await editSite();
    const state = folder.path('.media-asset');
    const names = await readdir(state);
    const ledger = names.find((name) => name.startsWith('ledger-')) ?? '';
    const before = await readFile(join(state, ledger));
    expect(before.length).toBeGreaterThan(9 * 1024);
    const words = ['report', 'dist', '--yes', ...flags()].map((word) => `'${word}'`).join(' ');
    // A write past the quota is cut short, and the next one is refused.
    const script = `ulimit -f 4; exec '${process.execPath}' '${commandEntry}' ${words}`;
    const env = { PATH: process.env.PATH, NO_COLOR: '1', ...token };
    const run = promisify(execFile)('bash', ['-c', script], { cwd: folder.dir, env });
    const stderr = expect.stringMatching(/\[ledger-unwritable\].*EFBIG/s);
    await expect(run).rejects.toMatchObject({ code: 1, stderr });
    expect(server.log).toEqual([]);
    expect(server.model.list()).toHaveLength(120);
    expect(await readdir(state)).toEqual(names);
    expect(await readFile(join(state, ledger))).toEqual(before);
    await expectCompletion();
  },
);

describe.skipIf(!disk)('with a disk', { timeout: 60_000 }, () => {
  const on = (file: string) => join(disk?.folder ?? '', file);

  test.each<[string, string, (disk: SmallDisk) => void]>([
    ['is full', 'ENOSPC', (disk) => disk.fill(0)],
    ['has only 8 KiB left', 'ENOSPC', (disk) => disk.fill(8 * 1024)],
    ['is read-only', 'EROFS', (disk) => disk.setReadOnly(true)],
  ])('that %s, a report sends nothing and keeps the ledger', async (name, cause, spoil) => {
    const ledger = on(`${name}.json`);
    await report('--state', ledger);
    await editSite();
    const before = await readFile(ledger);
    spoil(disk as SmallDisk);
    const { exitCode, stderr } = await report('--state', ledger);
    disk?.setReadOnly(false);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('[ledger-unwritable]');
    expect(stderr).toContain(cause);
    expect(server.log).toEqual([]);
    expect(await readFile(ledger)).toEqual(before);
    const left = await readdir(disk?.folder ?? '');
    expect(left.filter((file) => /tmp|lock/.test(file))).toEqual([]);
    disk?.empty();
    await expectCompletion('--state', ledger);
  });

  test("that is full, Markdown isn't truncated, and sent requests are recorded", async () => {
    disk?.fill(0);
    const { exitCode, stderr } = await report('--markdown', on('usages.md'));
    expect(exitCode).toBe(1);
    expect(stderr).toContain('[file-unwritable]');
    expect((await readdir(disk?.folder ?? '')).filter((name) => name.includes('usages'))).toEqual(
      [],
    );
    await editSite();
    await expectCompletion();
    expect(server.log).toHaveLength(2);
  });

  test("that is full, the last build's rules stay intact", async () => {
    await writeBuildRules(on('build.json'), builtRules);
    disk?.fill(4096);
    const long = { ...builtRules, description: 'x'.repeat(20_000) };
    await expect(writeBuildRules(on('build.json'), long)).rejects.toThrow(
      expect.objectContaining({ code: 'file-unwritable' }),
    );
    expect(await readBuildRules(on('build.json'))).toEqual(builtRules);
  });
});
