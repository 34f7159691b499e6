import { cp, symlink } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BuiltFolder, createBuiltFolder } from '../support/site/built-folder.ts';

const site = 'https://harbour.example';
const pages = 'dist/client';

let folder: BuiltFolder;

/** A project as an adapter leaves it. */
beforeEach(async () => {
  folder = await createBuiltFolder();
  await folder.page('dist/client/index.html', 'Harbour', 4711);
  await folder.page('dist/client/quay/index.html', 'The quay', 4712);
  await folder.write('dist/server/entry.mjs', '');
});

afterEach(() => folder.delete());

async function scan(...words: string[]) {
  const { exitCode, stdout, stderr } = await folder.command(['scan', ...words, '--json']);
  if (exitCode !== 0) return (JSON.parse(stdout) as { error: object }).error;
  expect(stderr).toBe('');
  return Object.keys((JSON.parse(stdout) as { pages: object }).pages);
}

const isBuilt = expect.arrayContaining([`${site}/`]);
const mismatch = (message: string) => ({
  code: 'folder-mismatch',
  message,
  hint: expect.stringContaining('.media-asset/build.json'),
});

describe('a folder that the last build has not filled is refused', () => {
  test.each([
    ['the one around it', 'dist'],
    ['the whole project', '.'],
    ['a part of it', 'dist/client/quay'],
    ['another one of the same build', 'dist/server'],
    ['that of another build', 'dist-quay'],
  ])('%s', async (_, named) => {
    await folder.build({ output: pages }, pages);
    await folder.page('dist-quay/index.html', 'The quay', 4712);
    await folder.write('dist-quay/_astro/media-asset.4712.txt', '');
    const message = `${named} isn't the folder of the built pages. That is ${pages}, of ${site}.`;
    expect(await scan(named)).toMatchObject(mismatch(message));
    // The build's rules would be used all the same.
    expect(await scan(named, '--site', site)).toMatchObject(mismatch(message));
  });

  test('one with the right name that was built with other rules', async () => {
    await folder.build({ output: pages }, pages);
    await folder.remove(`${pages}/_astro`);
    await folder.write(`${pages}/_astro/media-asset.4712.txt`, '');
    const message = "dist/client wasn't built with the rules in .media-asset/build.json.";
    expect(await scan(pages)).toMatchObject(mismatch(message));
  });

  test('one whose rules are of a version that left no stamp', async () => {
    await folder.build({ stamp: undefined, output: pages }, pages);
    expect(await scan(pages)).toMatchObject({ code: 'folder-mismatch' });
  });

  test('one whose build was not finished', async () => {
    await folder.build({ finished: false }, pages);
    expect(await scan(pages)).toMatchObject({ code: 'build-unfinished' });
  });

  test('one that holds the pages next to the server of an adapter, without a build too', async () => {
    expect(await scan('dist', '--site', site)).toMatchObject(
      mismatch("dist isn't the folder of the built pages. That is dist/client."),
    );
    expect(await scan(pages, '--site', site)).toEqual(isBuilt);
  });
});

describe('the built pages are recognized', () => {
  beforeEach(() => folder.build({ output: pages }, pages));

  test('by any name of their folder', async () => {
    await symlink(folder.path(pages), folder.path('linked'), 'junction');
    for (const name of [pages, './dist/../dist/client/', 'linked']) {
      expect(await scan(name)).toEqual(isBuilt);
    }
  });

  test('in a copy under another name', async () => {
    await cp(folder.path(pages), folder.path('public'), { recursive: true });
    await folder.remove('dist');
    expect(await scan('public')).toEqual(isBuilt);
  });

  test('after a host has rewritten, added and removed some', async () => {
    await folder.page('dist/client/index.html', 'Harbour, rewritten by a host', 4711, 4713);
    await folder.page('dist/client/ferry/index.html', 'The ferry', 4714);
    await folder.remove('dist/client/quay');
    expect(await scan(pages)).toEqual([`${site}/`, `${site}/ferry/`]);
  });

  test('as a missing folder if they are gone', async () => {
    await folder.remove('dist');
    expect(await scan(pages)).toMatchObject({ code: 'folder-missing' });
  });
});

test('a folder of another site needs no rules of the last build', async () => {
  await folder.build({ output: pages }, pages);
  await folder.page('dist-quay/index.html', 'The quay', 4712);
  expect(await scan('dist-quay', '--site', 'https://quay.example')).toEqual([
    'https://quay.example/',
  ]);
});
