import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { type Column, createTable, cutTo } from '../../../src/cli/terminal/table.ts';

interface Row {
  readonly id: number;
  readonly name: string;
}

const columns: readonly Column<Row>[] = [
  { title: 'id', value: ({ id }) => String(id), right: true },
  { title: 'name', value: ({ name }) => name, cut: true },
];

describe('a shortened text', () => {
  test.each([
    ['quay at dawn', 6, 'quay …'],
    ['港の夜明け', 6, '港の…'],
    ['港の夜明け', 5, '港の…'],
    ['quay', 4, 'quay'],
    ['quay', 0, ''],
  ])('%s in %i columns is %s', (text, room, cut) => {
    expect(cutTo(text, room)).toBe(cut);
  });

  test('never takes more columns than available', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, room) => {
        expect(stringWidth(cutTo(text, room))).toBeLessThanOrEqual(room);
      }),
    );
  });
});

describe('a table', () => {
  const rows = [
    { id: 4711, name: '港の夜明け' },
    { id: 5, name: 'Quay' },
  ];

  test('aligns numbers right, with columns as wide as needed', () => {
    const table = createTable(columns, rows, undefined);
    expect([table.header, ...rows.map(table.line)]).toEqual([
      '  id  name',
      '4711  港の夜明け',
      '   5  Quay',
    ]);
  });

  test('is cut to a terminal, but not for a program', () => {
    expect(createTable(columns, rows, 14).line({ id: 4711, name: 'Quay at dawn' })).toBe(
      '4711  Quay at…',
    );
    const whole = createTable(columns, rows, undefined).line({ id: 4711, name: 'Quay at dawn' });
    expect(whole).toBe('4711  Quay at dawn');
  });

  test('leaves out empty columns', () => {
    const table = createTable(columns, [{ id: 1, name: '' }], 80);
    expect(table.header).toBe('id');
  });

  test('shows no character that moves the cursor or changes the direction', () => {
    const row = { id: 1, name: 'a\u001b[2Jb\nc\u202egpj.d\u2028e' };
    expect(createTable(columns, [row], undefined).line(row)).toBe(' 1  a [2Jb c gpj.d e');
  });

  test('stays within the terminal, with any names', () => {
    const anyRow = fc.record({ id: fc.nat(99_999), name: fc.string({ unit: 'grapheme' }) });
    fc.assert(
      fc.property(
        fc.array(anyRow, { minLength: 1 }),
        fc.integer({ min: 20, max: 120 }),
        (all, width) => {
          const { header, line } = createTable(columns, all, width);
          for (const text of [header, ...all.map(line)]) {
            expect(stringWidth(text)).toBeLessThanOrEqual(width);
          }
        },
      ),
    );
  });
});
