import { expect, test } from 'vitest';
import { assertOnlyChanged } from '../../../src/authoring/source/edit/assert-only-changed.ts';
import { findPlaces } from '../../../src/authoring/source/source-places.ts';
import type { AssetChange } from '../../../src/authoring/toolbar/protocol.ts';

const components = "import { MediaAsset } from 'astro-media-asset/components';";
const tag = (attributes: string) =>
  `---\n${components}\n---\n<MediaAsset id={4711} ${attributes} />\n`;
const yaml = (comment: string, count = '1') =>
  `count: ${count}\nhero:\n  id: 4711 ${comment}\n  alt: New\n`;

async function placed(path: string, text: string) {
  const [place] = await findPlaces({ path, text });
  if (!place) throw new Error(`${text} has no place.`);
  return { text, place };
}

async function passes(path: string, before: string, now: string, change: AssetChange) {
  await assertOnlyChanged(path, await placed(path, before), {
    now: await placed(path, now),
    change,
  });
}

const json = (alt: string) => `{ "hero": { "id": 4711, "alt": "${alt}" } }\n`;

const rope = tag('alt="Rope" width={300}');
const old = yaml('# ours').replace('New', 'Old');

test.each<[what: string, file: string, before: string, now: string, alt?: string]>([
  ['another value than the intended', 'index.astro', rope, tag('alt="Other" width={300}')],
  ['another prop, or its writing', 'index.astro', rope, tag('alt="New" width={ 300 }')],
  ['the text around, even if it means the same', 'boats.yaml', old, yaml('# ours', '!!int 1')],
  ['a comment within the place', 'boats.yaml', old, yaml('')],
  ['half a surrogate pair', 'boats.json', json('Old'), json('\ud800'), '\ud800'],
])('a changed text with %s is refused', async (_, file, before, now, alt = 'New') => {
  const path = `src/pages/${file}`;
  const right = before.replace(/Rope|Old/, 'New');
  await passes(path, before, right, { alt: 'New' });
  await expect(passes(path, before, now, { alt })).rejects.toMatchObject({
    code: 'source-unsafe',
  });
});
