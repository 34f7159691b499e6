import picocolors from 'picocolors';
import { describe, expect, test } from 'vitest';
import { type Column, tableLines } from '../../../src/cli/terminal/table.ts';

interface Row {
  readonly id: number;
  readonly name: string;
}

const columns: readonly Column<Row>[] = [
  { title: 'id', value: ({ id }) => String(id), right: true },
  { title: 'name', value: ({ name }) => name },
];

const lines = (rows: readonly Row[]) =>
  tableLines(columns, rows, { paint: picocolors.createColors(false) });

describe('a table', () => {
  const rows = [
    { id: 4711, name: '港の夜明け' },
    { id: 5, name: 'Quay at dawn' },
  ];

  test('aligns numbers right, with columns as wide as needed', () => {
    expect(lines(rows)).toEqual(['  id  name', '4711  港の夜明け', '   5  Quay at dawn']);
  });

  test('leaves out empty columns', () => {
    expect(lines([{ id: 1, name: '' }])).toEqual(['id', ' 1']);
  });

  test('shows no character that moves the cursor or changes the direction', () => {
    const row = { id: 1, name: 'a\u001b[2Jb\nc\u202egpj.d\u2028e' };
    expect(lines([row])[1]).toBe(' 1  a [2Jb c gpj.d e');
  });
});
