import picocolors from 'picocolors';
import { describe, expect, test } from 'vitest';
import { driftText } from '../../../src/cli/commands/usage/reconcile.ts';

const text = (facts: { assets: number; unlisted?: number; isAll?: boolean }) =>
  driftText([], {
    unlisted: 0,
    isAll: true,
    paint: picocolors.createColors(false),
    ...facts,
  }).split('\n')[0];

describe('without differences, reconcile prints', () => {
  const all = ': all of the library that the credentials may see.';
  const right = 'the service lists what the pages show, and the ledger agrees.';
  test.each([
    [{ assets: 0 }, 'Nothing to compare: the library has no assets.'],
    [{ assets: 3 }, `No drift: ${right} 3 assets looked up${all}`],
    [{ assets: 1, isAll: false }, `No drift: ${right} 1 asset looked up.`],
    [
      { assets: 3, unlisted: 2 },
      `No drift in the others: ${right} 3 assets looked up, 2 of them refused (see the warnings)${all}`,
    ],
  ])('of %j: %s', (facts, expected) => {
    expect(text(facts)).toBe(expected);
  });
});
