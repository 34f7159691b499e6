import { describe, expect, test } from 'vitest';
import {
  readAssetRecord,
  readRights,
  type TextsRule,
} from '../../../src/assets/records/asset-record.ts';
import { judge, noRecord } from '../../../src/assets/records/verdict.ts';
import type { RecordFields } from '../../../src/config/record-option.ts';
import { isMediaAssetError } from '../../../src/errors/errors.ts';

const empty = {
  alt: undefined,
  credit: undefined,
  creators: [],
  copyright: undefined,
  license: undefined,
  acquireLicense: undefined,
  focus: undefined,
};
const fields = { alttext: 'Quay', licenceTo: '2026-12-31' };

/** What a site's function returns can be anything, whatever its type says. */
const returning = (result: unknown) => () => result as object;

function readTexts(result: unknown, read: TextsRule['read'] = returning(result)) {
  const rule = { fields: Object.keys(fields), read };
  return readAssetRecord(rule, { id: 4711, fields, locale: undefined });
}

const rightsOf = (result: unknown) =>
  readRights(returning(result), { id: 4711, fields, language: '' });

/** Has its values in getters, as instances of models have. */
class Reading {
  readonly #consent: string;

  constructor(consent: string) {
    this.#consent = consent;
  }

  get state() {
    return this.#consent === 'no' ? 'forbidden' : 'allowed';
  }
}

describe('the result of `record.read`', () => {
  test.each<[string, object, object]>([
    ['nothing', {}, {}],
    ['an alt text, trimmed', { alt: ' Quay\n' }, { alt: 'Quay' }],
    [
      'texts without control characters',
      {
        alt: 'Quay\u001b[0m\u0085',
        credit: '\u0000A\u007fda',
        creator: ['Bo\tLi\u0008', '\u001b'],
      },
      { alt: 'Quay[0m', credit: 'Ada', creators: ['Bo\tLi'] },
    ],
    ['an empty alt text, which is missing', { alt: ' ' }, {}],
    ['null, which is missing', { alt: null, credit: null, focus: null }, {}],
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
    [
      'an object without a prototype',
      Object.assign(Object.create(null), { alt: 'Q' }),
      { alt: 'Q' },
    ],
  ])('can be %s', (_, result, expected) => {
    expect(readTexts(result)).toEqual({ ...empty, ...expected });
  });

  test.each<[string, unknown, string]>([
    ['a string', 'Quay', 'it returns "Quay"'],
    ['nothing at all', undefined, 'it returns undefined'],
    ['a promise', Promise.resolve({}), 'it returns a promise, expected a plain object'],
    ['an unknown key', { alttext: 'Quay' }, '`alttext` is unknown'],
    ['a number as alt text', { alt: 7 }, '`alt` is 7, expected a string'],
    ['a list as credit', { credit: ['Ada'] }, '`credit` is ["Ada"]'],
    ['a license without a URL', { license: 'CC BY' }, '`license` is "CC BY"'],
    ['a script as license', { license: 'javascript:alert(1)' }, '`license` is'],
    ['a focus in pixels', { focus: { x: 400, y: 200 } }, '`focus` is'],
    ['a map', new Map([['alt', 'Quay']]), 'expected a plain object with alt,'],
    ['an object of a class', new Reading('no'), 'expected a plain object with alt,'],
    ['a function', () => ({}), 'it returns'],
  ])('must not be %s', (_, result, problem) => {
    const thrown = errorOf(() => readTexts(result));
    expect(thrown).toMatchObject({ code: 'record-invalid' });
    expect(thrown.message).toContain('asset 4711');
    expect(thrown.message).toContain('`record.read`: ');
    expect(thrown.message).toContain(problem);
  });

  test('is an error of the asset if the function throws', () => {
    const broken: TextsRule['read'] = ({ name }) => ({ alt: name.trim() });
    const thrown = errorOf(() => readTexts(undefined, broken));
    expect(thrown).toMatchObject({ code: 'record-invalid', cause: expect.any(TypeError) });
    expect(thrown.message).toContain('`record.read`: it throws');
  });
});

