import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startAnsweringServer } from '../support/answering-server.ts';
import { type BuiltFolder, commandEntry, createBuiltFolder } from '../support/built-folder.ts';
import { type Library, startLibrary } from '../support/library.ts';

let library: Library;
let folder: BuiltFolder;
let number = 0;
/** Names of their own for each test: the service lives on. */
let names: [string, string, string];

beforeAll(async () => {
  library = await startLibrary();
});

beforeEach(async () => {
  folder = await createBuiltFolder();
  number += 1;
  names = [`a${number}.bin`, `b${number}.bin`, `c${number}.bin`];
  for (const name of names) await folder.write(name, `${name} `.repeat(40_000));
  library.emulator.clearLog();
});

afterEach(async () => {
  await library.emulator.clearFaults();
  await folder.delete();
});

afterAll(() => library.close());

const upload = (...words: string[]) =>
  folder.command(['upload', ...words, '--folder', '1'], library.emulator.env);

/** The names and ids of the records that there are of this test's files, with or without content. */
async function records(): Promise<string[]> {
  const answer = await library.emulator.fetch('/1/folder/1/files?fields=all&type=any');
  const files = (await answer.json()) as { id: number; filename: string; processed: boolean }[];
  return files
    .filter(({ filename }) => new RegExp(`^[abc]${number}\\b`).test(filename))
    .map(({ filename, processed }) => (processed ? filename : `${filename} without content`))
    .sort();
}

const contentOf = async (id: number) =>
  Buffer.from(await (await library.emulator.fetch(`/1/file/${id}/download/0`)).arrayBuffer());

const kept = () => readdir(folder.path('.media-asset/uploads')).catch(() => []);

/** Lets the content of the second file fail, for good. */
const failSecond = () =>
  library.emulator.setFaults([
    { call: 'upload', kind: 'status', status: 403, body: 'json', effect: false, skip: 1, times: 1 },
  ]);

describe('upload', () => {
  test('puts files with their bytes into the folder, and keeps nothing here', async () => {
    const { exitCode, stdout, stderr } = await upload(...names, '--json');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ version: 1, folder: 1, unsent: [] });
    expect(result.uploaded[1]).toEqual({
      file: names[1],
      id: expect.any(Number),
      bytes: (await stat(folder.path(names[1]))).size,
      before: false,
    });
    expect(await contentOf(result.uploaded[1].id)).toEqual(await readFile(folder.path(names[1])));
    expect(await records()).toEqual(names);
    expect(await kept()).toEqual([]);
  });

  test('takes an empty file', async () => {
    await writeFile(folder.path(names[0]), '');
    expect((await upload(names[0])).stdout).toMatch(/asset \d+ {2}0 bytes\n1 file uploaded\.\n$/);
  });
});

