import { afterEach, describe, expect, test } from 'vitest';
import { emulatorClient } from '../../assets/open-images.ts';
import {
  json as answerJson,
  type Respond,
  startScriptedService,
} from '../../service/scripted-service.ts';
import { startEmulatorLibrary } from '../../support/service/emulator-library.ts';
import { startLocalServer } from '../../support/service/local-server.ts';

const library = await startEmulatorLibrary();
const negative = await startEmulatorLibrary({ ids: 'negative' });

afterEach(async () => {
  await library.emulator.setSettings({ paging: 'none', fileListAnswer: 'bare', processes: 'all' });
  await library.emulator.clearFaults();
});

describe('folders', () => {
  test('are printed as a tree', async () => {
    const { exitCode, stdout, stderr } = await library.run('folders');
    expect(stdout).toBe('id  name\n 1  Library\n 2    boats\n 3      旅\n3 folders.\n');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  test('are data with --json', async () => {
    const { stdout } = await library.run('folders', '--json');
    expect(JSON.parse(stdout)).toEqual({
      version: 1,
      folders: [
        { id: 1, name: 'Library', parentId: null, depth: 0 },
        { id: 2, name: 'boats', parentId: 1, depth: 1 },
        { id: 3, name: '旅', parentId: 2, depth: 2 },
      ],
    });
  });
});

describe('files', () => {
  test('of a folder are a table', async () => {
    const { stdout } = await library.run('files', '2');
    expect(stdout).toMatch(
      /^ {2}id {2}name {3}kind +size {2}folder\n4711 {2}ferry {2}image\/jpeg +[\d.]+ kB {2}2\n/,
    );
    expect(stdout).toMatch(/\n2 files\.\n$/);
  });

  test('come page by page', async () => {
    await library.emulator.setSettings({ paging: 'next', pageSize: 1, fileListAnswer: 'wrapped' });
    const all = JSON.parse((await library.run('files', '2', '--json')).stdout);
    expect(all).toMatchObject({ version: 1 });
    expect(all.files.map(({ id }: { id: number }) => id)).toEqual([4711, 4712]);
    expect(all.files[1]).toEqual({
      ...{ id: 4712, name: 'quay', filename: 'quay.jpg', kind: 'image/jpeg', folder: 2 },
      ...{ size: expect.any(Number), width: null, height: null },
    });
  });

  test('are requested with standard fields if the service refuses unknown ones', async () => {
    await library.emulator.setFaults([
      { call: 'folder-files', kind: 'status', status: 400, body: 'json', effect: false, times: 1 },
    ]);
    const { exitCode, stdout } = await library.run('files', '2');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('4712  quay   jpg');
  });

  test('are also those that the service is still processing', async () => {
    await library.emulator.setSettings({ processes: 'none' });
    expect((await library.run('files', '2')).stdout).toMatch(/\n2 files\.\n$/);
  });

  test('of an empty folder are reported as none', async () => {
    expect((await library.run('files', '1')).stdout).toBe('Folder 1 has no files.\n');
  });
});

describe('search', () => {
  test('finds files in all folders, and shows the pixels that the record has', async () => {
    await emulatorClient(library.emulator).files.update(4711, { width: 2400, height: 1600 });
    expect((await library.run('search', 'ferry')).stdout).toMatch(/ {2}2400 × 1600 {2}2\n/);
    const { stdout } = await library.run('search', '港', '--json');
    expect(JSON.parse(stdout).files).toMatchObject([
      { id: 4713, filename: '港の夜明け.png', width: null, height: null, folder: 3 },
    ]);
  });

  test('says if nothing matches', async () => {
    const { exitCode, stdout } = await library.run('search', 'light\u001b[2Jhouse');
    const said = 'No file matches “light [2Jhouse”.\n';
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: said });
  });
});

describe('a record', () => {
  test('shows the fields that --fields names, and asks for them', async () => {
    const fields = async (...words: string[]) =>
      JSON.parse((await library.run('record', '4711', ...words, '--json')).stdout).fields;
    expect(await fields('--fields', 'filename, size')).toEqual({
      filename: 'ferry.jpg',
      size: expect.any(Number),
    });
    expect(await fields('--fields', 'id,keywords')).toEqual({ id: 4711, keywords: null });
    expect(Object.keys(await fields()).length).toBeGreaterThan(5);
    const { stdout } = await library.run('record', '4711', '--fields', 'filename');
    expect(stdout).toBe('filename  ferry.jpg\n');
    const bad = await library.run('record', '4711', '--fields', ',');
    expect(bad).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--fields') });
  });

  test('shows the fields of an asset, with their own names', async () => {
    const fields = { alttext: 'Die Fähre', tags: ['boats'] };
    await emulatorClient(library.emulator).files.update(4711, fields);
    const { exitCode, stdout } = await library.run('record', '4711');
    expect(stdout).toMatch(/^id +4711\nname +ferry\nfilename +ferry.jpg\n/);
    expect(stdout).toMatch(/^alttext +Die Fähre$/m);
    expect(stdout).toMatch(/^tags +\["boats"\]$/m);
    expect(exitCode).toBe(0);
    const json = JSON.parse((await library.run('record', '4711', '--json')).stdout);
    expect(json).toMatchObject({
      version: 1,
      id: 4711,
      fields: { id: 4711, name: 'ferry', alttext: 'Die Fähre', tags: ['boats'] },
    });
  });
});

