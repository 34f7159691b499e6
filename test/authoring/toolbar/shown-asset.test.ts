import { expect, test } from 'vitest';
import type { DescribedRecord } from '../../../src/assets/records/rights-guard.ts';
import { askingOf } from '../../../src/assets/request/asking.ts';
import type { ShownAsset } from '../../../src/authoring/toolbar/protocol.ts';
import { createToolbarDescriber } from '../../../src/authoring/toolbar/shown-asset.ts';
import { defaultOptions } from '../../support/images/default-options.ts';

const rendition = (width: number) => ({ url: '/a.webp', width, height: 100, descriptor: '1x' });

interface Given {
  readonly failure?: { message: string };
  readonly described?: DescribedRecord;
}

/** What the toolbar gets for an image with files up to 800 px. */
async function shownFor(props: object, { failure, described }: Given = {}): Promise<ShownAsset> {
  const images = {
    describeRecord: async () => described,
    original: async () => ({ width: 2400, height: 1600 }),
    names: () => ({}),
  };
  const describe = createToolbarDescriber(images as never, { hero: { aspect: '2:1' } });
  const request = { id: 4711, alt: 'The quay', page: '/', ...props };
  const asking = askingOf(request, { ...defaultOptions, caller: 'getMediaAsset()' });
  const asset = { width: 400, height: 200, renditions: [rendition(800), rendition(400)] };
  return JSON.parse(await describe({ request, asking, asset, failure } as never));
}

test.each([
  ['fits', {}, []],
  ['asks for fewer pixels than it has', { width: 400 }, []],
  ['asks for more pixels than it has', { width: 900 }, ['The page asks for 900 px']],
])('an image that %s has the signs it needs', async (_, props, texts) => {
  const { problems, layout } = await shownFor(props);
  expect(problems).toEqual(texts.map((text) => expect.stringContaining(text)));
  // The widths of the files, smallest first.
  expect(layout).toEqual({ width: 400, height: 200, widths: [400, 800] });
});

test('a placeholder has its reason', async () => {
  const message = 'Asset 4711 is gone.';
  const { problems, layout } = await shownFor({}, { failure: { message } });
  expect({ problems, layout }).toEqual({ problems: [message], layout: undefined });
});

test("a preset's aspect counts unless the image has its own", async () => {
  expect((await shownFor({ preset: 'hero' })).props.aspect).toBe('2:1');
  expect((await shownFor({ preset: 'hero', aspect: 1 })).props.aspect).toBe(1);
});

const ends = '2026-12-31';
const reason = 'rights ended on 2026-01-31';

test.each<[Partial<DescribedRecord['verdict']>, string, string[]]>([
  [{ state: 'allowed' }, 'allowed', []],
  [{ state: 'ending', until: ends }, `allowed until ${ends}`, [`end on ${ends}.`]],
  [{ state: 'forbidden', reason }, `forbidden: ${reason}`, [`may not show this asset: ${reason}.`]],
  [{ state: 'unknown' }, 'unknown', ["The record doesn't say"]],
])('an image with the verdict %j shows its record, and a sign if needed', async (...row) => {
  const [verdict, rights, texts] = row;
  const record = { alt: 'A quay', credit: '© Ada' };
  const described = { record, verdict, isNoted: texts.length > 0 };
  const shown = await shownFor({}, { described: described as DescribedRecord });
  const isForbidden = verdict.state === 'forbidden';
  expect(shown.record).toEqual({ alt: 'A quay', credit: '© Ada', rights, isForbidden });
  expect(shown.problems).toEqual(texts.map((text) => expect.stringContaining(text)));
});
