import { execFile } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { waitingPlaces } from '../../scripts/addresses.ts';
import { homepage } from '../../src/errors/homepage.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const all = [
  'src/errors/homepage.ts',
  'package.json: homepage',
  'package.json: repository',
  'package.json: bugs',
  'README.md',
  'docs/guides/ci-github.md',
  'docs/guides/takedown.md',
  'examples/blog/README.md',
  'examples/decap/README.md',
  'examples/keystatic/README.md',
  'examples/minimal/README.md',
];

test('all these places wait for the addresses of the website and the repository, or none', async () => {
  expect(await waitingPlaces(root)).toEqual(homepage ? [] : all);
});

/** A copy of everything that can wait, with a script that sets it. */
async function copyOfProject() {
  const folder = await temporaryFolder('addresses');
  for (const path of ['README.md', 'docs', 'examples', 'package.json', 'src/errors/homepage.ts'])
    await cp(join(root, path), join(folder, path), { recursive: true });
  const script = join(root, 'scripts/set-addresses.ts');
  const set = (...words: string[]) =>
    promisify(execFile)(process.execPath, [script, ...words], { cwd: folder });
  return { folder, set, read: (path: string) => readFile(join(folder, path), 'utf8') };
}

test('one command sets them all, and changes nothing the second time', async () => {
  const { folder, set, read } = await copyOfProject();
  await set('Harbour-Museum/media', 'https://docs.museum.example/');

  expect(await waitingPlaces(folder)).toEqual([]);
  expect(await read('src/errors/homepage.ts')).toContain(
    "homepage: string = 'https://docs.museum.example';",
  );
  const manifest = await read('package.json');
  expect(JSON.parse(manifest)).toMatchObject({
    name: 'astro-media-asset',
    homepage: 'https://docs.museum.example',
    repository: { type: 'git', url: 'git+https://github.com/Harbour-Museum/media.git' },
    bugs: 'https://github.com/Harbour-Museum/media/issues',
  });
  expect(await read('docs/guides/ci-github.md')).toContain(
    'uses: Harbour-Museum/media/.github/actions/setup@<commit>',
  );
  await set('Harbour-Museum/media', 'https://docs.museum.example/');
  expect(await read('package.json')).toBe(manifest);
});

test('the website is that of the repository unless another is named', async () => {
  const { set, read } = await copyOfProject();
  await set('Harbour-Museum/media');
  expect(JSON.parse(await read('package.json')).homepage).toBe(
    'https://harbour-museum.github.io/media',
  );
});

test('a name that is no repository changes nothing', async () => {
  const { folder, set } = await copyOfProject();
  const before = await waitingPlaces(folder);
  await expect(set('https://github.com/museum')).rejects.toThrow('Name the repository on GitHub');
  expect(await waitingPlaces(folder)).toEqual(before);
});
