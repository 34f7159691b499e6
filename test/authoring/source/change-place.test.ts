import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assertOnlyChanged } from '../../../src/authoring/source/edit/assert-only-changed.ts';
import { changePlace } from '../../../src/authoring/source/edit/change-place.ts';
import { findPlaces } from '../../../src/authoring/source/source-places.ts';
import type { AssetChange } from '../../../src/authoring/toolbar/protocol.ts';

interface SourceFixture {
  readonly name: string;
  readonly before: string;
  readonly change: AssetChange;
  readonly after: string;
  /** An error's code and prop, or `none` if there's no place. */
  readonly refusal: string | undefined;
}

const folder = join(import.meta.dirname, '../../../fixtures/source');
const head = "---\nimport { MediaAsset } from 'astro-media-asset/components';\n---\n";

/** The cases of a file in `fixtures/source`, whose README has the format. */
function readFixtures(name: string): SourceFixture[] {
  const cases = readFileSync(join(folder, name), 'utf8').split(/^==== /m);
  return cases.slice(1).map((text) => {
    const [, title = '', before = '', change = '', end = ''] =
      /^(.*)\n([\s\S]*?)^---- (.*)\n([\s\S]*)$/m.exec(text) ?? [];
    const whole = (part: string) => {
      const imported = name === 'astro.txt' && !part.includes('import ') ? head + part : part;
      return title.startsWith('[CRLF]') ? imported.replaceAll('\n', '\r\n') : imported;
    };
    const refusal = /^!!!! (.*)\n/.exec(end)?.[1];
    const texts = { before: whole(before), after: whole(end) };
    return { name: title, change: JSON.parse(change), ...texts, refusal };
  });
}

async function placesOf(file: string, text: string, id = 4711) {
  const found = await findPlaces({ file, text });
  return found.filter(({ props }) => props.id === id);
}

describe.each([
  ['.astro', 'astro.txt'],
  ['.md', 'markdown.txt'],
  ['.mdx', 'mdx.txt'],
  ['.md', 'frontmatter.txt'],
  ['.yaml', 'yaml.txt'],
  ['.json', 'json.txt'],
])('%s', (extension, name) => {
  const file = `src/pages/index${extension}`;

  test.each(readFixtures(name))('$name', async ({ before, change, after, refusal }) => {
    const [place, ...others] = await placesOf(file, before);
    expect(others).toEqual([]);
    if (refusal === 'none') return expect(place).toBeUndefined();
    if (!place) throw new Error('The fixture has no place.');
    const changed = changePlace({ text: before, place }, change);
    if (refusal !== undefined) {
      const [, code, prop = ''] = /^(\S+) ?(.*)/.exec(refusal) ?? [];
      const message = expect.stringContaining(prop === '' ? `${file}:` : `\`${prop}\``);
      return expect(changed).rejects.toMatchObject({ code, message });
    }
    expect((await changed).text).toBe(after);
    const [found] = await placesOf(file, after, change.id);
    const { sources: _, poster, ...props } = change;
    if (poster) expect(found?.props.poster).toEqual(poster.crop ? poster : poster.id);
    for (const [name, value] of Object.entries(props)) {
      if (value === null) expect(found?.props).not.toHaveProperty(name);
      else if (typeof value === 'object') expect(found?.props[name]).toMatchObject(value);
      else expect(String(found?.props[name])).toBe(String(value));
    }
  });
});

