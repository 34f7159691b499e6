import { describe, expect, test } from 'vitest';
import { createRefusals } from '../../src/astro/build/refusals.ts';
import { mediaAssetError } from '../../src/errors/errors.ts';
import { serviceError } from '../../src/service/service-error.ts';

function refusal(code: 'asset-unknown' | 'asset-withdrawn', status: number) {
  const details = { call: 'the download', status, answer: '' };
  const cause = serviceError('request-refused', details, { status, effect: 'none' });
  return mediaAssetError(code, { assets: [] }, { cause });
}

const unknown = refusal('asset-unknown', 404);
const withdrawn = refusal('asset-withdrawn', 410);

describe('refused assets', () => {
  test('are no error where there are none', () => {
    const refusals = createRefusals();
    expect(refusals.toError()).toBeUndefined();
    expect(refusals.takeFindings()).toEqual([]);
  });

  test('become one error that names each with its status and all of its pages', () => {
    const refusals = createRefusals();
    refusals.add(12, '/quay/', withdrawn);
    refusals.add(4711, '/quay/', withdrawn);
    refusals.add(4711, '/', withdrawn);
    refusals.add(4711, '/quay/', withdrawn);
    const error = refusals.toError();
    expect(error?.code).toBe('asset-withdrawn');
    expect(error?.message.split('\n').slice(1)).toEqual([
      '  - asset 12 (410) on /quay/',
      '  - asset 4711 (410) on /, /quay/',
    ]);
  });

  test('keep why they were refused for pages that turn out to show them', () => {
    const refusals = createRefusals();
    refusals.explain(4711, unknown);
    refusals.explain(12, withdrawn);
    refusals.add(4711, '/');
    expect(refusals.toError()?.code).toBe('asset-unknown');
    expect(refusals.toError()?.message).toContain('asset 4711 (404) on /');
    expect(refusals.toError()?.message).not.toContain('asset 12');
  });

  test('keep the status, also where a page from the cache names them first', () => {
    const refusals = createRefusals();
    refusals.add(4711, '/old/');
    refusals.add(4711, '/', unknown);
    expect(refusals.toError()?.message).toContain('asset 4711 (404) on /, /old/');
  });

  test.each([
    ['asset-unknown', [unknown, unknown]],
    ['asset-withdrawn', [unknown, withdrawn]],
    ['asset-withdrawn', [undefined, unknown]],
  ])('are %s together', (code, errors) => {
    const refusals = createRefusals();
    for (const [index, error] of errors.entries()) refusals.add(index + 1, '/', error);
    expect(refusals.toError()?.code).toBe(code);
  });

  test('become findings with a code of their own each', () => {
    const refusals = createRefusals();
    refusals.add(1, '/', unknown);
    refusals.add(2, '/quay/', withdrawn);
    expect(refusals.takeFindings()).toMatchObject([
      { code: 'asset-unknown', severity: 'warning', place: '/' },
      { code: 'asset-withdrawn', severity: 'warning', place: '/quay/' },
    ]);
  });
});
