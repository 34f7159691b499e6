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
    [['scan'], 2, 'command-usage', "Missing required argument 'folder'."],
    [['scan', 'dist', '--jsno'], 2, 'command-usage', "'--jsno'. Did you mean --json?"],
    [['report', 'dist', ...site], 2, 'command-usage', 'No terminal to confirm in'],
    [['scan', 'dist'], 2, 'rules-missing', 'The site URL is unknown'],
    [['folders'], 1, 'rules-broken', "couldn't be read", 'broken'],
  ])('media-asset %j', async (words, exitCode, code, problem, place = '') => {
    const plain = await run(words, folder.path(place));
    expect(plain).toMatchObject({ exitCode, stdout: '' });
    const { stdout, stderr, ...json } = await run([...words, '--json'], folder.path(place));
    expect({ exitCode: json.exitCode, stderr }).toEqual({ exitCode, stderr: plain.stderr });
    const { version, error } = JSON.parse(stdout);
    const message = expect.stringContaining(problem);
    expect({ version, error }).toMatchObject({ version: 1, error: { code, message } });
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
  const missing = finding('notice', 'ledger-missing', {});

  test('has the page, the place, the asset and the details of a finding', () => {
    const { printed, json } = watched();
    const place = { file: 'src/pages/quay.astro', line: 3, column: 1 };
    const details = { id: 4711, page: '/quay/', place, address: 'media:4711' };
    json.terminal.onFindings?.([finding('error', 'media-address-unread', details)]);
    json.end({ exitCode: 1, error: mediaAssetError('alt-missing', details) });
    const subject = { page: '/quay/', place, asset: 4711 };
    const found = { ...subject, details: { address: 'media:4711' } };
    expect(printed).toMatchObject([{ findings: [found], error: subject }]);
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
          details: { path: 'ledger.json' },
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