describe('the gate in front of every save', () => {
  const tag = (attributes: string) => `${head}<MediaAsset id={4711} ${attributes} />\n`;
  const yaml = (alt: string, comment = ' # ours', count = '1') =>
    `count: ${count}\nhero:\n  id: 4711${comment}\n  alt: ${alt}\n`;
  const json = (alt: string, space = ' ') => `{ "hero": { "id": 4711, "alt": "${alt}" }${space}}\n`;
  const image = (alt: string, title = ' "Quay"', space = '') =>
    `Text ![${alt}](${space}media:4711${title}) text\n`;

  async function pass(texts: Record<'file' | 'before' | 'now', string>, change: AssetChange) {
    const placed = async (text: string) => {
      const [place] = await placesOf(texts.file, text);
      if (!place) throw new Error(`${text} has no place.`);
      return { text, place };
    };
    await assertOnlyChanged(await placed(texts.before), { now: await placed(texts.now), change });
  }
  const refusal = { code: 'source-unsafe' };

  test.each<[what: string, file: string, before: string, now: string, alt?: string]>([
    ['another value than the intended', 'index.astro', tag('alt="Old"'), tag('alt="Other"')],
    ['another prop, or its writing', 'a.astro', tag('alt="Old" b={1}'), tag('alt="New" b={ 1 }')],
    [
      'the same data around, in other words',
      'a.yaml',
      yaml('Old'),
      yaml('New', ' # ours', '!!int 1'),
    ],
    ['another space after the place', 'a.json', json('Old'), json('New', '\t')],
    ['one more space after the place', 'a.json', json('Old'), json('New', '  ')],
    ['other text after the place', 'a.md', image('Old'), image('New').replace(' text', ' other')],
    ['another title', 'a.md', image('Old'), image('New', ' "Tide"')],
    ['the same title, in other quotes', 'a.md', image('Old'), image('New', " 'Quay'")],
    ['a space before the address', 'a.md', image('Old'), image('New', ' "Quay"', ' ')],
    ['no comment within the place', 'a.yaml', yaml('Old'), yaml('New', '')],
    ['half a surrogate pair', 'a.json', json('Old'), json('\ud800'), '\ud800'],
  ])('refuses a changed text with %s', async (_, file, before, now, alt = 'New') => {
    await pass({ file, before, now: before.replace('Old', 'New') }, { alt: 'New' });
    await expect(pass({ file, before, now }, { alt })).rejects.toMatchObject(refusal);
  });

  test('refuses another writing of a prop whose change is undefined', async () => {
    const [file, before] = ['a.astro', tag('alt="Old" aspect={1}')];
    const change = { alt: 'New', aspect: undefined };
    await pass({ file, before, now: before.replace('Old', 'New') }, change);
    const other = pass({ file, before, now: tag('alt="New" aspect={1.0}') }, change);
    await expect(other).rejects.toMatchObject(refusal);
  });

  test("takes a poster's ID for the whole image, and refuses another poster", async () => {
    const from = "---\nimport { MediaVideo } from 'astro-media-asset/components';\n---\n";
    const video = (attributes: string) => `${from}<MediaVideo id={4711} ${attributes} />\n`;
    const [file, before] = ['a.astro', video('poster={{ id: 4712, priority: true }}')];
    const change = { poster: { id: 4713 } };
    await pass({ file, before, now: video('poster={4713}') }, change);
    await pass({ file, before, now: video('poster={{ id: 4713 }}') }, change);
    const others = ['4712', '{ id: 4713, priority: true }', '{ id: 4713, crop: [] }', 'hero'];
    for (const poster of others) {
      const now = video(`poster={${poster}}`);
      await expect(pass({ file, before, now }, change)).rejects.toMatchObject(refusal);
    }
    const other = video('name="Voyage" poster={4713}');
    await expect(pass({ file, before, now: other }, change)).rejects.toMatchObject(refusal);
  });

  test('refuses a crop without its unit, unless the unit is pixels', async () => {
    const [file, before] = ['a.astro', tag('alt=""')];
    const numbers = { x: 0, y: 0, width: 1, height: 1 };
    const now = tag('crop={{ x: 0, y: 0, width: 1, height: 1 }} alt=""');
    await pass({ file, before, now }, { crop: { ...numbers, unit: 'pixel' } });
    const lost = pass({ file, before, now }, { crop: { ...numbers, unit: 'fraction' } });
    await expect(lost).rejects.toMatchObject(refusal);
  });
});
