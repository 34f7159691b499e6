import { describe, expect, test } from 'vitest';
import { type ReadRecord, readAssetRecord } from '../../../src/assets/records/asset-record.ts';
import { judgeRecord } from '../../../src/assets/records/verdict.ts';
import { isMediaAssetError } from '../../../src/errors/errors.ts';

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

/** Has its values in getters, as instances of models have. */
class Reading {
  readonly #consent: string;
  readonly alt = 'Quay';

  constructor(consent: string) {
    this.#consent = consent;
  }

  get rights() {
    return this.#consent === 'no' ? 'forbidden' : 'allowed';
  }
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
    ['a source', { source: ' screenCapture' }, { digitalSourceType: 'screenCapture' }],
    [
      'the URI of a source',
      { source: 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia' },
      { digitalSourceType: 'trainedAlgorithmicMedia' },
    ],
    ['a focus', { focus: { x: 0.25, y: 1 } }, { focus: { x: 0.25, y: 1 } }],
    ['the focus attention', { focus: 'attention' }, { focus: 'attention' }],
    ['forbidden rights', { rights: 'forbidden' }, { rights: 'forbidden' }],
    ['rights that the service left empty', { rights: undefined }, { rights: 'unknown' }],
    ['a day', { until: '2026-12-31' }, { until: '2026-12-31' }],
    ['a time without a zone, which is UTC', { until: '2026-12-31 23:30' }, { until: '2026-12-31' }],
    ['a time in UTC', { until: '2026-12-31T23:30:00Z' }, { until: '2026-12-31' }],
    ['a time in another zone', { until: '2026-12-31T23:30:00-02:00' }, { until: '2027-01-01' }],
    ['a Date', { until: new Date('2026-12-31T08:00:00Z') }, { until: '2026-12-31' }],
    ['a blank day', { until: ' ' }, {}],
    ['blank rights', { rights: ' ' }, { rights: 'unknown' }],
    ['null as rights', { rights: null }, { rights: 'unknown' }],
    ['a time without seconds', { until: '2026-12-31T23:30-02:00' }, { until: '2027-01-01' }],
    ['a zone without a colon', { until: '2026-12-31 00:30:00+0200' }, { until: '2026-12-30' }],
    [
      'an object without a prototype',
      Object.assign(Object.create(null), { alt: 'Q' }),
      { alt: 'Q' },
    ],
    ['an instance of a class', new Reading('no'), { alt: 'Quay', rights: 'forbidden' }],
    ['a proxy', new Proxy({ rights: 'forbidden' }, {}), { rights: 'forbidden' }],
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
    ['hour 24', { until: '2026-12-31T24:00:00Z' }, '`until` is'],
    ['offset +99:99', { until: '2026-12-31T23:30:00+99:99' }, '`until` is'],
    ['half an offset', { until: '2026-12-31T23:30:00+02' }, '`until` is'],
    ['a day with an offset', { until: '2026-12-31+02:00' }, '`until` is'],
    ['digits after the time', { until: '2026-12-31T23:30:00:00:00' }, '`until` is'],
    ['a day after the year 9999', { until: '9999-12-31T23:59:00-02:00' }, '`until` is'],
    ['a Date after the year 9999', { until: new Date(8.64e15) }, '`until` is'],
    ['a map', new Map([['rights', 'forbidden']]), 'it returns an object without'],
    ['a function', () => ({}), 'it returns'],
    [
      'an object whose getter throws',
      {
        get rights() {
          throw new Error('no field');
        },
      },
      'it throws “no field”',
    ],
    ['rights with another case', { rights: 'Forbidden' }, '`rights` is "Forbidden"'],
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
    ['allowed', undefined, 'allowed', undefined],
    ['allowed', '2026-06-09', 'forbidden', 'rights ended on 2026-06-09'],
    ['allowed', '2026-06-10', 'ending', undefined],
    ['allowed', '2026-07-10', 'ending', undefined],
    ['allowed', '2026-07-11', 'allowed', undefined],
    ['forbidden', undefined, 'forbidden', undefined],
    ['forbidden', '2026-12-31', 'forbidden', undefined],
    ['unknown', undefined, 'unknown', 'rights unknown'],
    ['unknown', '2026-06-09', 'forbidden', 'rights ended on 2026-06-09'],
    ['unknown', '2026-06-10', 'unknown', 'rights unknown'],
  ] as const)('that is %s until %s is %s', (rights, until, state, reason) => {
    const context = { isRead: true, now, warnDays: 30, unknown: 'warn' } as const;
    expect(judgeRecord({ rights, until }, context)).toEqual({ state, until, reason });
  });

  test.each([
    ['allow', true, 'unknown', 'rights unknown'],
    ['warn', false, 'unknown', 'no record'],
    ['forbid', true, 'forbidden', 'rights unknown'],
    ['forbid', false, 'forbidden', 'no record'],
  ] as const)(
    'whose rights are unknown, with unknown: %s and a record %s, is %s',
    (unknown, isRead, state, reason) => {
      const record = { rights: 'unknown', until: undefined } as const;
      const verdict = judgeRecord(record, { isRead, now, warnDays: 30, unknown });
      expect(verdict).toEqual({ state, until: undefined, reason });
    },
  );
});
