import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  beginBuild,
  buildRulesOf,
  endBuild,
  stampOutput,
} from '../../../src/astro/build/build-mark.ts';
import type { SiteBuild } from '../../../src/astro/build/build-notes.ts';
import { reportBuild } from '../../../src/astro/build/report-build.ts';
import { type BuildRules, pagesDigest, sealAddresses } from '../../../src/usage/build-rules.ts';
import { startLocalServer } from '../../support/service/local-server.ts';
import { type BuiltFolder, createBuiltFolder } from '../../support/site/built-folder.ts';
import { siteBuild } from '../../support/site/site-build.ts';

let folder: BuiltFolder;

beforeEach(async () => {
  folder = await createBuiltFolder();
  onTestFinished(() => folder.delete());
});

const site = 'https://harbour.example';
const withoutSite = { site: undefined };

/** One of the project's builds, as far as its mark needs it. */
const build = (buildId: string, outDir = 'dist', config = {}, options = {}): SiteBuild =>
  siteBuild(folder.dir, { buildId, outDir, config: { site, ...config }, options });

const noPages = { pages: pagesDigest({ pages: [], files: [] }) };

const report = (marked: SiteBuild) => reportBuild(marked, folder.path('dist'));

const mark = async () =>
  JSON.parse(await readFile(folder.path('.media-asset/build.json'), 'utf8')) as BuildRules;

const unfinished = {
  code: 'build-unfinished',
  message: expect.stringContaining('has started in this folder'),
};

test('a build records its start and its end', async () => {
  await beginBuild(build('a'));
  expect(await mark()).toMatchObject({ build: 'a', outDir: 'dist', finished: false });
  await endBuild(build('a'), 'dist', noPages);
  expect(await mark()).toMatchObject({ build: 'a', output: 'dist', finished: true });
  expect(await mark()).toMatchObject(noPages);
});

test('a build records its images, so that a folder without them is another one', async () => {
  const image = `_astro/media-asset/4711-${'a'.repeat(16)}-${'b'.repeat(16)}-harbour.webp`;
  await folder.page('dist/index.html', 'Harbour', 4711);
  await folder.write(join('dist', image), 'pixels');
  const marked = build('a', 'dist', {}, { report: 'never' });
  await beginBuild(marked);
  await stampOutput(marked, marked.config.outDir);
  await report(marked);
  const plan = async () => (await folder.command(['plan', 'dist'])).stderr;
  expect(await plan()).not.toContain('[folder-mismatch]');
  await folder.remove(join('dist', image));
  expect(await plan()).toContain('[folder-mismatch]');
});

test.each([
  ['the same folder', 'dist', 'dist'],
  ['a folder inside its own', 'dist', 'dist/fr'],
  ['another folder', 'dist', 'dist-fr'],
])('a build fails at its end if another build started in %s', async (_, own, other) => {
  await beginBuild(build('a', own));
  await beginBuild(build('b', other));
  await expect(endBuild(build('a', own), own, noPages)).rejects.toMatchObject(unfinished);
  expect(await mark()).toMatchObject({ build: 'b', finished: false });
  await endBuild(build('b', other), other, noPages);
  await expect(endBuild(build('a', own), own, noPages)).rejects.toMatchObject(unfinished);
  expect(await mark()).toMatchObject({ build: 'b', finished: true });
});

test('a build seals its addresses with its credentials, if it has any', async () => {
  await beginBuild(build('a'));
  const sealed = await mark();
  expect(sealed.seal).toMatch(/^[\w-]{43}$/);
  expect(sealed.seal).toBe(sealAddresses(sealed, { accessToken: 'token' }));
  await beginBuild(build('b', 'dist', {}, { service: {} }));
  expect(Object.keys(await mark())).not.toContain('seal');
});

test('a build without a site leaves no mark, and no one can report its pages', async () => {
  await beginBuild(build('a', 'dist', withoutSite));
  await expect(mark()).rejects.toThrow('ENOENT');
  const other = build('b');
  await beginBuild(other);
  await stampOutput(other, other.config.outDir);
  await endBuild(other, 'dist', noPages);
  await folder.remove('dist');
  const bare = build('c', 'dist', withoutSite);
  await beginBuild(bare);
  await stampOutput(bare, bare.config.outDir);
  await endBuild(bare, 'dist', noPages);
  expect(await mark()).toMatchObject({ build: 'b', finished: true });
  await folder.page('dist/index.html', 'Harbour', 4711);
  expect((await folder.command(['plan', 'dist'])).stderr).toContain('[folder-mismatch]');
});