describe('an upload whose second step fails', () => {
  test('says what exists, keeps the rest, and ends with 4', async () => {
    await failSecond();
    const { exitCode, stdout, stderr, output } = await upload(...names);
    expect(exitCode).toBe(4);
    expect(stdout).toMatch(/^a\d+\.bin {2}asset \d+ .*\n1 file uploaded, 2 not\.\n$/);
    expect(stderr).toContain('[upload-incomplete]');
    expect(stderr).toMatch(/asset \d+ exists in the service, without its content/);
    expect(stderr).toContain('--resume');
    expect(output).not.toMatch(/\/1\/upload\/|signature=/);
    expect(await records()).toEqual([names[0], `${names[1]} without content`]);
    const modes = await Promise.all(
      (await kept()).map(
        async (name) => (await stat(folder.path(`.media-asset/uploads/${name}`))).mode & 0o777,
      ),
    );
    if (process.platform !== 'win32') expect(modes).toEqual([0o600, 0o600]);
  });

  test('goes on with --resume, without a second record of any file', async () => {
    await failSecond();
    const failed = await upload(...names, '--json');
    expect(JSON.parse(failed.stdout)).toMatchObject({
      uploaded: [{ file: names[0] }],
      unsent: names.slice(1),
      error: { code: 'upload-incomplete', status: 403 },
    });
    expect(failed.output).not.toMatch(/\/1\/upload\/|signature=/);
    const { exitCode, stdout } = await upload(...names, '--resume', '--json');
    expect(exitCode).toBe(0);
    const { uploaded } = JSON.parse(stdout);
    expect(uploaded.map(({ before }: { before: boolean }) => before)).toEqual([true, false, false]);
    expect(await contentOf(uploaded[1].id)).toEqual(await readFile(folder.path(names[1])));
    expect(await records()).toEqual(names);
    expect(await kept()).toEqual([]);
  });

  test('makes no second record by chance, and is resumable still', async () => {
    await failSecond();
    await upload(...names);
    const { exitCode, stderr } = await upload(...names);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('[upload-pending]');
    expect((await upload(...names, '--resume')).exitCode).toBe(0);
    expect(await records()).toEqual(names);
  });

  test('makes one with --anew', async () => {
    await failSecond();
    await upload(...names);
    expect((await upload(names[1], '--anew')).exitCode).toBe(0);
    expect(await records()).toHaveLength(3);
    expect((await kept()).length).toBe(1);
  });

  test('is not resumed with another content', async () => {
    await failSecond();
    await upload(...names);
    await writeFile(folder.path(names[1]), 'other');
    const { exitCode, stderr } = await upload(...names, '--resume');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('[upload-source-changed]');
    expect(await records()).toEqual([names[0], `${names[1]} without content`]);
  });

  test('does not show the kept address where what is kept is damaged', async () => {
    await failSecond();
    await upload(...names);
    for (const name of await kept()) {
      await writeFile(
        folder.path(`.media-asset/uploads/${name}`),
        '{ "uploadUrl": "https://lantern',
      );
    }
    const { exitCode, output } = await upload(...names, '--resume');
    expect(exitCode).toBe(1);
    expect(output).toContain('[upload-state-unusable]');
    expect(output).not.toContain('lantern');
  });

  test('by a kill is kept too, since before its first byte', async () => {
    await library.emulator.setFaults([
      { call: 'upload', kind: 'endless', body: 'json', ms: 20, times: 1 },
    ]);
    const words = [commandEntry, 'upload', ...names.slice(0, 2), '--folder', '1'];
    const child = spawn(process.execPath, words, { cwd: folder.dir, env: library.emulator.env });
    const ended = once(child, 'close');
    await vi.waitFor(async () => expect((await library.emulator.faults())[0]?.hit).toBe(1), 20_000);
    child.kill('SIGKILL');
    await ended;
    const [made] = await records();
    expect(made).toBe(`${names[0]} without content`);
    const again = await upload(names[0], names[1]);
    expect(again).toMatchObject({ exitCode: 1, stdout: '' });
    expect(again.stderr).toMatch(/asset \d+ exists in the service.*\n.*\[upload-pending\]/);
    expect((await upload(names[0], names[1], '--resume')).exitCode).toBe(0);
    expect(await records()).toEqual([names[0], names[1]]);
    expect(await kept()).toEqual([]);
  });

  test('to a refused address is kept too', async () => {
    const body = '{ "id": 812, "uploadURL": "http://files.example/up?signature=s3cr3t" }';
    const answer = { type: 'application/json', body };
    const server = await startAnsweringServer(library.emulator.url, /^\/1\/file$/, answer);
    const words = ['upload', names[0], '--folder', '1', '--service', server.url];
    for (const more of [[], ['--resume']]) {
      const { exitCode, output, stderr } = await folder.command(
        [...words, ...more],
        library.emulator.env,
      );
      expect(exitCode).toBe(4);
      expect(stderr).toContain('[upload-url-refused]');
      expect(stderr).toContain('asset 812 exists in the service, without its content');
      expect(stderr).toContain('with --resume');
      expect(output).not.toContain('s3cr3t');
    }
    await server.close();
  });

  test.skipIf(process.platform === 'win32')('by Ctrl-C is kept too', async () => {
    await library.emulator.setFaults([
      { call: 'upload', kind: 'endless', body: 'json', ms: 20, times: 1 },
    ]);
    const words = [commandEntry, 'upload', names[0], '--folder', '1'];
    const child = spawn(process.execPath, words, { cwd: folder.dir, env: library.emulator.env });
    const ended = once(child, 'close');
    await vi.waitFor(async () => expect((await library.emulator.faults())[0]?.hit).toBe(1), 20_000);
    child.kill('SIGINT');
    expect(await ended).toEqual([4, null]);
    expect((await upload(names[0], '--resume')).exitCode).toBe(0);
    expect(await records()).toEqual([names[0]]);
  });
});

describe('nothing is sent', () => {
  test.each([
    [['nowhere.bin'], 1, 'there is no such file'],
    [['.'], 1, 'it is a folder'],
    [[''], 2, '<file> is empty'],
    [[], 2, "Missing required argument 'file'"],
    [['FIRST', 'nowhere.bin'], 1, 'there is no such file'],
    [['FIRST', './FIRST'], 2, 'is named twice'],
    [['FIRST', '--resume', '--anew'], 2, '--resume and --anew'],
  ])('of %s', async (words, code, text) => {
    const { exitCode, stderr } = await upload(
      ...words.map((word) => word.replace('FIRST', names[0])),
    );
    expect(exitCode).toBe(code);
    expect(stderr).toContain(text);
    expect(library.emulator.log()).toEqual([]);
  });

  test.each([[['--folder', 'boats']], [['--folder', '']], [[]]])('with %s', async (more) => {
    const words = ['upload', names[0], ...more];
    const { exitCode } = await folder.command(words, library.emulator.env);
    expect(exitCode).toBe(2);
    expect(library.emulator.log()).toEqual([]);
  });

  test('into a folder that the service has not', async () => {
    const words = ['upload', names[0], '--folder', '99'];
    const { exitCode, stderr } = await folder.command(words, library.emulator.env);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('There is no folder 99.');
    expect(await kept()).toEqual([]);
  });
});

test('an upload that the service forbids is an error, and the next one leaves out what is there', async () => {
  await library.emulator.setFaults([
    {
      call: 'file-create',
      kind: 'status',
      status: 403,
      body: 'json',
      effect: false,
      skip: 1,
      times: 1,
    },
  ]);
  const { exitCode, stderr } = await upload(...names);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('[request-forbidden]');
  expect((await upload(...names, '--resume')).exitCode).toBe(0);
  expect(await records()).toEqual(names);
});
