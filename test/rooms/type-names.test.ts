import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import fastGlob from 'fast-glob';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../../src/', import.meta.url));

/** Declared twice because they mean the same, in rooms that don't know each other. */
const known = ['Next'];

test('a type’s name means one thing, in all rooms', async () => {
  const places = new Map<string, string[]>();
  for (const file of await fastGlob('**/*.ts', { cwd: source })) {
    const text = await readFile(`${source}${file}`, 'utf8');
    for (const [, name = ''] of text.matchAll(
      /^\s*(?:export )?(?:interface|type) ([A-Z]\w*)(?=[ <])/gm,
    ))
      places.set(name, [...(places.get(name) ?? []), file]);
  }
  expect(places.size).toBeGreaterThan(300);
  const twice = [...places].filter(([, files]) => files.length > 1);
  expect(twice.map(([name]) => name)).toEqual(known);
});
