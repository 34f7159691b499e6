import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isMediaAssetError } from '../../src/errors/errors.ts';
import { createRecordReader } from '../../src/service/read-records.ts';
import { serviceError } from '../../src/service/service-error.ts';
import type { FileRecord, Folder, MediaService } from '../../src/service/types.ts';

/** How a call answers a field: without any value, or with every value, and with an empty one as said. */
const forms = ['never', 'null', 'omits empty', 'null if empty'] as const;
type Form = (typeof forms)[number];

interface Model {
  /** The assets' true values, by folder; `null` is an empty one. */
  readonly folders: readonly (readonly (string | null)[])[];
  readonly lists: Form;
  readonly own: Form;
  /** The asset's own record: `404` if the service has no such call. */
  readonly call: 'offered' | 404 | 405;
  /** Assets whose value lists leave out, by position. */
  readonly unlisted?: readonly number[];
  /** Assets for which lists have another value, by position. */
  readonly stale?: readonly number[];
  /** Assets whose own record is refused, by position. */
  readonly refused?: readonly number[];
  readonly outage?: number;
  /** How the service writes the field's name. */
  readonly name?: string;
}

const field = 'licenceTo';

/** A service as the reader sees it, and how often each of its calls was made. */
function startModel(model: Model) {
  const values = model.folders.flat();
  const calls = { own: 0, lists: 0, most: 0 };
  let open = 0;
  const answer = (id: number, form: Form): FileRecord => {
    const value = values[id - 1] ?? null;
    const has = form === 'null' || form === 'null if empty' || (form !== 'never' && value !== null);
    const given = form === 'null' ? null : value;
    const fields = { id, ...(has && { [model.name ?? field]: given }) };
    return { id, name: undefined, filename: undefined, fields };
  };
  const refuse = (status: number) =>
    serviceError(
      'request-refused',
      { call: 'the record', status, answer: '' },
      { status, effect: 'none', isOwnRefusal: true },
    );
  const service: Pick<MediaService, 'files' | 'folders'> = {
    folders: {
      tree: async () => model.folders.map((_, id) => ({ id: id + 1 }) as Folder),
      async *files(folder: number) {
        calls.lists += 1;
        const before = model.folders.slice(0, folder - 1).flat().length;
        for (const [index] of (model.folders[folder - 1] ?? []).entries()) {
          const at = before + index;
          const entry = answer(at + 1, model.unlisted?.includes(at) ? 'never' : model.lists);
          yield model.stale?.includes(at) ? { ...entry, fields: { [field]: '2126-01-31' } } : entry;
        }
      },
    },
    files: {
      async record(id: number) {
        calls.own += 1;
        const turn = calls.own;
        open += 1;
        calls.most = Math.max(calls.most, open);
        await Promise.resolve();
        open -= 1;
        if (turn === model.outage)
          throw serviceError(
            'service-unreachable',
            { call: 'the record', reason: 'no answer' },
            {
              effect: 'none',
            },
          );
        if (model.call !== 'offered') throw refuse(model.call);
        if (model.refused?.includes(id - 1)) throw refuse(403);
        return answer(id, model.own);
      },
    } as MediaService['files'],
  };
  return { service, calls, values };
}

async function read(model: Model, optional: string[] = [], asked: string = field) {
  const { service, calls, values } = startModel(model);
  const folders = new Map(
    model.folders.flatMap((members, folder) => {
      const before = model.folders.slice(0, folder).flat().length;
      return members.map((_, index): [number, number] => [before + index + 1, folder + 1]);
    }),
  );
  const reader = createRecordReader(service, {
    fields: [asked],
    decisive: { fields: [asked], optional },
    folders,
  });
  const found = await reader.read(values.map((_, index) => index + 1));
  const known = values.map((_, index) => {
    const record = found.get(index + 1)?.record;
    return !record || record.lacking.length > 0 ? 'unknown' : (record.fields[asked] ?? null);
  });
  return { known, calls, values };
}

const day = '2020-01-31';
const models = fc.record({
  folders: fc.array(fc.array(fc.constantFrom(day, null), { minLength: 1, maxLength: 12 }), {
    minLength: 1,
    maxLength: 4,
  }),
  lists: fc.constantFrom(...forms),
  own: fc.constantFrom<Form>('never', 'omits empty', 'null if empty'),
  call: fc.constantFrom<Model['call']>('offered', 404, 405),
  refused: fc.uniqueArray(fc.nat(20), { maxLength: 4 }),
} as const);

test('no field with a value is ever taken for empty, whatever a call never answers', async () => {
  await fc.assert(
    fc.asyncProperty(models, async (model) => {
      const { known, values } = await read(model);
      for (const [index, value] of values.entries())
        expect([value, 'unknown']).toContain(known[index]);
    }),
    { numRuns: 400 },
  );
});

test('an optional field with a value is never taken for empty if own records have it', async () => {
  await fc.assert(
    fc.asyncProperty(models, async (model) => {
      fc.pre(model.own !== 'never');
      const { known, values } = await read(model, [field]);
      for (const [index, value] of values.entries())
        expect([value, 'unknown']).toContain(known[index]);
    }),
    { numRuns: 400 },
  );
});

