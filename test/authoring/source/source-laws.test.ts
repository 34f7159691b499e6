import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changePlace } from '../../../src/authoring/source/edit/change-place.ts';
import type { FoundPlace } from '../../../src/authoring/source/found-place.ts';
import { findPlaces } from '../../../src/authoring/source/source-places.ts';
import type { AssetChange } from '../../../src/authoring/toolbar/protocol.ts';

const components = "import { MediaAsset } from 'astro-media-asset/components';";

/** A source text per syntax, with the way of writing that changes have too. */
const sources = [
  ['.astro', `---\n${components}\n---\n<p>⛵</p><MediaAsset id={4711} alt="Harbour" />\n`],
  ['.md', '> ⛵ ![Harbour](media:4711) text\n'],
  ['.mdx', '- ⛵ ![Harbour](media:4711) {1}\n'],
  ['.mdx', `${components}\n\n# ⛵\n\n<MediaAsset id={4711} alt="Harbour" />\n`],
  ['.mdx', 'A ⛵ <MediaAsset id={4711} alt="Harbour" /> and {1}.\n'],
  ['.md', '---\nhero:\n  id: 4711\n  alt: Harbour\n---\n'],
  ['.yaml', 'hero: { id: 4711, alt: Harbour }\n'],
  ['.yaml', "- id: 4711\n  alt: 'Harbour'\n"],
  ['.yaml', 'hero:\r\n  id: 4711\r\n  alt: "Harbour"\r\nafter: 1\r\n'],
  ['.json', '{\n\t"hero": {\n\t\t"id": 4711,\n\t\t"alt": "Harbour"\n\t}\n}\n'],
] as const;

const side = fc.nat(10_000);
const share = fc.integer({ min: 1, max: 9_999 }).map((n) => n / 10_000);
const crop = fc.oneof(
  fc.record({ x: side, y: side, width: side, height: side }, { noNullPrototype: true }),
  fc.record(
    { unit: fc.constant('fraction' as const), x: share, y: share, width: share, height: share },
    { noNullPrototype: true },
  ),
);

const oddCharacters = '"\'`\\&<>{}[]()*_~|^!#:,;?$%@=+-./ \n\té⛵';
const odd = fc.string({ unit: fc.constantFrom(...oddCharacters, '&amp;', '${', '](', '<b>', 'a') });
/** Markdown joins the spaces around a line break, so these texts have none. */
const alt = fc
  .oneof(odd, fc.string({ unit: 'grapheme' }))
  .filter((text) => !/ [\n\r]|[\n\r] |\0/.test(text));

async function onlyPlace(file: string, text: string): Promise<FoundPlace> {
  const [place, ...others] = await findPlaces({ file, text });
  if (!place || others.length > 0) throw new Error(`Not one place in ${JSON.stringify(text)}`);
  return place;
}

describe.each(sources)('%s %j', (extension, text) => {
  const file = `src/content/boats${extension}`;
  const change = async (text: string, change: AssetChange) =>
    (await changePlace({ text, place: await onlyPlace(file, text) }, change)).text;

  test('reads the crops and texts that it wrote', async () => {
    await fc.assert(
      fc.asyncProperty(crop, alt, async (crop, alt) => {
        const changed = await change(text, { crop, alt });
        const { props } = await onlyPlace(file, changed);
        const isMarked = alt === '' && text.includes('![');
        expect(props).toEqual({ id: 4711, crop, alt, ...(isMarked && { decoration: true }) });
      }),
    );
  });

  test('gets its bytes back with the old crop', async () => {
    await fc.assert(
      fc.asyncProperty(crop, crop, async (first, second) => {
        const one = await change(text, { crop: first });
        const two = await change(one, { crop: second });
        const three = await change(two, { crop: first });
        expect(three).toBe(one);
        expect(await change(three, { crop: null })).toBe(text);
      }),
    );
  });
});

test.each([
  ['.yaml', 'hero: 4711\ncount: 4711\n'],
  ['.json', '{ "hero": 4711, "list": [4711] }'],
])('finds numbers in %s only if asked for the ID', async (extension, text) => {
  const source = { file: `src/content/boats${extension}`, text };
  expect(await findPlaces(source)).toEqual([]);
  expect(await findPlaces({ ...source, id: 12 })).toEqual([]);
  expect(await findPlaces({ ...source, id: 4711 })).toHaveLength(2);
});

test.each([
  ['.astro', '---\nconst = 1;\n---\n', '2:7'],
  ['.mdx', '# Quay\n\n![Quay](media:4711) <b id={4711>\n', '3:21'],
  ['.md', '---\na: 1\nb: [1\nc: 2\n---\n', '4:1'],
  ['.yaml', 'a: "b\n', '2:1'],
])('names the place of the mistake in a broken file with %s', async (extension, text, place) => {
  const file = `src/pages/broken${extension}`;
  await expect(findPlaces({ file, text })).rejects.toMatchObject({
    code: 'source-unreadable',
    message: expect.stringContaining(`${file}:${place} can't be parsed: `),
  });
});

test('finds nothing in other files', async () => {
  expect(await findPlaces({ file: 'src/a.ts', text: '<MediaAsset id={4711} />' })).toEqual([]);
});

test('counts lines and columns of a file with CRLF from 1', async () => {
  const text = '# Boats\r\n\r\n⛵ ![Harbour](media:4711)';
  const place = await onlyPlace('src/a.md', text);
  expect(place).toMatchObject({ file: 'src/a.md', line: 3, column: 3, kind: 'markdown' });
});