describe('the result of `rights.read`', () => {
  const allowed = { state: 'allowed', until: undefined };

  test.each<[string, object, object]>([
    ['nothing', {}, {}],
    ['a state', { state: 'forbidden' }, { state: 'forbidden' }],
    ['a state that the service left empty', { state: undefined }, { state: 'unknown' }],
    ['a blank state', { state: ' ' }, { state: 'unknown' }],
    ['null as a state', { state: null }, { state: 'unknown' }],
    ['a day', { until: '2026-12-31' }, { until: '2026-12-31' }],
    ['a blank day, which is no end', { until: ' ' }, {}],
    ['null as a day', { until: null }, {}],
    ['a time without a zone, which is UTC', { until: '2026-12-31 23:30' }, { until: '2026-12-31' }],
    ['a time in UTC', { until: '2026-12-31T23:30:00Z' }, { until: '2026-12-31' }],
    ['a time in another zone', { until: '2026-12-31T23:30:00-02:00' }, { until: '2027-01-01' }],
    ['a Date', { until: new Date('2026-12-31T08:00:00Z') }, { until: '2026-12-31' }],
    ['a time without seconds', { until: '2026-12-31T23:30-02:00' }, { until: '2027-01-01' }],
    ['a zone without a colon', { until: '2026-12-31 00:30:00+0200' }, { until: '2026-12-30' }],
    ['a proxy', new Proxy({ state: 'forbidden' }, {}), { state: 'forbidden' }],
  ])('can be %s', (_, result, expected) => {
    expect(rightsOf(result)).toEqual({ ...allowed, ...expected });
  });

  test.each<[string, unknown, string]>([
    ['a boolean as state', { state: true }, '`state` is true'],
    ['a state in another case', { state: 'Forbidden' }, '`state` is "Forbidden"'],
    ['a key of texts', { alt: 'Quay' }, '`alt` is unknown, expected state, until'],
    ['the key of earlier versions', { rights: 'forbidden' }, '`rights` is unknown'],
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
    ['a map', new Map([['state', 'forbidden']]), 'expected a plain object with state,'],
    ['an object of a class', new Reading('no'), 'expected a plain object with state,'],
    [
      'an object whose getter throws',
      {
        get state() {
          throw new Error('no field');
        },
      },
      'it throws “no field”',
    ],
  ])('must not be %s', (_, result, problem) => {
    const thrown = errorOf(() => rightsOf(result));
    expect(thrown).toMatchObject({ code: 'record-invalid' });
    expect(thrown.message).toContain('`rights.read`: ');
    expect(thrown.message).toContain(problem);
  });

  test('is an error if the function reads a field that the site has not named for it', () => {
    const read = (given: RecordFields) => ({ until: given.licenseTo });
    const thrown = errorOf(() => readRights(read, { id: 4711, fields, language: '' }));
    expect(thrown.message).toContain("it reads `licenseTo`, which isn't in `rights.fields`");
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
  const known = { fields: { consent: 'x' }, lacking: [], answers: ['list'] } as const;
  const judged = (
    result: object,
    {
      unknown = 'warn',
      ...others
    }: { unknown?: 'allow' | 'warn' | 'forbid'; known?: Parameters<typeof judge>[1]['known'] } = {},
  ) => {
    const rule = { fields: ['consent', 'licenceTo'], read: () => result, unknown, warnDays: 30 };
    return judge(rule, { id: 4711, known, language: '', now, ...others });
  };

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
  ] as const)('that is %s until %s is %s', (given, until, state, reason) => {
    expect(judged({ state: given, until })).toEqual({ state, until, reason });
  });

  const lacking = ['licenceTo'];
  test.each([
    ['empty rights', known, 'rights unknown'],
    ['no record', noRecord, 'no record'],
    [
      'a field that no answer has',
      { ...known, lacking, answers: ['record', 'list'] },
      "no `licenceTo` in its own record or its folder's list",
    ],
    [
      'a field that its list lacks, and no own record',
      { ...known, lacking },
      "no `licenceTo` in its folder's list, and the service gives no own record",
    ],
  ] as const)('with %s is forbidden by default, and the site is not asked', (_, given, reason) => {
    const result = given === known ? { state: '' } : { state: 'allowed' };
    for (const [unknown, state] of [
      ['forbid', 'forbidden'],
      ['warn', 'unknown'],
      ['allow', 'unknown'],
    ] as const)
      expect(judged(result, { unknown, known: given })).toEqual({
        ...{ state, until: undefined, reason },
      });
  });

  test('is allowed without a rule, also without a record', () => {
    const asked = { id: 4711, known: noRecord, language: '', now };
    expect(judge({ unknown: 'forbid', warnDays: 30 }, asked).state).toBe('allowed');
  });
});