test('a build whose mark was deleted succeeds', async () => {
  await beginBuild(build('a'));
  await folder.remove('.media-asset');
  await endBuild(build('a'), 'dist', noPages);
  expect(await mark()).toMatchObject({ build: 'a', finished: true });
});

test.each([
  ['some pages', () => folder.page('dist/index.html', 'Harbour', 4711)],
  ['no page', () => mkdir(folder.path('dist'))],
  ['nothing', () => rm(folder.path('dist'), { recursive: true, force: true })],
])('a build reports nothing if another build has left %s', async (_, leave) => {
  await beginBuild(build('a'));
  await beginBuild(build('b'));
  await leave();
  await expect(report(build('a'))).rejects.toMatchObject(unfinished);
});

test.each([
  ['is a file', () => folder.write('.media-asset', '')],
  ['has a folder in place of its mark', () => folder.write('.media-asset/build.json/file', '')],
])(
  "a build fails at its start if .media-asset can't be written, because it %s",
  async (_, spoil) => {
    await spoil();
    await beginBuild(build('a', 'dist', withoutSite));
    await expect(beginBuild(build('a'))).rejects.toMatchObject({ code: 'file-unwritable' });
  },
);

describe('the stamp of a build', () => {
  const stampOf = async (marked: SiteBuild) => {
    await beginBuild(marked);
    await stampOutput(marked, marked.config.outDir);
    return ((await mark()) as { stamp: string }).stamp;
  };

  test('is a file in the output, and the same in each build', async () => {
    const stamp = await stampOf(build('a'));
    expect(stamp).toMatch(/^_astro\/media-asset\.[\da-f]{16}\.txt$/);
    expect(await readFile(folder.path(`dist/${stamp}`), 'utf8')).toContain('media-asset report');
    expect(await stampOf(build('b'))).toBe(stamp);
  });

  test.each<[what: string, outDir: string, config?: object, options?: object]>([
    ['how pages are named', 'dist', { trailingSlash: 'always' }],
    ['the excluded pages', 'dist', {}, { report: { exclude: ['/drafts/**'] } }],
    ['the folder', 'dist-quay'],
    ['the site', 'dist', { site: 'https://quay.example' }],
  ])('changes with %s', async (_, ...changed) => {
    const stamp = await stampOf(build('a'));
    expect(await stampOf(build('b', ...changed))).not.toBe(stamp);
  });
});

describe('the witness of a build', () => {
  const stamped = async (marked: SiteBuild) => {
    await stampOutput(marked, marked.config.outDir);
    return readFile(folder.path('dist/media-asset.json'), 'utf8').then(JSON.parse);
  };

  test('names the build next to its pages, and takes the place of an earlier one', async () => {
    const { startedAt } = build('a');
    const history = expect.any(String);
    expect(await stamped(build('a'))).toEqual({ version: 1, history, build: 'a', startedAt });
    expect(await stamped(build('b'))).toMatchObject({ build: 'b' });
  });

  test("never takes the place of the site's own file", async () => {
    await folder.write('dist/media-asset.json', '{"version":2}');
    await expect(stamped(build('a'))).rejects.toMatchObject({ code: 'witness-taken' });
    expect(await readFile(folder.path('dist/media-asset.json'), 'utf8')).toBe('{"version":2}');
  });

  test.each([
    ['without a site', withoutSite, {}],
    ['that never reports', {}, { report: 'never' }],
  ])("isn't written by a build %s", async (_, config, options) => {
    await expect(stamped(build('a', 'dist', config, options))).rejects.toThrow('ENOENT');
  });

  test('what was online at its start is in build.json, if the build is reported', async () => {
    const read = { kind: 'read', ...{ history: 'h', build: 'earlier' } };
    const live = await startLocalServer((_, response) => {
      const startedAt = '2026-02-01T08:00:00.000Z';
      response.end(JSON.stringify({ version: 1, ...read, startedAt }));
    });
    onTestFinished(() => live.close());
    for (const [when, witness] of [
      ['always', read],
      ['deploy', read],
      ['production', undefined],
    ] as const) {
      const marked = build('a', 'dist', { site: live.url }, { report: when });
      await beginBuild(marked);
      await endBuild(marked, 'dist', noPages);
      const found = (await mark()) as { witness?: object; history?: string };
      expect(found.history, when).toEqual(expect.any(String));
      if (witness) expect(found.witness, when).toMatchObject(witness);
      else expect(found.witness, when).toBeUndefined();
    }
  });
});

