import { describe, expect, test } from 'vitest';
import { changePlace } from '../../../src/authoring/source/edit/change-place.ts';
import { findPlaces } from '../../../src/authoring/source/source-places.ts';
import { readFixtures, type SourceFixture } from './source-fixtures.ts';

describe.each([
  ['.astro', 'astro.txt'],
  ['.md', 'markdown.txt'],
  ['.mdx', 'mdx.txt'],
  ['.md', 'frontmatter.txt'],
  ['.yaml', 'yaml.txt'],
  ['.json', 'json.txt'],
])('%s', (extension, file) => {
  const path = `src/pages/index${extension}`;

  async function places(text: string, id: number) {
    const found = await findPlaces({ path, text });
    return found.filter(({ props }) => props.id === id);
  }

  test.each(readFixtures(file))(
    '$name',
    async ({ before, change, after, refusal }: SourceFixture) => {
      const [place, ...others] = await places(before, 4711);
      expect(others).toEqual([]);
      if (refusal === 'none') {
        expect(place).toBeUndefined();
        return;
      }
      if (!place) throw new Error('The fixture has no place.');
      if (refusal !== undefined) {
        const [, code, prop = ''] = /^(\S+) ?(.*)/.exec(refusal) ?? [];
        const named = /^line/.test(prop) ? `from ${prop} ` : `\`${prop}\``;
        const changed = changePlace({ path, text: before }, place, change);
        await expect(changed).rejects.toMatchObject({
          code,
          message: expect.stringContaining(prop === '' ? `${path}:` : named),
        });
        return;
      }
      const { text } = await changePlace({ path, text: before }, place, change);
      expect(text).toBe(after);
      const [changed] = await places(text, change.id ?? 4711);
      const { sources: _, ...props } = change;
      for (const [name, value] of Object.entries(props)) {
        if (value === null) expect(changed?.props).not.toHaveProperty(name);
        else if (typeof value === 'object') expect(changed?.props[name]).toMatchObject(value);
        else expect(String(changed?.props[name])).toBe(String(value));
      }
    },
  );
});
