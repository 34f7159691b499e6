import picocolors from 'picocolors';
import { describe, expect, onTestFinished, test } from 'vitest';
import { processTerminal } from '../../../src/cli/terminal/process-terminal.ts';
import { progressLine } from '../../../src/cli/terminal/progress-line.ts';
import { type Column, tableRows } from '../../../src/cli/terminal/table.ts';
import { errorText, noteFindings, type Terminal } from '../../../src/cli/terminal/terminal.ts';
import { mediaAssetError } from '../../../src/errors/errors.ts';

const plain = picocolors.createColors(false);

describe('colours', () => {
  test.each([
    [true, {}, true],
    [false, {}, false],
    [true, { TERM: 'dumb' }, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [false, { FORCE_COLOR: '1' }, true],
    [false, { FORCE_COLOR: '' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [true, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  ])('on a terminal %s with %o: %s', (isTTY, environment, expected) => {
    const { env, stdout, stderr } = process;
    const before = [stdout.isTTY, stderr.isTTY] as const;
    onTestFinished(() => {
      process.env = env;
      [stdout.isTTY, stderr.isTTY] = before;
    });
    process.env = environment;
    [stdout.isTTY, stderr.isTTY] = [isTTY, isTTY];
    const { paint, notePaint } = processTerminal();
    expect([paint, notePaint].map((one) => one.isColorSupported)).toEqual([expected, expected]);
  });
});

describe('the progress line', () => {
  function watched() {
    const drawn: string[] = [];
    const terminal = { redraw: (line: string) => void drawn.push(line) } as unknown as Terminal;
    return { drawn, show: progressLine('Scanning pages', terminal) };
  }

  test('is drawn once per percent', () => {
    const { drawn, show } = watched();
    for (let done = 1; done <= 5000; done += 1) show({ done, total: 5000 });
    expect(drawn).toHaveLength(101);
    expect(drawn[50]).toBe('Scanning pages  ██████████░░░░░░░░░░ 50 %  (5000)');
    expect(drawn.at(-1)).toContain('100 %');
  });

  test("is full if there's nothing to do", () => {
    const { drawn, show } = watched();
    show({ done: 0, total: 0 });
    expect(drawn[0]).toContain('100 %');
  });

  test.for([
    [true, 'function'],
    [false, 'undefined'],
  ] as const)('is drawn on a terminal, and not for a program: %s', ([isTTY, kind]) => {
    const before = process.stderr.isTTY;
    onTestFinished(() => {
      process.stderr.isTTY = before;
    });
    process.stderr.isTTY = isTTY;
    expect(typeof processTerminal().redraw).toBe(kind);
  });
});

describe('an error as text', () => {
  test('has its message, its hint with the code, the command for more, and its cause', () => {
    const cause = new Error('EACCES: permission denied');
    const error = mediaAssetError('ledger-unwritable', { path: 'ledger.json' }, { cause });
    expect(errorText(error, { notePaint: plain }).split('\n')).toEqual([
      "error The ledger ledger.json couldn't be written.",
      expect.stringMatching(/^ {2}Check the permissions .* \[ledger-unwritable\]$/),
      '  Read more: npx --no media-asset explain ledger-unwritable',
      '  Cause: EACCES: permission denied',
    ]);
  });

  test("doesn't repeat a cause that its message includes", () => {
    const cause = new Error('it ends too early');
    const details = { path: 'build.json', problem: cause.message };
    const error = mediaAssetError('rules-broken', details, { cause });
    expect(errorText(error, { notePaint: plain })).not.toContain('Cause');
  });
});

test('a finding made from an error has its code once, and no link', () => {
  const { code, message, hint } = mediaAssetError('ledger-unwritable', { path: 'ledger.json' });
  const notes: string[] = [];
  const terminal = { note: (text: string) => void notes.push(text), notePaint: plain };
  for (const one of [hint, hint.replace(/ \[.*/s, '')]) {
    const found = { code, message, hint: one, severity: 'warning' } as const;
    noteFindings([found], { ...terminal, annotate: undefined });
  }
  expect(notes[0]).toBe(notes[1]);
  expect(notes[0]?.split(`[${code}]`)).toHaveLength(2);
  expect(notes[0]).not.toContain('explain');
});

describe('a table', () => {
  interface Row {
    readonly id: number;
    readonly name: string;
  }
  const columns: readonly Column<Row>[] = [
    { title: 'id', value: ({ id }) => String(id), right: true },
    { title: 'name', value: ({ name }) => name },
    { title: 'same', value: ({ name }) => name },
  ];
  const lines = (rows: readonly Row[], width?: number) =>
    tableRows(columns, rows, { paint: plain, width });

  test('aligns numbers right, with columns as wide as needed', () => {
    const rows = [
      { id: 4711, name: '港の' },
      { id: 5, name: 'Quay' },
    ];
    expect(lines(rows)).toEqual(['  id  name  same', '4711  港の  港の', '   5  Quay  Quay']);
  });

  test.each<[width: number | undefined, name: string, row: string]>([
    [undefined, 'The quay at dawn', '4711  The quay at dawn  The quay at dawn'],
    [40, 'The quay at dawn', '4711  The quay at dawn  The quay at dawn'],
    [30, 'The quay at dawn', '4711  The quay at  The quay at\n      dawn         dawn'],
    [16, 'a b c d e', '4711  a b   a b\n      c d   c d\n      e     e'],
    [
      20,
      'https://a.example/b/c d',
      '4711  https://a.example/b/c  https://a.example/b/c\n      d                      d',
    ],
    [22, '港の 船の 灯台', '4711  港の     港の\n      船の     船の\n      灯台     灯台'],
  ])('in %s columns wraps at words: %s', (width, name, row) => {
    expect(lines([{ id: 4711, name }], width)[1]).toBe(row);
  });

  test('leaves out empty columns', () => {
    expect(lines([{ id: 1, name: '' }])).toEqual(['id', ' 1']);
  });

  test('shows no character that moves the cursor or changes the direction', () => {
    const row = { id: 1, name: 'a\u001b[2Jb\nc\u202egpj.d\u2028e' };
    expect(lines([row])[1]).toMatch(/^ 1 {2}a \[2Jb c gpj\.d e {2}a/);
  });
});
