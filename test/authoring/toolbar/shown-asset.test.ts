import { expect, test } from 'vitest';
import { emptyRecord } from '../../../src/assets/records/asset-record.ts';
import type { DescribedRecord } from '../../../src/assets/records/rights-guard.ts';
import { describeShownAsset } from '../../../src/authoring/toolbar/shown-asset.ts';

const rendition = (width: number) => ({ url: '/a.webp', width, height: 100, descriptor: '1x' });

/** What the toolbar gets for an image with files up to 800 px. */
function shownFor(props: object, failure?: { message: string }, described?: DescribedRecord) {
  const request = { id: 4711, alt: 'The quay', page: '/', ...props };
  const asset = { width: 400, height: 200, renditions: [rendition(800), rendition(400)] };
  return describeShownAsset({ request, asset, place: undefined, failure } as never, {
    original: { width: 2400, height: 1600 },
    name: 'quay',
    presets: { hero: { aspect: '2:1' } },
    described,
  });
}

test.each([
  ['fits', {}, []],
  ['asks for fewer pixels than it has', { width: 400 }, []],
  ['asks for more pixels than it has', { width: 900 }, ['The page asks for 900 px']],
  ['has a crop with all widths', { crop: {}, widths: [400, 800] }, []],
  [
    'has a crop that is smaller than its widths',
    { crop: {}, widths: [400, 1600] },
    ['The crop has only 800 px'],
  ],
])('an image that %s has the signs it needs', (_, props, codes) => {
  const expected = codes.map((text) => expect.stringContaining(text));
  expect(shownFor(props).problems).toEqual(expected);
});

test('a placeholder has its reason', () => {
  const { problems, layout } = shownFor({}, { message: 'Asset 4711 is gone.' });
  expect(problems).toEqual(['Asset 4711 is gone.']);
  expect(layout).toBeUndefined();
});

test('the layout has the widths of the files, smallest first', () => {
  expect(shownFor({}).layout).toEqual({ width: 400, height: 200, widths: [400, 800] });
});

test("a preset's aspect counts unless the image has its own", () => {
  expect(shownFor({ preset: 'hero' }).props.aspect).toBe('2:1');
  expect(shownFor({ preset: 'hero', aspect: 1 }).props.aspect).toBe(1);
});

test.each<[string, Partial<DescribedRecord['verdict']>, object, string, string[]]>([
  ['allowed', { state: 'allowed' }, {}, 'allowed', []],
  [
    'allowed for long',
    { state: 'allowed', until: '2036-12-31' },
    {},
    'allowed until 2036-12-31',
    [],
  ],
  [
    'about to end',
    { state: 'ending', until: '2026-12-31' },
    { isNoted: true },
    'allowed until 2026-12-31',
    ['The rights to this image end on 2026-12-31.'],
  ],
  [
    'ended',
    { state: 'forbidden', until: '2026-01-31', reason: 'rights ended on 2026-01-31' },
    { isNoted: true },
    'forbidden: rights ended on 2026-01-31',
    ['The site may not show this image: rights ended on 2026-01-31.'],
  ],
  [
    'unknown',
    { state: 'unknown' },
    { isNoted: true },
    'unknown',
    ["The record doesn't say whether the site may show this image."],
  ],
])('an image whose rights are %s shows its record, and a sign if needed', (...row) => {
  const [, verdict, values, text, messages] = row;
  const record = { ...emptyRecord, alt: 'A quay', credit: '© Ada' };
  const described = { record, verdict, isNoted: false, ...values };
  const shown = shownFor({}, undefined, described as DescribedRecord);
  const isForbidden = verdict.state === 'forbidden';
  expect(shown.record).toEqual({ alt: 'A quay', credit: '© Ada', rights: text, isForbidden });
  expect(shown.problems).toEqual(messages);
});