describe('the rules that a build leaves', () => {
  const rulesOf = (config: object, options?: object) =>
    buildRulesOf(build('a', 'dist', config, options));

  test('follow the Astro config', () => {
    const build = { format: 'file' };
    expect(rulesOf({ base: '/museum', trailingSlash: 'never', build })).toEqual({
      version: 1,
      site,
      base: '/museum',
      format: 'file',
      trailingSlash: 'never',
      exclude: [],
      service: 'http://127.0.0.1:9',
      project: 'harbour.example',
      contact: 'harbour.example',
      description: '',
      settings: {
        ...{ tokenEncoding: 'form', downloads: 'bytes', concurrency: 8 },
        tokenPath: '/1/oauth2/token',
        uploadFields: { filename: 'filename', size: 'size', folder: 'folder' },
        ...{ maxIdsPerRequest: 100, maxUnsent: 7, onError: 'warn', customFormat: 'size' },
      },
      cache: join('.cache', 'media-asset'),
    });
  });

  test('name a cache folder outside of the project', () => {
    const cacheDir = pathToFileURL(join(folder.dir, '../shared cache/'));
    expect(rulesOf({ cacheDir }).cache).toBe(join('..', 'shared cache', 'media-asset'));
  });

  test("contain the service's settings and no secret", () => {
    const accountsUrl = 'https://accounts.example';
    const named = { accountsUrl, clientId: 'site', tokenEncoding: 'json' };
    const service = { ...named, clientSecret: 'hunter2', password: 'hunter2' };
    const rules = rulesOf({}, { service, report: { maxUnsent: 2, onError: 'fail' } });
    expect(rules.settings).toMatchObject({ ...named, maxUnsent: 2, onError: 'fail' });
    expect(JSON.stringify(rules)).not.toContain('hunter2');
  });

  test('contain the fields that are sent with each usage', () => {
    const report = { project: 'Museum', description: 'Site', exclude: ['/drafts/**'] };
    expect(rulesOf({}, { report })).toMatchObject({ ...report, contact: 'Museum' });
    expect(rulesOf({}, { report: { ...report, contact: 'Keeper' } }).contact).toBe('Keeper');
  });

  test.each([
    [{ file: 'state/ledger.json' }, { file: 'state/ledger.json' }],
    [{ redis: 'redis://:hunter2@redis.example' }, 'redis'],
    [undefined, undefined],
  ])("name the ledger's store without possible secrets: %o", (store, expected) => {
    expect(rulesOf({}, { report: { store } }).store).toEqual(expected);
  });

  test.each([
    ['https://cdn.example', 'https://cdn.example'],
    [{ css: 'https://styles.example', fallback: 'https://cdn.example' }, 'https://styles.example'],
    [{ js: 'https://code.example', fallback: 'https://cdn.example' }, 'https://cdn.example'],
    [undefined, undefined],
  ])('know the URLs of linked stylesheets: %o', (assetsPrefix, expected) => {
    expect(rulesOf({ build: { format: 'directory', assetsPrefix } }).assetsPrefix).toBe(expected);
  });

  test.each([
    [{ css: '', fallback: 'https://cdn.example' }, ['https://cdn.example']],
    [{ js: 'https://code.example', fallback: '' }, ['https://code.example']],
    [undefined, undefined],
  ])('know every host of images, also if stylesheets have none: %o', (assetsPrefix, expected) => {
    const rules = rulesOf({ build: { format: 'directory', assetsPrefix } });
    expect(rules.assetsPrefixes).toEqual(expected);
  });
});
