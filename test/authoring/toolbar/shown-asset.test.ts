import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { DescribedRecord } from '../../../src/assets/records/rights-guard.ts';
import { askingOf } from '../../../src/assets/request/asking.ts';
import type { ShownAsset } from '../../../src/authoring/toolbar/protocol.ts';
import { createToolbarDescriber } from '../../../src/authoring/toolbar/shown-asset.ts';
import { defaultOptions } from '../../support/images/default-options.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

const rendition = (width: number) => ({ url: '/a.webp', width, height: 100, descriptor: '1x' });

interface Given {
  readonly failure?: { message: string };
  readonly described?: DescribedRecord;
  /** Of the cache and the project. */
  readonly folder?: string;
  /** Of the original in this machine's cache. */
  readonly hash?: string;
  /** The languages of the page and of the texts. */
  readonly languages?: object;
}

/** What the toolbar gets for an image with files up to 800 px. */
async function shownFor(
  props: object,
  { failure, described, folder = tmpdir(), hash = '', languages }: Given = {},
): Promise<ShownAsset> {
  const images = {
    describeRecord: async () => described,
    original: async () => ({ width: 2400, height: 1600, hash }),
    names: () => ({}),
  };
  const describe = createToolbarDescriber(
    {
      images: { people: images },
      cacheDir: folder,
      config: { root: pathToFileURL(`${folder}/`) },
    } as never,
    { hero: { aspect: '2:1' } },
  );
  const request = { id: 4711, alt: 'The quay', page: '/', ...props };
  const asked = askingOf(request, { ...defaultOptions, caller: 'getMediaAsset()' });
  const asking = { ...asked, ...languages };
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

test.each([
  [['en'], 'de', 'en'],
  ['on no page', 'de', 'de'],
  [[''], '', undefined],
])("a page in %j with texts in '%s' has the language %s", async (shownIn, texts, locale) => {
  expect((await shownFor({}, { languages: { shownIn, texts } })).locale).toBe(locale);
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

test('an entry of `sources` has its own crop, aspect and focus', async () => {
  const crop = { x: 0, y: 0, width: 400, height: 300 };
  const part = { media: 'print', crop, aspect: '1:1', focus: { x: 0.2, y: 0.5 } };
  const { props } = await shownFor({ sources: [{ ...part, width: 300 }] });
  expect(props.sources).toEqual([part]);
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

test('an image whose original has changed since someone chose its crop has a sign, and the crop that shows the same part', async () => {
  const folder = await temporaryFolder('shown-asset');
  const crop = { x: 400, y: 200, width: 1200, height: 800 };
  const mapped = '{ x: 200, y: 100, width: 600, height: 400 }';
  const now = 'b'.repeat(64);
  const review = {
    ...{ id: 4711, crop: '{ x: 400, y: 200, width: 1200, height: 800 }', change: 'size', mapped },
    ...{ before: 'a'.repeat(64), now, asked: [{ page: '/' }], images: [] },
  };
  await writeFile(join(folder, 'crops.json'), JSON.stringify([review]));
  const sign = 'The image has changed since someone chose its crop.';
  expect(await shownFor({ crop }, { folder, hash: now })).toMatchObject({
    problems: [sign],
    mapped: { x: 200, y: 100, width: 600, height: 400 },
  });
  // The rectangle fits the version that the build has compared, and no other.
  expect(await shownFor({ crop }, { folder, hash: 'c'.repeat(64) })).not.toHaveProperty('mapped');
  const other = await shownFor({ crop: { ...crop, x: 401 } }, { folder, hash: now });
  expect(other).toMatchObject({ problems: [] });
  expect(other.mapped).toBeUndefined();
  // A file that can't be read accepts nothing.
  for (const [accepted, problems] of [
    ['no JSON', [sign]],
    [JSON.stringify({ 4711: 'a'.repeat(16) }), [sign]],
    [JSON.stringify({ 4711: now.slice(0, 16) }), []],
  ] as const) {
    await writeFile(join(folder, 'media-crops.json'), accepted);
    expect((await shownFor({ crop }, { folder })).problems).toEqual(problems);
  }
});
