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
    const { sources: _, ...props } = change;
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
  const json = (alt: string) => `{ "hero": { "id": 4711, "alt": "${alt}" } }\n`;

  test.each<[what: string, file: string, before: string, now: string, alt?: string]>([
    ['another value than the intended', 'index.astro', tag('alt="Old"'), tag('alt="Other"')],
    ['another prop, or its writing', 'a.astro', tag('alt="Old" b={1}'), tag('alt="New" b={ 1 }')],
    [
      'the same data around, in other words',
      'a.yaml',
      yaml('Old'),
      yaml('New', ' # ours', '!!int 1'),
    ],
    ['no comment within the place', 'a.yaml', yaml('Old'), yaml('New', '')],
    ['half a surrogate pair', 'a.json', json('Old'), json('\ud800'), '\ud800'],
  ])('refuses a changed text with %s', async (_, file, before, now, alt = 'New') => {
    const placed = async (text: string) => {
      const [place] = await placesOf(file, text);
      if (!place) throw new Error(`${text} has no place.`);
      return { text, place };
    };
    const pass = async (now: string, alt: string) =>
      assertOnlyChanged(await placed(before), { now: await placed(now), change: { alt } });
    await pass(before.replace('Old', 'New'), 'New');
    await expect(pass(now, alt)).rejects.toMatchObject({ code: 'source-unsafe' });
  });
});
