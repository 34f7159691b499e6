import { describe, expect, test } from 'vitest';
import { type ListedFacts, listFileFacts } from '../../src/service/list-file-facts.ts';
import { serviceError } from '../../src/service/service-error.ts';
import type { FileRecord } from '../../src/service/types.ts';

const boat = { id: 4711, name: 'Boat', filename: 'boat.JPEG' };

/** Lists files of a service that has these further fields, or refuses to list them. */
async function list(further: object, refusal?: { status: number; after: number }) {
  const asked: number[] = [];
  async function* ask(fields: readonly string[]): AsyncGenerator<FileRecord> {
    asked.push(fields.length);
    const isRefused = refusal && fields.includes('width');
    for (let sent = 0; sent < (isRefused ? refusal.after : 1); sent += 1)
      yield { ...boat, fields: { ...further } };
    if (!isRefused) return;
    const details = { call: 'the files', id: undefined, status: refusal.status, answer: 'no' };
    const state = { status: refusal.status, effect: 'none' } as const;
    throw serviceError('request-refused', details, state);
  }
  const files: ListedFacts[] = [];
  for await (const file of listFileFacts(ask, 12)) files.push(file);
  return { files, asked };
}

describe('the facts of a file are', () => {
  test.each<[fields: object, facts: object]>([
    [{}, { kind: 'jpeg', size: undefined, width: undefined, folder: 12 }],
    [{ type: 'image/jpeg' }, { kind: 'image/jpeg' }],
    [
      { size: '1200', width: 40, height: 0 },
      { size: 1200, width: 40, height: 0 },
    ],
    [
      { size: -1, width: '-40', height: 1.5 },
      { size: undefined, width: undefined, height: undefined },
    ],
  ])('from %j: %j', async (fields, facts) => {
    const { files } = await list(fields);
    expect(files).toMatchObject([{ ...boat, ...facts }]);
  });
});

test.each([400, 422])(
  'a service that refuses fields with %i is asked again without them',
  async (status) => {
    const { files, asked } = await list({}, { status, after: 0 });
    expect(files).toMatchObject([{ id: 4711, kind: 'jpeg', folder: 12 }]);
    expect(asked).toHaveLength(2);
  },
);

test.each([
  ['another refusal', { status: 403, after: 0 }],
  ['a refusal after the first file', { status: 400, after: 1 }],
])('%s ends the list', async (_, refusal) => {
  await expect(list({}, refusal)).rejects.toMatchObject({ status: refusal.status });
});
