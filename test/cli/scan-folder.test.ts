import { mkdir, symlink } from 'node:fs/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkOutput } from '../../src/cli/usage/scan-folder.ts';
import { createBuiltFolder } from '../support/site/built-folder.ts';

/** A project as an adapter leaves it. */
async function project() {
  const folder = await createBuiltFolder();
  onTestFinished(() => folder.delete());
  await folder.page('dist/client/index.html', 'Harbour', 4711);
  await folder.page('dist/client/quay/index.html', 'The quay', 4712);
  await folder.write('dist/server/entry.mjs', '');
  const check = (named: string, output?: string, site?: string) =>
    checkOutput(named, { output, site, directory: folder.dir });
  return { ...folder, check };
}

describe('a folder that holds the built pages', () => {
  test.each([
    ['dist', 'dist/client'],
    ['./dist/', 'dist/client'],
    ['.', 'dist/client'],
  ])('is refused, and the right one named: %s', async (named, pages) => {
    const { check } = await project();
    await expect(check(named, 'dist/client')).rejects.toMatchObject({
      code: 'folder-mismatch',
      message: expect.stringMatching(new RegExp(`that is ${pages}\\.$`)),
    });
  });

  test('is refused by its real place, whatever link leads there', async () => {
    const { check, path } = await project();
    await symlink(path('dist'), path('public'), 'junction');
    await expect(check('public', 'dist/client')).rejects.toThrow('that is public/client.');
  });

  test('is known without a build by the server that an adapter puts beside them', async () => {
    const { check } = await project();
    await expect(check('dist')).rejects.toThrow('that is dist/client.');
    await expect(check('dist/client')).resolves.toBe(undefined);
  });
});

describe('a folder is taken', () => {
  test.each([
    ['the built pages themselves', 'dist/client', 'dist/client'],
    ['the same in other words', './dist/../dist/client/', 'dist/client'],
    ['one that the build has linked', 'linked', 'dist/client'],
    ['one that the build has named, whatever it holds', 'dist', 'dist'],
    ['one that is not there', 'nowhere', 'dist/client'],
    ['one that held pages which are elsewhere now', 'dist', 'dist/site'],
    ['a build that was fetched under another name', 'dist/client', 'public'],
  ])('%s', async (_, named, output) => {
    const { check, path } = await project();
    await symlink(path('dist/client'), path('linked'), 'junction');
    await expect(check(named, output, 'https://harbour.example')).resolves.toBe(undefined);
  });
});

describe('a folder beside the one that the last build has made', () => {
  test.each([
    ['another output', 'dist-a', 'dist-b'],
    ['one whose name begins like it', 'dist-b', 'dist'],
    ['the other way round', 'dist', 'dist-b'],
    ['another folder of the same output', 'dist/server', 'dist/client'],
  ])('is refused, unless the command names the site: %s', async (_, named, output) => {
    const { check, path } = await project();
    for (const name of ['dist-a', 'dist-b']) await mkdir(path(name));
    await expect(check(named, output, 'https://b.example')).rejects.toMatchObject({
      code: 'folder-mismatch',
      message: `${named} is not the folder of the built pages: that is ${output}, of https://b.example.`,
    });
    await expect(check(named, output)).resolves.toBe(undefined);
  });
});

test('a part of what the last build has made is refused, unless the command names the site', async () => {
  const { check } = await project();
  await expect(
    check('dist/client/quay', 'dist/client', 'https://harbour.example'),
  ).rejects.toMatchObject({
    code: 'folder-mismatch',
    message:
      'dist/client/quay is not the folder of the built pages: that is dist/client, of https://harbour.example.',
  });
  await expect(check('dist/client/quay', 'dist/client')).resolves.toBe(undefined);
});