test('all fields are known if own records have them, and one of the assets has a value', async () => {
  await fc.assert(
    fc.asyncProperty(models, async (model) => {
      fc.pre(model.own !== 'never' && model.folders.flat().includes(day));
      const { known, values } = await read({ ...model, call: 'offered', refused: [] });
      expect(known).toEqual(values);
    }),
    { numRuns: 400 },
  );
});

describe('of 12 assets in a folder', () => {
  const some = [day, null, null, day, ...Array<null>(8).fill(null)];
  const all = Array<string>(12).fill(day);
  const none = Array<null>(12).fill(null);
  const unknown = Array<string>(12).fill('unknown');
  const half = some.map((value) => value ?? 'unknown');
  const whole = { lists: 'omits empty', own: 'omits empty', call: 'offered' } as const;

  test.each<[string, Partial<Model> & { values: typeof some }, unknown[], number]>([
    ['a list that omits the field: all are read singly', { values: all, lists: 'never' }, all, 12],
    ['a list that omits it for all: so are empty ones', { values: some, lists: 'never' }, some, 12],
    ['a list that has it: one without is compared, and one with it', { values: some }, some, 2],
    [
      'nulls in a list: one null is compared',
      { values: some, lists: 'null if empty', own: 'null if empty' },
      some,
      1,
    ],
    [
      'a list with nulls for values: all are read singly',
      { values: none, lists: 'null if empty', own: 'null if empty' },
      none,
      12,
    ],
    ['no answer that has it: it is unknown', { values: none }, unknown, 12],
    [
      'own records that omit it: what lists lack is unknown',
      { values: some, own: 'never' },
      half,
      2,
    ],
    [
      'no call for one record: what the list lacks is unknown',
      { values: some, call: 404 },
      half,
      8,
    ],
    [
      'no call, and a list without it: all are unknown',
      { values: all, lists: 'never', call: 404 },
      unknown,
      8,
    ],
    [
      'a list with another value than the own record that is compared: all are read singly',
      { values: some, stale: [0, 3] },
      some,
      12,
    ],
    ['the name in another case', { values: some, name: 'LicenceTO' }, some, 2],
    ['another name', { values: all, name: 'licence_to' }, unknown, 12],
    [
      'a list that omits some values: the first one shows it',
      { values: all, unlisted: [1, 3, 5], refused: [5] },
      all.with(5, 'unknown'),
      3,
    ],
    [
      'some own records that are refused: only these are unknown',
      { values: all, lists: 'never', refused: [3] },
      all.with(3, 'unknown'),
      12,
    ],
  ])('%s', async (_, { values, ...model }, expected, own) => {
    const { known, calls } = await read({ ...whole, ...model, folders: [values] });
    expect(known).toEqual(expected);
    expect(calls.own).toBe(own);
    expect(calls.most).toBeLessThanOrEqual(8);
  });

  test.each<[string, Partial<Model> & { values: typeof some }, unknown[]]>([
    ['no answer that has it: no limit', { values: none }, none],
    [
      'a list that has it, without a call for one record: no limit',
      { values: some, call: 404 },
      some,
    ],
    [
      'a list without it, without a call for one record: unknown',
      { values: none, call: 404 },
      unknown,
    ],
    [
      'a list that omits some values: own records decide, and a refused one is unknown',
      { values: all, unlisted: [1, 3, 5], refused: [5] },
      all.with(5, 'unknown'),
    ],
    ['a list that omits it: own records decide', { values: some, lists: 'never' }, some],
    [
      'own records that omit what the list has: the list decides',
      { values: some, own: 'never' },
      some,
    ],
  ])('with an optional field and %s', async (_, { values, ...model }, expected) => {
    const { known } = await read({ ...whole, ...model, folders: [values] }, [field]);
    expect(known).toEqual(expected);
  });

  test('an outage in the middle is an error, and nothing is empty', async () => {
    const model = { ...whole, folders: [all], lists: 'never', outage: 5 } as const;
    const failed = await read(model).catch((thrown: unknown) => thrown);
    expect(isMediaAssetError(failed, 'service-unreachable')).toBe(true);
  });
});

test('an asset that is read alone is unknown, and later known by what another one shows', async () => {
  const { service } = startModel({
    ...{ lists: 'omits empty', own: 'omits empty', call: 'offered' },
    folders: [[null], [null, day]],
  });
  const reader = createRecordReader(service, {
    fields: [field],
    decisive: { fields: [field], optional: [] },
  });
  const lacking = async (id: number) => (await reader.read([id])).get(id)?.record.lacking;
  expect([await lacking(1), await lacking(3), await lacking(1)]).toEqual([[field], [], []]);
});

test('assets that are asked for at the same time in several parts are known as if asked for one by one', async () => {
  const { service } = startModel({
    ...{ lists: 'never', own: 'null if empty', call: 'offered' },
    folders: [Array.from({ length: 30 }, (_, index) => (index % 2 ? day : null))],
  });
  const reader = createRecordReader(service, {
    fields: [field],
    decisive: { fields: [field], optional: [] },
    folders: { get: () => 1 },
  });
  const parts = Array.from({ length: 3 }, (_, part) =>
    Array.from({ length: 10 }, (_, index) => part * 10 + index + 1),
  );
  const read = await Promise.all(parts.map((part) => reader.read(part)));
  const lacking = read.flatMap((part) => Array.from(part.values(), ({ record }) => record.lacking));
  expect(lacking).toEqual(Array.from({ length: 30 }, () => []));
});
