import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { childEnvironment } from '../../support/process/compile-cache.ts';
import { startEmulatorLibrary } from '../../support/service/emulator-library.ts';
import { commandEntry } from '../../support/site/built-folder.ts';
import { useBuiltFolder } from '../../support/site/use-built-folder.ts';

const library = await startEmulatorLibrary();
const unbuilt = await startEmulatorLibrary({
  ...{ downloads: 'json', tokenEncoding: 'query' },
  uploadNames: 'title,bytes,parent',
});
const folder = useBuiltFolder();
let number = 0;
/** Unique names per test, because the tests share a service. */
let names: [string, string, string];

beforeEach(async () => {
  number += 1;
  names = [`a${number}.bin`, `b${number}.bin`, `c${number}.bin`];
  for (const name of names) await folder.write(name, `${name} `.repeat(40_000));
  library.emulator.clearLog();
});

afterEach(() => library.emulator.clearFaults());

const upload = (...words: string[]) =>
  folder.command(['upload', ...words, '--folder', '1'], library.emulator.env);

/** The names and IDs of this test's records, with or without content. */
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

test("upload and download work before the first build, with the environment's settings", async () => {
  const environment = {
    ...unbuilt.emulator.env,
    MEDIA_ASSET_DOWNLOADS: 'url',
    MEDIA_ASSET_TOKEN_ENCODING: 'query',
    MEDIA_ASSET_UPLOAD_FIELDS: 'title,bytes,parent',
  };
  const [name] = names;
  const words = ['upload', name, '--folder', '1', '--json'];
  const { exitCode, stdout } = await folder.command(words, environment);
  expect(exitCode).toBe(0);
  const [{ id }] = JSON.parse(stdout).uploaded;
  await folder.command(['download', String(id), '-o', 'back.bin'], environment);
  expect(await readFile(folder.path('back.bin'))).toEqual(await readFile(folder.path(name)));
});

describe('upload', () => {
  test("uploads the files' bytes to the folder, and leaves nothing behind", async () => {
    const before = await readdir(folder.dir);
    const { exitCode, stdout, stderr } = await upload(...names, '--json');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ version: 1, folder: 1, unsent: [] });
    expect(result.uploaded[1]).toEqual({
      file: names[1],
      id: expect.any(Number),
      bytes: (await stat(folder.path(names[1]))).size,
    });
    expect(await contentOf(result.uploaded[1].id)).toEqual(await readFile(folder.path(names[1])));
    expect(await records()).toEqual(names);
    expect(await readdir(folder.dir)).toEqual(before);
  });

  test('sets texts of the record', async () => {
    const set = ['--set', 'credit=Ada = Berg', '--set', 'note='];
    const { stdout } = await upload(names[0], ...set, '--json');
    const [{ id }] = JSON.parse(stdout).uploaded;
    const record = await library.run('record', String(id), '--json');
    expect(JSON.parse(record.stdout).fields).toMatchObject({ credit: 'Ada = Berg', note: '' });
  });

  test('can be empty', async () => {
    await writeFile(folder.path(names[0]), '');
    expect((await upload(names[0])).stdout).toMatch(/asset \d+ {2}0 bytes\n1 file uploaded\.\n$/);
  });
});

describe('an upload whose second step fails', () => {
  /** Makes the second file's content fail permanently. */
  const failSecond = () =>
    library.emulator.setFaults([
      { call: 'upload', kind: 'status', status: 403, skip: 1, times: 1 },
    ]);

  test('names the remaining record and the uploaded files', async () => {
    await failSecond();
    const { exitCode, stdout, stderr, output } = await upload(...names);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^a\d+\.bin {2}asset \d+ .*\n1 file uploaded, 2 not\.\n$/);
    expect(stderr).toMatch(/b\d+\.bin wasn't uploaded completely: asset \d+ exists in the service/);
    expect(stderr).toContain('[upload-incomplete]');
    expect(output).not.toMatch(/\/1\/upload\/|signature=/);
    expect(await records()).toEqual([names[0], `${names[1]} without content`]);
  });

  test('prints both as JSON', async () => {
    await failSecond();
    const { exitCode, stdout, output } = await upload(...names, '--json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      uploaded: [{ file: names[0] }],
      unsent: names.slice(1),
      error: { code: 'upload-incomplete', status: 403 },
    });
    expect(output).not.toMatch(/\/1\/upload\/|signature=/);
  });

  test.skipIf(process.platform === 'win32')('names the record after Ctrl-C too', async () => {
    await library.emulator.setFaults([
      { call: 'upload', kind: 'endless', body: 'json', ms: 20, times: 1 },
    ]);
    const env = { ...childEnvironment, ...library.emulator.env };
    const words = [commandEntry, 'upload', names[0], '--folder', '1'];
    const child = spawn(process.execPath, words, { cwd: folder.dir, env });
    const stderr = text(child.stderr);
    const ended = once(child, 'close');
    await vi.waitFor(async () => expect((await library.emulator.faults())[0]?.hit).toBe(1), 20_000);
    child.kill('SIGINT');
    expect(await ended).toEqual([1, null]);
    expect(await stderr).toMatch(/asset \d+ exists in the service.*\[upload-incomplete\]/s);
  });
});

describe('nothing is sent', () => {
  test.each([
    [['nowhere.bin'], 1, "it doesn't exist"],
    [['.'], 1, "it's a folder"],
    [[], 2, "Missing required argument 'file'"],
    [['FIRST', 'nowhere.bin'], 1, "it doesn't exist"],
    [['FIRST', './FIRST'], 2, 'is named twice'],
  ])('of %s', async (words, code, problem) => {
    const { exitCode, stderr } = await upload(
      ...words.map((word) => word.replace('FIRST', names[0])),
    );
    expect(exitCode).toBe(code);
    expect(stderr).toContain(problem);
    expect(library.emulator.log()).toEqual([]);
  });

  test.each([
    [['--folder', 'boats'], 2, "boats isn't a folder ID."],
    [[], 2, '--folder'],
    [['--folder', '99'], 1, 'There is no folder 99.'],
    [['--folder', '1', '--set', 'credit'], 2, "credit isn't a pair. Write key=value"],
    [['--folder', '1', '--set', 'tags:=null'], 2, "tags:=null isn't a pair."],
    [['--folder', '1', '--set', 'credit =Ada'], 2, '"credit =Ada" isn\'t a pair.'],
    [['--folder', '1', '--set', 'a=1', '--set', 'a=2'], 2, 'The key a is given twice.'],
  ])('with %s', async (more, exitCode, problem) => {
    const run = await folder.command(['upload', names[0], ...more], library.emulator.env);
    expect(run).toMatchObject({ exitCode, stderr: expect.stringContaining(problem) });
    const sent = library.emulator.log().map(({ path }) => path);
    expect(sent.filter((path) => exitCode === 2 || path.startsWith('/1/upload'))).toEqual([]);
  });
});
