import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readNamedAssets } from '../../../src/assets/request/read-named-assets.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

async function namedIn(text: string, folder: string): Promise<number[]> {
  await writeFile(join(folder, 'page.mdx'), text);
  return readNamedAssets(folder);
}

test.each([
  ['<MediaAsset id={4711} alt="" />', [4711]],
  ['<MediaAsset\n  alt=""\n  id={ 4711 }\n/>', [4711]],
  ['<MediaAsset id={4711} crop={{ x: 400, y: 200, width: 2400, height: 1600 }} alt="" />', [4711]],
  ['<MediaAsset id={story.image} alt="" />', []],
  ['await getMediaAsset({ alt: "", id: 4711 })', [4711]],
  ['getMediaAsset({ id, alt })', []],
  ['![The quay](media:4711?crop=400,200,2400,1600&widths=640,1280)', [4711]],
  ['[![The quay](media:4711)](/quay/)', [4711]],
  ['[The report](media:4711?name=Report)', []],
  ['<a class="pdf" href="media:4711">The report</a>', []],
  [`[${'The report '.repeat(26)}](media:4711)`, []],
  [`<MediaAsset${' '.repeat(1990)} id={4711} />`, [4711]],
  [`<MediaAsset${' '.repeat(2000)} id={4711} />`, []],
  ['multimedia:4711', []],
  ['media:0', []],
  ['<MediaAsset id={-4711} alt="" />', [-4711]],
  ['![The quay](media:-4711)', [-4711]],
])('%s names %j', async (text, named) => {
  expect(await namedIn(text, await temporaryFolder('named'))).toEqual(named);
});

test('reads any text without an error, and finds only valid IDs', async () => {
  const folder = await temporaryFolder('named');
  const parts = ['<MediaAsset ', 'id={1}', '/>', 'getMediaAsset(', 'media:7?', ')'];
  const text = fc
    .array(fc.oneof(fc.constantFrom(...parts), fc.string()))
    .map((list) => list.join(''));
  await fc.assert(
    fc.asyncProperty(text, async (source) => {
      for (const id of await namedIn(source, folder)) expect(Number.isSafeInteger(id)).toBe(true);
    }),
  );
});

test('source files of all folders are read, unless people can hardly have written them', async () => {
  const folder = await temporaryFolder('named');
  const megabyte = 1024 ** 2;
  const files: [string, string][] = [
    ['pages/index.astro', '<MediaAsset id={1} />'],
    ['content/quay.md', '![](media:2)'],
    ['content/rope.mdx', '![](media:3)'],
    ['feed.xml.ts', 'getMediaAsset({ id: 4 })'],
    ['Card.vue', '<MediaAsset id={5} />'],
    ['styles.css', '/* media:6 */'],
    ['data.json', '["media:7"]'],
    ['large.ts', 'media:8'.padEnd(megabyte, ' ')],
    ['larger.ts', 'media:9'.padEnd(megabyte + 1, ' ')],
  ];
  for (const name of ['pages', 'content', 'a-folder.ts'])
    await mkdir(join(folder, name), { recursive: true });
  for (const [name, text] of files) await writeFile(join(folder, name), text);
  expect((await readNamedAssets(folder)).sort()).toEqual([1, 2, 3, 4, 5, 8]);
  expect(await readNamedAssets(join(folder, 'missing'))).toEqual([]);
});
