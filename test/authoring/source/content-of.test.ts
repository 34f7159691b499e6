import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contentOf, placesOf } from '../../../src/authoring/source/project-places.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

async function project(files: Readonly<Record<string, string>>) {
  const root = await temporaryFolder('content');
  await mkdir(join(root, 'src'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, 'src', name), text);
  return { root, srcDir: 'src' };
}

test('a call without a place may be a component in MDX', async () => {
  const text = '# A quay\n\n<MediaAsset id={4711} corp="1:1" alt="" />\n';
  const content = await project({ 'quay.mdx': text });
  expect(await contentOf({ id: 4711 }, content)).toMatchObject([{ file: 'src/quay.mdx', line: 3 }]);
});

test('numbers alone are offered as what they are, if nothing else has the ID', async () => {
  const numbers = { 'quay.md': '---\nhero: 4711\nviews: "4711"\n---\n' };
  const page = { 'page.astro': '<MediaAsset id={hero} alt="" />\n' };
  const asked = { id: 4711, place: { file: 'src/page.astro', line: 1, column: 1 } };
  const { places, isCall } = await placesOf(asked, await project({ ...numbers, ...page }));
  expect(isCall).toBe(false);
  expect(places.map(({ line, number }) => [line, number])).toEqual([
    [2, 4711],
    [3, 4711],
  ]);
  const sure = { 'ferry.md': '---\nhero: { id: 4711 }\n---\n' };
  const found = await placesOf(asked, await project({ ...numbers, ...page, ...sure }));
  expect(found.places).toMatchObject([{ file: 'src/ferry.md', line: 2 }]);
  expect(found.places[0]?.number).toBeUndefined();

  const { places: none, notice } = await placesOf(asked, await project(page));
  expect(none).toEqual([]);
  expect(notice?.message).toContain('src/page.astro:1 sets the image with code');
});

test("says whether an alt text could be written to a place, or is a template's", async () => {
  const hero = (alt: string) => `---\nhero:\n  id: 4711\n${alt}---\n`;
  const content = await project({
    'own.md': hero('  alt: The quay\n'),
    'none.md': hero(''),
    'address.md': '---\nhero: media:4711\n---\n',
  });
  const fixed = async (alt: string | undefined) => {
    const { places } = await placesOf({ id: 4711, alt }, content);
    return Object.fromEntries(places.map(({ file, isAltFixed }) => [file.slice(4), isAltFixed]));
  };
  expect(await fixed('The quay')).toEqual({ 'own.md': false, 'none.md': true, 'address.md': true });
  expect(await fixed(undefined)).toEqual({
    'own.md': false,
    'none.md': false,
    'address.md': false,
  });
});

test('a file that can’t be written is no place, and authors know why', async () => {
  const image = '![Quay](media:4711)\n';
  const content = await project({ 'quay.md': image });
  await chmod(join(content.root, 'src/quay.md'), 0o444);
  const asked = { id: 4711, place: { file: 'src/quay.md', line: 1, column: 1 } };
  const { places, notice } = await placesOf(asked, content);
  expect(places).toEqual([]);
  expect(notice?.message).toBe("src/quay.md can't be written: it's read-only.");
});
