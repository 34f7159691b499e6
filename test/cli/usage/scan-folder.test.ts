import { cp, symlink } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { formatWitness } from '../../../src/usage/ledger/live-witness.ts';
import { useBuiltFolder } from '../../support/site/use-built-folder.ts';

const site = 'https://harbour.example';
const pages = 'dist/client';

const folder = useBuiltFolder();

/** A project with an adapter's output. */
beforeEach(async () => {
  await folder.page('dist/client/index.html', 'Harbour', 4711);
  await folder.page('dist/client/quay/index.html', 'The quay', 4712);
  await folder.write('dist/server/entry.mjs', '');
});

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

const witnessOf = (build: string) => {
  const startedAt = '2026-03-01T08:00:00.000Z';
  return formatWitness({ history: 'harbour', build, startedAt });
};

describe("a folder that isn't the last build's is refused", () => {
  test.each([
    ['the folder around it', 'dist'],
    ['the whole project', '.'],
    ['a folder inside it', 'dist/client/quay'],
    ['another folder of the same build', 'dist/server'],
    ['the folder of another build', 'dist-quay'],
  ])('%s', async (_, named) => {
    await folder.build({ output: pages }, pages);
    await folder.page('dist-quay/index.html', 'The quay', 4712);
    await folder.write('dist-quay/_astro/media-asset.4712.txt', '');
    const message = `${named} isn't the folder of the built pages. That is ${pages}, of ${site}.`;
    expect(await scan(named)).toMatchObject(mismatch(message));
    // The build's rules would apply anyway.
    expect(await scan(named, '--site', site)).toMatchObject(mismatch(message));
  });

  test('a folder with the right name but built with other rules', async () => {
    await folder.build({ output: pages }, pages);
    await folder.remove(`${pages}/_astro`);
    await folder.write(`${pages}/_astro/media-asset.4712.txt`, '');
    const message = "dist/client wasn't built with the rules in .media-asset/build.json.";
    expect(await scan(pages)).toMatchObject(mismatch(message));
  });

  test('a folder of another build with the same rules and pages', async () => {
    await folder.build({ output: pages, build: 'b2' }, pages);
    await folder.write(`${pages}/media-asset.json`, witnessOf('b1'));
    const message = 'dist/client has another media-asset.json than the last build made.';
    expect(await scan(pages)).toMatchObject(mismatch(message));
  });

  test('a folder of a version that left no stamp', async () => {
    await folder.build({ stamp: undefined, output: pages }, pages);
    expect(await scan(pages)).toMatchObject({ code: 'folder-mismatch' });
  });

  test('a folder of an unfinished build', async () => {
    await folder.build({ finished: false }, pages);
    expect(await scan(pages)).toMatchObject({ code: 'build-unfinished' });
  });

  test("an adapter's output folder with the server next to the pages, also without a build", async () => {
    expect(await scan('dist', '--site', site)).toMatchObject(
      mismatch("dist isn't the folder of the built pages. That is dist/client."),
    );
    expect(await scan(pages, '--site', site)).toEqual(isBuilt);
  });
});

describe('the built pages are recognized', () => {
  beforeEach(() => folder.build({ output: pages }, pages));

  test('with any folder name, and in a copy', async () => {
    await symlink(folder.path(pages), folder.path('linked'), 'junction');
    await cp(folder.path(pages), folder.path('public'), { recursive: true });
    for (const name of [pages, './dist/../dist/client/', 'linked', 'public']) {
      expect(await scan(name)).toEqual(isBuilt);
    }
  });

  test("by the build that they name, or without one: an older version's, or a file of the site", async () => {
    for (const [build, text] of [
      ['b1', witnessOf('b1')],
      [undefined, witnessOf('b1')],
      ['b1', '{"version":1}'],
    ]) {
      await folder.build({ output: pages, build }, pages);
      await folder.write(`${pages}/media-asset.json`, text ?? '');
      expect(await scan(pages)).toEqual(isBuilt);
    }
  });

  test('after the host changed, added and removed files', async () => {
    await folder.page('dist/client/index.html', 'Harbour, rewritten by a host', 4711, 4713);
    await folder.page('dist/client/ferry/index.html', 'The ferry', 4714);
    await folder.remove('dist/client/quay');
    expect(await scan(pages)).toEqual([`${site}/`, `${site}/ferry/`]);
  });

  test('as a missing folder if they are gone', async () => {
    await folder.remove('dist');
    const message = 'There is no folder dist/client.';
    expect(await scan(pages)).toMatchObject({ code: 'folder-missing', message });
  });

  test('as a missing folder if another one is named, with the one that the build recorded', async () => {
    expect(await scan('build')).toMatchObject({
      code: 'folder-missing',
      message: "There is no folder build. The last build's pages are in dist/client.",
    });
  });
});

test("a folder of another site doesn't need the last build's rules", async () => {
  await folder.build({ output: pages }, pages);
  await folder.page('dist-quay/index.html', 'The quay', 4712);
  expect(await scan('dist-quay', '--site', 'https://quay.example')).toEqual([
    'https://quay.example/',
  ]);
});
