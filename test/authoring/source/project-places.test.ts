import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { placesOf } from '../../../src/authoring/source/project-places.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

async function project(files: Readonly<Record<string, string>>) {
  const root = await temporaryFolder('content');
  await mkdir(join(root, 'src'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, 'src', name), text);
  return { root, srcDir: 'src' };
}

/** A page that computes its image, and the image as the page shows it. */
const page = { 'page.astro': '<MediaAsset {...Astro.props.hero} alt="" />\n' };
const shown = { id: 4711, place: { file: 'src/page.astro', line: 1, column: 1 } };

test.each([
  ['frontmatter', { 'quay.md': '---\ntitle: Quay\nhero: media:4711\n---\n' }, 3],
  ['data', { 'team.json': '[{ "hero": { "id": 4711 } }]' }, 1],
])('an image that a page computes can come from %s', async (_, files, line) => {
  const { places, isCall } = await placesOf(shown, await project({ ...page, ...files }));
  expect(places).toMatchObject([{ file: `src/${Object.keys(files)[0]}`, line }]);
  expect(isCall).toBe(false);
});

test('an image without a call site can be a component in MDX', async () => {
  const tags = ['id={4711} crop={wide}', 'id={4712}', 'id={4711}', 'id={4711} corp="1:1"'];
  const text = tags.map((props) => `<MediaAsset ${props} alt="" />\n`).join('\n');
  const content = await project({ 'quay.mdx': text });
  const { places } = await placesOf({ id: 4711 }, content);
  expect(places.map(({ kind, line }) => [kind, line])).toEqual([
    ['component', 5],
    ['component', 7],
  ]);
});

test('an image in a line with several is a question', async () => {
  const image = '![Quay](media:4711)';
  const content = await project({ 'quay.md': `${image} ${image}\n` });
  const asked = { id: 4711, place: { file: 'src/quay.md', line: 1 } };
  const { places, isCall } = await placesOf(asked, content);
  expect([places.map(({ column }) => column), isCall]).toEqual([[1, 21], false]);
});

test('a file comes from a link or a component for files, and an image from neither', async () => {
  const text =
    '<MediaFile id={4711} />\n\n<MediaAsset id={4711} alt="" />\n\n[Report](media:4711)\n';
  const content = await project({
    'quay.mdx': text,
    'report.md': '[A](media:4711) ![](media:4711)\n',
  });
  const linesOf = async (asked: { isFile?: boolean; place?: { file: string; line: number } }) =>
    (await placesOf({ id: 4711, ...asked }, content)).places.map(({ line, column }) => [
      line,
      column,
    ]);
  expect(await linesOf({ isFile: true })).toEqual([[1, 1]]);
  expect(await linesOf({})).toEqual([[3, 1]]);
  expect((await placesOf({ id: 4711, isFile: true }, content)).places[0]?.isVideo).toBeUndefined();
  const place = { file: 'src/report.md', line: 1 };
  expect(await linesOf({ place, isFile: true })).toEqual([[1, 1]]);
  expect(await linesOf({ place })).toEqual([[1, 17]]);
});

test('numbers alone are offered as what they are, if nothing else has the ID', async () => {
  const numbers = { ...page, 'quay.md': '---\nhero: 4711\nviews: "4711"\n---\n' };
  const { places, isCall } = await placesOf(shown, await project(numbers));
  expect(isCall).toBe(false);
  expect(places.map(({ line, number }) => [line, number])).toEqual([
    [2, 4711],
    [3, 4711],
  ]);
  const sure = { 'ferry.md': '---\nhero: { id: 4711 }\n---\n' };
  const found = await placesOf(shown, await project({ ...numbers, ...sure }));
  expect(found.places).toMatchObject([{ file: 'src/ferry.md', line: 2 }]);
  expect(found.places[0]?.number).toBeUndefined();
});

test('an image without a place has a reason', async () => {
  const { places, notice } = await placesOf(shown, await project(page));
  expect(places).toEqual([]);
  expect(notice?.message).toBe(
    "src/page.astro:1 has no plain value for the image (`id`), so the toolbar can't change it.",
  );
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
  expect(Object.values(await fixed(undefined))).toEqual([false, false, false]);
});