describe('usages', () => {
  const json =
    (status: number, value: unknown): Respond =>
    (response) =>
      answerJson(response, value, status);

  const report = (page: string, pageName: string) =>
    library.emulator.fetch('/1/files/multiple/usages', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ id: [4711], contact: 'Ada', date: '2026-11-01', amount: '1', description: '' },
        ...{ project: 'Museum', types: ['web'], removed: 'false', web: { page, pageName } },
      }),
    });

  test('of an unused asset are reported as none', async () => {
    const { stdout } = await library.run('usages', '4712');
    expect(stdout).toBe('The service lists no usages of asset 4712.\n');
  });

  test('are a table', async () => {
    await report('https://harbour.example/', 'Harbour');
    await report('https://museum.example/boats/?a=1', 'Boats');
    const { stdout } = await library.run('usages', '4711');
    expect(
      stdout,
    ).toBe(`page name  page                               project  contact  date        amount  types
Harbour    https://harbour.example/           Museum   Ada      2026-11-01  1       WEB
Boats      https://museum.example/boats/?a=1  Museum   Ada      2026-11-01  1       WEB
2 usages.
`);
    const { usages } = JSON.parse((await library.run('usages', '4711', '--json')).stdout);
    expect(usages).toContainEqual({
      ...{ page: 'https://harbour.example/', pageName: 'Harbour', project: 'Museum' },
      ...{ contact: 'Ada', description: null, date: '2026-11-01', amount: '1', types: ['WEB'] },
    });
  });

  test.for([
    ['an empty list', json(200, [])],
    ['403', json(403, {})],
    ['404', json(404, {})],
    ['410', json(410, {})],
  ] as const)(
    'of an unknown asset, for which the service has %s, are an error',
    async ([, list]) => {
      const { url } = await startScriptedService({
        respond: (...call) => (call[1].url.includes('/usage') ? list : json(404, {}))(...call),
      });
      const environment = { ...library.emulator.env, MEDIA_ASSET_BASE_URL: url };
      const accounts = { MEDIA_ASSET_ACCOUNTS_URL: url };
      const { stderr, exitCode } = await library.folder.command(['usages', '999'], {
        ...environment,
        ...accounts,
      });
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('There is no asset 999.')]);
    },
  );

  test('tell an unsupported list from a missing asset', async () => {
    await library.emulator.setFaults([
      { call: 'usage-list', kind: 'status', status: 404, body: 'json', effect: false },
    ]);
    const { exitCode, stderr } = await library.run('usages', '4711');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('[usages-not-listed]');
  });
});

describe('a missing folder or asset exits with 1', () => {
  test.each([
    [['files', '99'], 'There is no folder 99.'],
    [['usages', '99'], 'There is no asset 99.'],
    [['record', '99'], 'There is no asset 99.'],
  ])('%s', async (words, text) => {
    const { exitCode, stdout, stderr } = await library.run(...words);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain(text);
    expect(stderr).toContain('[library-unknown]');
  });
});

describe('wrong usage exits with 2 before anything is sent', () => {
  test.each([
    [['files', 'boats'], "boats isn't a folder ID."],
    [['files', '9'.repeat(300)], "999… isn't a folder ID."],
    [['usages', '0'], "0 isn't an asset ID."],
    [['usages', '\u001b[31m'], '\\u001b[31m'],
    [['folders', '--service', 'dam'], '--service dam'],
  ])('%s', async (words, text) => {
    library.emulator.clearLog();
    const { exitCode, stdout, stderr } = await library.run(...words);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(text);
    expect(stderr).not.toContain('\u001b');
    expect(library.emulator.log()).toEqual([]);
  });
});

test('unreadable records are named on stderr, and the others are shown', async () => {
  const answer = JSON.stringify([{ id: 4711, name: 'quay' }, { id: 'odd' }]);
  const server = await startLocalServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(answer);
  });
  const environment = { MEDIA_ASSET_BASE_URL: server.url, MEDIA_ASSET_ACCESS_TOKEN: 'token' };
  for (const words of [['folders'], ['search', 'quay', '--json']]) {
    const { exitCode, stdout, stderr } = await library.folder.command(words, environment);
    expect(exitCode, stderr).toBe(0);
    expect(stdout).toContain('quay');
    expect(stderr).toMatch(/Skipped 1 record of the .*\n?.*\[records-skipped\]/);
  }
  await server.close();
});

test('negative IDs are normal arguments', async () => {
  const { stdout } = await negative.run('folders');
  expect(stdout).toContain('-1  Library\n-2    boats\n');
  expect((await negative.run('files', '-2')).stdout).toMatch(/^-4711 {2}ferry /m);
  expect((await negative.run('usages', '-4711')).exitCode).toBe(0);
  expect((await fetch(`${negative.emulator.url}/asset/-4711`)).status).toBe(200);
  expect((await fetch(`${negative.emulator.url}/asset/-4711/original`)).status).toBe(200);
  const preview = await fetch(`${negative.emulator.url}/preview/-4711/600.webp`);
  expect(preview.headers.get('content-type')).toBe('image/webp');
});
