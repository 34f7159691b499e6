import { describe, expect, test } from 'vitest';
import { type ReadRecord, readAssetRecord } from '../../src/assets/records/asset-record.ts';
import { rightsState } from '../../src/assets/records/rights-state.ts';
import { isMediaAssetError } from '../../src/errors/errors.ts';

const empty = {
  alt: undefined,
  credit: undefined,
  creators: [],
  copyright: undefined,
  license: undefined,
  acquireLicense: undefined,
  focus: undefined,
  rights: 'allowed',
  until: undefined,
};

function read(result: unknown) {
  const fields = { alttext: 'Quay' };
  return readAssetRecord(() => result, { id: 4711, fields, locale: undefined });
}

describe('the result of `record.read`', () => {
  test.each<[string, object, object]>([
    ['nothing', {}, {}],
    ['an alt text, trimmed', { alt: ' Quay\n' }, { alt: 'Quay' }],
    ['an empty alt text, which is missing', { alt: ' ' }, {}],
    ['null, which is missing', { alt: null, credit: null, focus: null, until: null }, {}],
    ['a credit', { credit: '© Ada' }, { credit: '© Ada' }],
    ['one creator', { creator: 'Ada' }, { creators: ['Ada'] }],
    ['several creators', { creator: ['Ada', '', 'Bo'] }, { creators: ['Ada', 'Bo'] }],
    ['a license', { license: 'https://cc.example/by' }, { license: 'https://cc.example/by' }],
    ['a focus', { focus: { x: 0.25, y: 1 } }, { focus: { x: 0.25, y: 1 } }],
    ['the focus attention', { focus: 'attention' }, { focus: 'attention' }],
    ['forbidden rights', { rights: 'forbidden' }, { rights: 'forbidden' }],
    ['rights that the service left empty', { rights: undefined }, { rights: 'unknown' }],
    ['a day', { until: '2026-12-31' }, { until: '2026-12-31' }],
    ['a time without a zone, which is UTC', { until: '2026-12-31 23:30' }, { until: '2026-12-31' }],
    ['a time in UTC', { until: '2026-12-31T23:30:00Z' }, { until: '2026-12-31' }],
    ['a time in another zone', { until: '2026-12-31T23:30:00-02:00' }, { until: '2027-01-01' }],
    ['a Date', { until: new Date('2026-12-31T08:00:00Z') }, { until: '2026-12-31' }],
    ['an empty day', { until: '' }, {}],
  ])('can be %s', (_, result, expected) => {
    expect(read(result)).toEqual({ ...empty, ...expected });
  });

  test.each<[string, unknown, string]>([
    ['a string', 'Quay', 'it returns "Quay"'],
    ['nothing at all', undefined, 'it returns undefined'],
    ['a promise', Promise.resolve({}), 'it returns a promise'],
    ['an unknown key', { alttext: 'Quay' }, '`alttext` is unknown'],
    ['a number as alt text', { alt: 7 }, '`alt` is 7, expected a string'],
    ['a list as credit', { credit: ['Ada'] }, '`credit` is ["Ada"]'],
    ['a license without a URL', { license: 'CC BY' }, '`license` is "CC BY"'],
    ['a script as license', { license: 'javascript:alert(1)' }, '`license` is'],
    ['a focus in pixels', { focus: { x: 400, y: 200 } }, '`focus` is'],
    ['a boolean as rights', { rights: true }, '`rights` is true'],
    ['a German date', { until: '31.12.2026' }, '`until` is "31.12.2026"'],
    ['a day that does not exist', { until: '2026-02-31' }, '`until` is "2026-02-31"'],
    ['an invalid Date', { until: new Date('x') }, '`until` is'],
    ['a year', { until: 2026 }, '`until` is 2026'],
  ])('must not be %s', (_, result, problem) => {
    const thrown = errorOf(() => read(result));
    expect(thrown).toMatchObject({ code: 'record-invalid' });
    expect(thrown.message).toContain('asset 4711');
    expect(thrown.message).toContain(problem);
  });

  test('is an error of the asset if the function throws', () => {
    const broken: ReadRecord = ({ name }) => ({ alt: (name as string).trim() });
    const thrown = errorOf(() =>
      readAssetRecord(broken, { id: 4711, fields: {}, locale: undefined }),
    );
    expect(thrown).toMatchObject({ code: 'record-invalid', cause: expect.any(TypeError) });
    expect(thrown.message).toContain('`record.read`: it throws');
  });
});

function errorOf(run: () => unknown): Error {
  try {
    run();
  } catch (thrown) {
    if (isMediaAssetError(thrown)) return thrown;
  }
  throw new Error('It threw no error of ours.');
}

describe('on 2026-06-10, 30 days before the warnings, an asset', () => {
  const now = Date.parse('2026-06-10T23:59:00Z');

  test.each([
    ['allowed', undefined, 'allowed'],
    ['allowed', '2026-06-09', 'forbidden'],
    ['allowed', '2026-06-10', 'ending'],
    ['allowed', '2026-07-10', 'ending'],
    ['allowed', '2026-07-11', 'allowed'],
    ['forbidden', undefined, 'forbidden'],
    ['forbidden', '2026-12-31', 'forbidden'],
    ['unknown', undefined, 'unknown'],
    ['unknown', '2026-06-09', 'forbidden'],
    ['unknown', '2026-06-10', 'unknown'],
  ] as const)('that is %s until %s is %s', (rights, until, state) => {
    expect(rightsState({ rights, until }, { now, warnDays: 30 })).toBe(state);
  });
});
