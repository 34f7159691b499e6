import picocolors from 'picocolors';
import { describe, expect, test } from 'vitest';
import { driftText } from '../../../src/cli/usage/drift-text.ts';

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

test("lets no page of the service control the terminal or change a line's direction", () => {
  const [page, pageName] = ['https://harbour.example/\u001b[2J\n\u202eyauq/', 'Quay\u001b[31m'];
  const paint = picocolors.createColors(false);
  const drift = [{ page, pageName, id: 4711, kind: 'extra' as const }];
  const shown = driftText(drift, { assets: 1, unlisted: 0, isAll: true, paint });
  expect(shown.split('\n')[0]).toBe('Quay [31m  https://harbour.example/ [2J yauq/');
});
