import picocolors from 'picocolors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jsonOutput } from '../../../src/cli/terminal/json-output.ts';
import { noteFindings, type Terminal } from '../../../src/cli/terminal/terminal.ts';
import { finding, mediaAssetError } from '../../../src/errors/errors.ts';
import { runInterrupted } from '../../support/process/run-command.ts';
import { type BuiltFolder, createBuiltFolder } from '../../support/site/built-folder.ts';

const site = ['--site', 'https://harbour.example'];

let folder: BuiltFolder;

beforeAll(async () => {
  folder = await createBuiltFolder();
  await folder.page('dist/index.html', 'Harbour', 4711, 'old');
  await folder.write('broken/.media-asset/build.json', '{');
});

afterAll(() => folder.delete());

const run = (words: readonly string[], directory = folder.dir) =>
  runInterrupted(words, { directory });

describe('with --json, an error is one JSON object, and everything else stays the same', () => {
  test.each([
    [['scan'], "Missing required argument 'folder'."],
    [['scan', 'dist', '--jsno'], "Unknown option '--jsno'. Did you mean --json?"],
    [['report', 'dist', ...site], 'No terminal to confirm in'],
  ])('wrong usage: media-asset %j', async (words, problem) => {
    const plain = await run(words);
    const { exitCode, stdout, stderr } = await run([...words, '--json']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: plain.stderr });
    expect(plain).toMatchObject({ exitCode: 2, stdout: '' });
    expect(JSON.parse(stdout)).toEqual({
      version: 1,
      error: {
        code: 'command-usage',
        message: expect.stringContaining(problem),
        hint: 'Run `media-asset --help`.',
      },
    });
  });

  test.each([
    ['rules-missing', ['scan', 'dist'], 2],
    ['file-unwritable', ['download', '4711', '-o', 'nowhere/'], 1],
    ['rules-broken', ['fetch'], 1, 'broken'],
  ])('%s: media-asset %j', async (code, words, status, place = '') => {
    const plain = await run(words, folder.path(place));
    const { exitCode, stdout, stderr } = await run([...words, '--json'], folder.path(place));
    expect({ exitCode, stderr }).toEqual({ exitCode: status, stderr: plain.stderr });
    expect(plain.stdout).toBe('');
    const { version, error } = JSON.parse(stdout);
    expect({ version, code: error.code }).toEqual({ version: 1, code });
    expect(stderr).toContain(error.message);
    expect(stderr).toContain(`${error.hint} [${code}]`);
  });

  test('--json after -- has no effect', async () => {
    expect(await run(['scan', 'dist', '--', '--json'])).toMatchObject({ exitCode: 2, stdout: '' });
  });
});

describe('the JSON object', () => {
  function watched() {
    const printed: unknown[] = [];
    const paint = picocolors.createColors(false);
    const terminal = {
      out: (text: string) => void printed.push(JSON.parse(text)),
      note: () => {},
      notePaint: paint,
      environment: {},
    } as Partial<Terminal> as Terminal;
    return { printed, json: jsonOutput(terminal) };
  }
  const missing = finding('notice', 'ledger-missing', { others: [] });

  test('has the page, the place and the asset of a finding', () => {
    const { printed, json } = watched();
    const place = { file: 'src/pages/quay.astro', line: 3, column: 1 };
    const details = { id: 4711, page: '/quay/', place, address: 'media:4711' };
    const found = finding('error', 'media-address-unread', details);
    json.terminal.onFindings?.([found]);
    json.end({
      exitCode: 1,
      error: mediaAssetError('alt-missing', { id: 4711, page: '/quay/', place }),
    });
    expect(printed).toMatchObject([
      {
        findings: [{ code: found.code, page: '/quay/', place, asset: 4711 }],
        error: { code: 'alt-missing', page: '/quay/', place, asset: 4711 },
      },
    ]);
  });

  test.each([0, 4] as const)(
    'is the result with its findings, also with exit code %s',
    (exitCode) => {
      const { printed, json } = watched();
      noteFindings([missing], json.terminal);
      json.terminal.print({ unsent: 2 }, () => '');
      json.end({ exitCode });
      expect(printed).toEqual([{ version: 1, unsent: 2, findings: [missing] }]);
    },
  );

  test("keeps the result's own findings", () => {
    const { printed, json } = watched();
    noteFindings([missing], json.terminal);
    json.terminal.print({ findings: [] }, () => '');
    json.end({ exitCode: 4 });
    expect(printed).toEqual([{ version: 1, findings: [] }]);
  });

  test('is the result with a later error', () => {
    const { printed, json } = watched();
    json.terminal.print({ requests: [] }, () => '');
    const cause = new Error('the disk is full');
    const details = { path: 'ledger.json' };
    json.end({ exitCode: 1, error: mediaAssetError('ledger-unwritable', details, { cause }) });
    expect(printed).toEqual([
      {
        version: 1,
        requests: [],
        error: {
          code: 'ledger-unwritable',
          message: "The ledger ledger.json couldn't be written.",
          hint: expect.not.stringContaining('[ledger-unwritable]'),
          cause: 'the disk is full',
        },
      },
    ]);
  });

  test('says so if Ctrl-C ended the command without a result', () => {
    const { printed, json } = watched();
    json.end({ exitCode: 130 });
    expect(printed).toMatchObject([{ version: 1, error: { code: 'call-ended' } }]);
  });

  test("doesn't handle Ctrl-C before the command does", () => {
    let reads = 0;
    const terminal = {
      get signal() {
        reads += 1;
        return AbortSignal.abort();
      },
    } as Terminal;
    const json = jsonOutput(terminal);
    expect(reads).toBe(0);
    expect(json.terminal.signal.aborted).toBe(true);
  });
});
