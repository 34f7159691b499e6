import { mkdir, readFile, rm } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { AstroConfig } from 'astro';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { beginBuild, endBuild, stampOutput } from '../../../src/astro/build/build-mark.ts';
import { reportBuild } from '../../../src/astro/build/report-build.ts';
import { resolveOptions } from '../../../src/config/options.ts';
import { pagesDigest } from '../../../src/usage/site-usages.ts';
import { type BuiltFolder, createBuiltFolder } from '../../support/site/built-folder.ts';

let folder: BuiltFolder;

beforeEach(async () => {
  folder = await createBuiltFolder();
  onTestFinished(() => folder.delete());
});

type BuildParameters = Parameters<typeof beginBuild>[0] & Parameters<typeof reportBuild>[0];

/** Runs one of the project's builds, limited to its mark. */
function build(
  buildId: string,
  outDir = 'dist',
  site: string | undefined = 'https://harbour.example',
  report: 'always' | 'never' = 'always',
): BuildParameters {
  const root = pathToFileURL(`${folder.dir}/`);
  const config: Partial<AstroConfig> = {
    ...{ ...(site && { site }), base: '/', trailingSlash: 'ignore' },
    ...{ root, outDir: new URL(`${outDir}/`, root), cacheDir: new URL('.cache/', root) },
    build: { format: 'directory', assets: '_astro' } as AstroConfig['build'],
  };
  return {
    buildId,
    startedAt: '2026-03-01T12:00:00.000Z',
    config,
    options: resolveOptions({ service: { accessToken: 'token' }, report }, {}),
    service: { baseUrl: 'http://127.0.0.1:9' },
    images: {
      people: { names: () => ({}) },
      publisher: { digests: async () => ({}), originals: async () => ({}) },
    },
  } as unknown as BuildParameters;
}

const begin = (marked: BuildParameters) =>
  beginBuild(marked, {
    markdown: { throwIfFailed() {} },
    checks: { start() {}, done: async () => {} },
  });

const noPages = { pages: [] };

const mark = async () =>
  JSON.parse(await readFile(folder.path('.media-asset/build.json'), 'utf8')) as object;

const unfinished = {
  code: 'build-unfinished',
  message: expect.stringContaining('has started in this folder'),
};

test('a build records its start and its end', async () => {
  await begin(build('a'));
  expect(await mark()).toMatchObject({ build: 'a', outDir: 'dist', finished: false });
  await endBuild(build('a'), 'dist', noPages);
  expect(await mark()).toMatchObject({ build: 'a', output: 'dist', finished: true });
  expect(await mark()).toMatchObject({ pages: pagesDigest(noPages) });
});

test.each([
  ['the same folder', 'dist', 'dist'],
  ['a folder inside its own', 'dist', 'dist/fr'],
  ['a folder around its own', 'dist/fr', 'dist'],
])('a build fails at its end if another build started in %s', async (_, own, other) => {
  await begin(build('a', own));
  await begin(build('b', other));
  await expect(endBuild(build('a', own), own, noPages)).rejects.toMatchObject(unfinished);
  expect(await mark()).toMatchObject({ build: 'b', finished: false });
  await endBuild(build('b', other), other, noPages);
  await expect(endBuild(build('a', own), own, noPages)).rejects.toMatchObject(unfinished);
  expect(await mark()).toMatchObject({ build: 'b', finished: true });
});

test("a build succeeds next to one in another folder, and keeps that build's mark", async () => {
  await begin(build('a', 'dist'));
  await begin(build('b', 'dist-fr'));
  await endBuild(build('a', 'dist'), 'dist', noPages);
  expect(await mark()).toMatchObject({ build: 'b', finished: false });
});

test('a build without a site leaves no mark, and only deletes the mark of its own folder', async () => {
  await begin(build('a', 'dist', ''));
  await expect(mark()).rejects.toThrow('ENOENT');
  await begin(build('b'));
  await endBuild(build('b'), 'dist', noPages);
  await begin(build('c', 'dist-preview', ''));
  expect(await mark()).toMatchObject({ build: 'b', finished: true });
  await begin(build('d', 'dist', ''));
  await endBuild(build('d', 'dist', ''), 'dist', noPages);
  expect(await mark()).toMatchObject({ build: 'd', output: 'dist', finished: false });
});

test('a build whose mark was deleted succeeds', async () => {
  await begin(build('a'));
  await folder.remove('.media-asset');
  await endBuild(build('a'), 'dist', noPages);
  expect(await mark()).toMatchObject({ build: 'a', finished: true });
});

test.each([
  ['some pages', () => folder.page('dist/index.html', 'Harbour', 4711)],
  ['no page', () => mkdir(folder.path('dist'))],
  ['nothing', () => rm(folder.path('dist'), { recursive: true, force: true })],
])('a build reports nothing if another build has left %s', async (_, leave) => {
  await begin(build('a'));
  await begin(build('b'));
  await leave();
  const logger = { info() {}, warn() {}, error() {} } as never;
  const options = { dir: folder.path('dist'), rendersOnDemand: false, logger };
  await expect(reportBuild(build('a'), options)).rejects.toMatchObject(unfinished);
});

describe("when .media-asset can't be written", () => {
  const site = 'https://harbour.example';

  test.each([
    ['is a file', () => folder.write('.media-asset', '')],
    ['has a folder in place of its mark', () => folder.write('.media-asset/build.json/file', '')],
  ])('because it %s, a build needs it unless it never reports', async (_, spoil) => {
    await spoil();
    await folder.page('dist/index.html', 'Harbour', 4711);
    for (const address of [site, '']) {
      const never = build('a', 'dist', address, 'never');
      await begin(never);
      const logger = { info() {}, warn() {}, error() {} } as never;
      const options = { dir: folder.path('dist'), rendersOnDemand: false, logger };
      expect(await reportBuild(never, options)).toMatchObject({ failure: undefined });
    }
    await expect(begin(build('a'))).rejects.toMatchObject({ code: 'file-unwritable' });
  });

  test('a build that never reports succeeds with the mark of an earlier build', async () => {
    await begin(build('a'));
    await endBuild(build('b', 'dist', site, 'never'), 'dist', noPages);
    expect(await mark()).toMatchObject({ build: 'a', finished: false });
  });
});

describe('the stamp of a build', () => {
  const stampOf = async (marked: BuildParameters) => {
    await begin(marked);
    await stampOutput(marked, marked.config.outDir);
    return ((await mark()) as { stamp: string }).stamp;
  };

  test('is a file in the output, and the same in each build', async () => {
    const stamp = await stampOf(build('a'));
    expect(stamp).toMatch(/^_astro\/media-asset\.[\da-f]{16}\.txt$/);
    expect(await readFile(folder.path(`dist/${stamp}`), 'utf8')).toContain('media-asset report');
    expect(await stampOf(build('b'))).toBe(stamp);
  });

  test.each<[string, (marked: BuildParameters) => unknown]>([
    ['how pages are named', ({ config }) => ({ config: { ...config, trailingSlash: 'always' } })],
    [
      'the excluded pages',
      () => ({ options: resolveOptions({ report: { exclude: ['/drafts/**'] } }, {}) }),
    ],
    ['the folder', () => ({ config: build('b', 'dist-quay').config })],
    ['the site', () => ({ config: build('b', 'dist', 'https://quay.example').config })],
  ])('changes with %s', async (_, change) => {
    const first = build('a');
    const other = { ...build('b'), ...(change(first) as object) } as BuildParameters;
    expect(await stampOf(other)).not.toBe(await stampOf(first));
  });
});
