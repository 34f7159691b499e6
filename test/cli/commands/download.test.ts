import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mountSmallDisk } from '../../support/process/small-disk.ts';
import { startEmulatorLibrary } from '../../support/service/emulator-library.ts';
import { startLocalServer } from '../../support/service/local-server.ts';
import { useBuiltFolder } from '../../support/site/use-built-folder.ts';

const disk = mountSmallDisk();
const library = await startEmulatorLibrary();
const folder = useBuiltFolder();

afterEach(async () => {
  await library.emulator.clearFaults();
  disk?.empty();
});

afterAll(() => disk?.unmount());

const run = (...words: string[]) => folder.command(['download', ...words], library.emulator.env);
const original = () => readFile(`${library.emulator.mediaDir}/boats/quay.jpg`);

describe('a download', () => {
  test('has the name and the bytes of the service', async () => {
    const { exitCode, stdout, stderr } = await run('4713');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('港の夜明け.png');
    expect(await readdir(folder.dir)).toEqual(['港の夜明け.png']);
    const bytes = await readFile(folder.path('港の夜明け.png'));
    expect(bytes).toEqual(await readFile(`${library.emulator.mediaDir}/boats/旅/港の夜明け.png`));
  });

  test('is written to a given file', async () => {
    await mkdir(folder.path('kept'));
    await run('4712', '--output', 'kept/other.jpg');
    expect(await readdir(folder.path('kept'))).toEqual(['other.jpg']);
  });

  test('is described by --json', async () => {
    const { stdout } = await run('4712', '--json');
    const { length: bytes } = await original();
    const file = folder.path('quay.jpg');
    expect(JSON.parse(stdout)).toEqual({ version: 1, id: 4712, file, bytes });
  });
});

