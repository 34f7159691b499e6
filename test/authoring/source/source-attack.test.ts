import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changePlace } from '../../../src/authoring/source/edit/change-place.ts';
import { findPlaces } from '../../../src/authoring/source/source-places.ts';
import type { AssetChange } from '../../../src/authoring/toolbar/protocol.ts';
import { isMediaAssetError } from '../../../src/errors/errors.ts';
import { rounds } from '../../support/process/rounds.ts';
import * as sources from './source-attack.ts';
import { problemOf } from './source-judge.ts';

const { change } = sources;

/** Changes each place of 4711 in a source, one change after the other, and returns the ends of all. */
async function attack(
  file: string,
  source: string,
  changes: readonly AssetChange[],
): Promise<string[]> {
  const places = await findPlaces({ file, text: source, id: 4711 }).catch((thrown: unknown) => {
    if (!isMediaAssetError(thrown, 'source-unreadable')) throw thrown;
    return [];
  });
  const ends: string[] = [];
  for (const found of places.filter(({ props }) => props.id === 4711)) {
    let now = { text: source, place: found };
    for (const change of changes) {
      const { text: before, place } = now;
      try {
        now = await changePlace(now, change);
        ends.push(problemOf({ before, after: now.text, place, change }) ?? 'right');
      } catch (thrown) {
        if (!isMediaAssetError(thrown, 'source-computed', 'source-unsafe')) throw thrown;
        ends.push(thrown.place?.line === place.line ? 'refused' : 'refused without a line');
      }
    }
  }
  return ends;
}

/** Each end means that the file is as it was, or as it must be. */
const allowed: readonly string[] = ['right', 'refused', 'unread'];

/** With the number of cases that reach nearly all kinds of places, values and ends. */
describe.each([
  ['YAML', '.yaml', sources.yaml, 200],
  ['frontmatter', '.md', sources.frontmatter, 100],
  ['JSON', '.json', sources.json, 150],
  ['Markdown', '.md', sources.markdown, 100],
  ['Astro', '.astro', sources.astro, 150],
  ['MDX', '.mdx', sources.mdx, 150],
])('random sources in %s', (_, extension, source, many) => {
  async function changeRightly(numRuns: number): Promise<void> {
    const ends: string[] = [];
    const four = fc.array(change, { minLength: 4, maxLength: 4 });
    const property = fc.asyncProperty(source, four, async (text, changes) => {
      const own = await attack(`src/odd${extension}`, text, changes);
      expect(own.filter((end) => !allowed.includes(end))).toEqual([]);
      ends.push(...own);
    });
    await fc.assert(property, { numRuns });
    // With refusals alone, this test would say nothing.
    expect(ends.filter((end) => end === 'right').length).toBeGreaterThan(numRuns / 2);
  }

  // Up to half a minute, and longer next to other tests.
  const slow = { tags: ['slow'], timeout: 300_000 };

  test('change rightly or not at all, as another parser reads them', slow, () =>
    changeRightly(rounds(many)),
  );
});

const components = "---\nimport { MediaAsset } from 'astro-media-asset/components';\n---\n";
const crop = { x: 1, y: 2, width: 30, height: 40 };
const changes: readonly AssetChange[] = [
  { crop },
  { crop: null, aspect: '3:2', focus: { x: 0.25, y: 0.5 } },
  { id: 4712, alt: 'New: "quay" #1', crop: null },
  { alt: 'C:\\new' },
  { sources: [{ index: 0, crop }] },
];

/** Each once damaged the file, or is written by hand only. */
test.each([
  ['a.yaml', 'base: &quay { id: 4711, alt: Quay }\nother: *quay\n'],
  ['a.yaml', 'base: &b\n  id: 4711\nother:\n  <<: *b\n  alt: x\n'],
  ['a.yaml', 'hero:\n  id: 4711 # the quay\n  crop: { x: 9, y: 9, width: 9, height: 9 } # tall\n'],
  ['a.yaml', 'hero:\n  id: 4711\n  alt: # todo\n'],
  ['a.yaml', 'hero:\n  id: 4711\n  alt:\n'],
  ['a.yaml', 'hero: {"id":4711}\n'],
  ['a.yaml', 'hero: {"id":4711,"crop":{"x":9,"y":9,"width":9,"height":9}}\n'],
  ['a.yaml', '? hero\n: id: 4711\n'],
  ['a.yaml', 'hero: {\n  id: 4711, # the quay\n}\n'],
  ['a.yaml', 'hero:\n  id: 4711\n  alt: |\n    Quay\nnext: 1\n'],
  ['a.md', '![x](media:4711 "see ](media:4711)")\n'],
  ['a.md', '| ![a](media:4711) | ![b](media:4711?crop=1,2,3,4) |\n|-|-|\n'],
  ['a.md', '![x `y`](<media:4711>) `![z](media:4711)`\n'],
  ['a.md', '[![x](media:4711)](https://a.example)\n'],
  ['a.astro', `${components}<MediaAsset id={4711} alt="C:\\new" />\n`],
  ['a.astro', `${components}<MediaAsset id={4711}alt="x"crop={{x:1,y:2,width:3,height:4}}/>\n`],
  [
    'a.astro',
    `${components}<MediaAsset id={4711} sources={[{ media: 'print', crop: { x: 1, y: 2, width: 3, height: 4 }, crop: { x: 5, y: 6, width: 7, height: 8 } }]} />\n`,
  ],
  ['a.astro', `${components}<p>{'}'}</p><MediaAsset id={4711} {...rest} />\n`],
  ['a.json', '{"hero":{"id":4711,"crop":{"x":1,"y":2,"width":3,"height":4}},"hero":{"id":4712}}\n'],
])('%s %j changes rightly or not at all', async (file, text) => {
  for (const change of changes) {
    const ends = await attack(`src/${file}`, text, [change]);
    expect(ends.filter((end) => !allowed.includes(end))).toEqual([]);
  }
});