describe('an answer with status 200', () => {
  const png = 'image/png';
  const page = '<!doctype html><title>Maintenance</title>';
  test.each([
    ['an HTML page', 'text/html', page, 'answer-html'],
    ['an HTML page that calls itself an image', png, page, 'answer-html'],
    [
      'JSON that states a failure',
      'application/json',
      '{"error":"The licence has ended, Bearer lantern"}',
      'The licence has ended, Bearer [secret] [request-refused]',
    ],
    ['plain text', 'text/plain', 'Error: no such licence.', 'no such licence [request-refused]'],
    ['XML', 'application/xml', '<Error>No licence</Error>', 'No licence</Error> [request-refused]'],
    ['a text that calls itself JSON', 'application/json', 'Oops', 'Oops [request-refused]'],
  ])("is refused if it's %s", async (_, contentType, body, said) => {
    const { exitCode, stderr } = await downloadFrom({ contentType, body });
    expect(stderr.replace(/\.\n {2}.* \[/, ' [')).toContain(said);
    expect(exitCode).toBe(1);
    expect(await readdir(folder.dir)).toEqual([]);
  });

  const json = 'application/json';
  test.each([
    // It states no failure, has a file name, or is longer than a message.
    [json, '{"error":null,"places":[]}', undefined],
    [json, '{"error":"north"}', 'attachment; filename="compass.json"'],
    [json, `{"error":"north","more":"${'a'.repeat(70_000)}"}`, undefined],
    ['text/plain; charset=utf-8', 'Error: none', 'attachment; filename="notes.txt"'],
    ['text/plain', 'WEBVTT', undefined, 'Mon, 02 Mar 2026 08:00:00 GMT'],
    ['application/xml', '<Error/>', 'attachment; filename="tides.xml"'],
    ['text/csv', 'error,1\n', undefined],
    ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>', undefined],
    ['text/xml', '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>', undefined],
    ['text/plain', 'GIF89a\u0001\0\u0001\0', undefined],
    ['text/plain', 'Tides.\n'.repeat(10_000), undefined],
  ])(
    "is kept if it's %s with a file name or a date, of its own type, an image or longer than a message",
    async (contentType, body, disposition, lastModified = undefined) => {
      const answer = { contentType, body, disposition, lastModified };
      expect(await downloadFrom(answer)).toMatchObject({ exitCode: 0 });
      const [name = ''] = await readdir(folder.dir);
      expect(await readFile(folder.path(name), 'utf8')).toBe(body);
    },
  );

  async function downloadFrom(answer: {
    contentType: string;
    body: string;
    disposition?: string | undefined;
    lastModified?: string | undefined;
  }) {
    const server = await startLocalServer((_, response) => {
      const { contentType, body, disposition, lastModified } = answer;
      const headers = { 'content-type': contentType, 'content-length': Buffer.byteLength(body) };
      const named = disposition ? { 'content-disposition': disposition } : {};
      const dated = lastModified ? { 'last-modified': lastModified } : {};
      response.writeHead(200, { ...headers, ...named, ...dated }).end(body);
    });
    const environment = { MEDIA_ASSET_ACCESS_TOKEN: 'lantern', MEDIA_ASSET_BASE_URL: server.url };
    const found = await folder.command(['download', '4711'], environment);
    await server.close();
    return found;
  }
});

describe('an existing file', () => {
  beforeEach(() => folder.write('quay.jpg', 'mine'));

  test.each([[['4712']], [['4712', '-o', 'quay.jpg']]])('is kept by %s', async (words) => {
    const { exitCode, stderr } = await run(...words);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('it already exists');
    expect(await readFile(folder.path('quay.jpg'), 'utf8')).toBe('mine');
    expect(await readdir(folder.dir)).toEqual(['quay.jpg']);
  });

  test('is replaced with --force', async () => {
    expect((await run('4712', '--force')).exitCode).toBe(0);
    expect(await readFile(folder.path('quay.jpg'))).toEqual(await original());
  });

  test("isn't written through a link", async () => {
    await symlink(folder.path('quay.jpg'), folder.path('link.jpg'));
    expect((await run('4712', '-o', 'link.jpg', '--force')).exitCode).toBe(0);
    expect(await readFile(folder.path('quay.jpg'), 'utf8')).toBe('mine');
  });

  test.skipIf(process.platform === 'win32')(
    "is never replaced if it isn't a regular file",
    async () => {
      const { exitCode, stderr } = await run('4712', '-o', '/dev/null', '--force');
      expect(exitCode).toBe(1);
      expect(stderr).toContain("it isn't a regular file");
    },
  );
});

describe('a failed download leaves nothing behind', () => {
  test('after its connection ended early', async () => {
    await library.emulator.setFaults([{ call: 'original', kind: 'truncate' }]);
    const { exitCode, stderr } = await run('4712');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('[download-corrupt]');
    expect(await readdir(folder.dir)).toEqual([]);
  });

  test.each([
    [['99'], 'library-unknown'],
    [['4712', '-o', 'nowhere/quay.jpg'], 'file-unwritable'],
    [['4712', '-o', 'x'.repeat(300)], 'file-unwritable'],
  ])('with %s', async (words, code) => {
    const { exitCode, stderr } = await run(...words);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`[${code}]`);
    expect(await readdir(folder.dir)).toEqual([]);
  });

  test.each([
    ['nowhere/', 2, 'nowhere/ names a folder.'],
    ['kept', 1, "it's a folder"],
  ])('with the folder %s instead of a file', async (output, code, problem) => {
    await folder.write('kept/notes.txt', 'mine');
    const { exitCode, stderr } = await run('4712', '-o', output);
    expect({ exitCode, stderr }).toEqual({
      exitCode: code,
      stderr: expect.stringContaining(problem),
    });
    expect(await readdir(folder.path('kept'))).toEqual(['notes.txt']);
    expect(await readdir(folder.dir)).toEqual(['kept']);
  });

  test.skipIf(!disk)('on a full disk, and keeps other files', async () => {
    const at = disk?.folder ?? '';
    await writeFile(`${at}/mine`, 'mine');
    disk?.fill(8192);
    const { exitCode, stderr } = await run('4712', '-o', `${at}/quay.jpg`);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('the disk is full');
    expect((await readdir(at)).sort()).toEqual(['filler', 'mine']);
    expect(await readFile(`${at}/mine`, 'utf8')).toBe('mine');
  });

  test.skipIf(!disk)('on a read-only disk', async () => {
    disk?.setReadOnly(true);
    const { exitCode, stderr } = await run('4712', '-o', `${disk?.folder}/quay.jpg`);
    disk?.setReadOnly(false);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('its disk is read-only');
  });
});
