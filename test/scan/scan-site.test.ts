import { execFileSync } from 'node:child_process';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ScanRules } from '../../src/scan/page-url.ts';
import { scanSite } from '../../src/scan/scan-site.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';

const site = 'https://www.example.org';
const rules: ScanRules = {
  site,
  base: '/',
  format: 'directory',
  trailingSlash: 'ignore',
  exclude: [],
};
const redirect = '<meta http-equiv="refresh" content="0;url=/elsewhere/">';

describe('scanSite', () => {
  let parent: string;
  let dir: string;

  beforeEach(async () => {
    parent = await temporaryFolder('scan-site');
    dir = join(parent, 'dist');
    await mkdir(dir);
  });

  const write = async (file: string, text: string) => {
    await mkdir(dirname(join(dir, file)), { recursive: true });
    await writeFile(join(dir, file), text);
  };
  const scan = (more: Partial<Parameters<typeof scanSite>[0]> = {}) =>
    scanSite({ dir, rules, ...more });

  test('returns the pages ordered by URL, and excluded ones apart', async () => {
    await write('index.html', '<title>Home</title><img data-media-asset="2 1">');
    await write('b/index.html', '<title>B</title><img data-media-asset="2">');
    await write('a/index.html', '<title>A</title>');
    await write('z/alte werft/ö/index.html', '<img data-media-asset="3">');
    await write('old/index.html', redirect);
    await write('drafts/c/index.html', '<img data-media-asset="9">');
    const image = `_astro/media-asset/4711-${'a'.repeat(16)}-${'b'.repeat(16)}-harbour.webp`;
    await write(image, 'pixels');
    await write('notes.txt', '<img data-media-asset="9">');
    await write('page.html.bak', '<img data-media-asset="9">');
    expect(await scan({ rules: { ...rules, exclude: ['/drafts/**'] } })).toEqual({
      site,
      base: '/',
      files: [image],
      pages: [
        { page: `${site}/`, pageName: 'Home', assets: [1, 2] },
        { page: `${site}/a/`, pageName: 'A', assets: [] },
        { page: `${site}/b/`, pageName: 'B', assets: [2] },
        { page: `${site}/z/alte%20werft/%C3%B6/`, pageName: '/z/alte werft/ö/', assets: [3] },
      ],
      findings: [],
      counts: { pages: 4, redirects: 1, excluded: 1 },
      excluded: [{ page: `${site}/drafts/c/`, pageName: '/drafts/c/', assets: [9] }],
      links: new Map(),
    });
  });

  test.each([
    ['/drafts/**', '/'],
    ['drafts/**', '/'],
    ['/drafts/c', '/'],
    ['/drafts/c/', '/'],
    ['/drafts/**', '/docs'],
    ['/docs/drafts/**', '/docs'],
  ])('the glob %s excludes a page below the base %s', async (glob, base) => {
    await write('index.html', '');
    await write('drafts/c/index.html', '');
    const { excluded } = await scan({ rules: { ...rules, base, exclude: [glob] } });
    const page = new URL(`${base.replace(/\/$/, '')}/drafts/c/`, site).href;
    expect(excluded).toMatchObject([{ page }]);
  });

  test('reports progress', async () => {
    for (let page = 1; page <= 150; page += 1) await write(`p${page}/index.html`, '');
    const steps: { done: number; total: number }[] = [];
    await scan({ onProgress: (progress) => steps.push(progress) });
    expect(steps).toEqual([64, 128, 150].map((done) => ({ done, total: 150 })));
  });

  test('names the files of a page that was built twice', async () => {
    await write('404.html', '<title>First</title><img data-media-asset="2">');
    await write('404/index.html', '<title>Second</title><img data-media-asset="1 2">');
    const { pages, findings } = await scan();
    expect(pages).toEqual([{ page: `${site}/404/`, pageName: 'First', assets: [1, 2] }]);
    expect(findings).toMatchObject([{ code: 'page-twice', page: `${site}/404/` }]);
    expect(findings[0]?.message).toContain('404.html and 404/index.html');
  });

  test('reads pages behind links, also of another folder', async () => {
    await mkdir(join(parent, 'archive'));
    await writeFile(join(parent, 'archive', 'old.html'), '<img data-media-asset="9">');
    await write('index.html', '<img data-media-asset="1">');
    await symlink(join(dir, 'index.html'), join(dir, 'inside.html'));
    await symlink(join(parent, 'archive'), join(dir, 'archive'));
    const { pages, findings } = await scan();
    expect(pages).toMatchObject([
      { page: `${site}/`, assets: [1] },
      { page: `${site}/archive/old.html`, assets: [9] },
      { page: `${site}/inside.html`, assets: [1] },
    ]);
    expect(findings).toEqual([]);
  });

  test.each([
    ['embedded as a document', '<object data="/a.svg"></object>', [9]],
    ['shown as an image, which loads nothing', '<img src="/a.svg" alt="">', []],
  ])('counts what a drawing shows that is %s', async (_, tag, assets) => {
    const image = '/media-asset/9-0123456789abcdef-0123456789abcdef-a.webp';
    await write('a.svg', `<svg xmlns="http://www.w3.org/2000/svg"><image href="${image}"/></svg>`);
    await write('index.html', tag);
    expect((await scan()).pages[0]?.assets).toEqual(assets);
  });

  test("doesn't read a stylesheet outside the folder", async () => {
    await writeFile(
      join(parent, 'secret.css'),
      'a { background: url(/media-asset/9-0123456789abcdef-0123456789abcdef-a.webp) }',
    );
    await write(
      'index.html',
      '<link rel="stylesheet" href="/..%2fsecret.css"><link rel="stylesheet" href="/">',
    );
    expect((await scan()).pages[0]?.assets).toEqual([]);
  });

  describe('fails, so that nothing is removed,', () => {
    test('without a folder', async () => {
      const missing = join(dir, 'missing');
      await expect(scan({ dir: missing })).rejects.toMatchObject({
        code: 'folder-missing',
        message: expect.stringContaining(missing),
      });
      await write('file', '');
      await expect(scan({ dir: join(dir, 'file') })).rejects.toMatchObject({
        code: 'folder-missing',
      });
    });

    test('without pages', async () => {
      await write('notes.txt', '');
      await expect(scan()).rejects.toMatchObject({
        code: 'scan-empty',
        message: `There is no HTML page below ${dir}.`,
      });
    });

    test('if all pages are excluded', async () => {
      await write('index.html', redirect);
      await write('a/index.html', '');
      await expect(scan({ rules: { ...rules, exclude: ['/a'] } })).rejects.toMatchObject({
        code: 'scan-empty',
        message: expect.stringContaining('1 redirect and 1 excluded page'),
      });
    });

    test('for a page that is nested too deeply', async () => {
      await write('index.html', `<base>${'<div>'.repeat(20_000)}`);
      await expect(scan()).rejects.toMatchObject({
        code: 'scan-unreadable',
        message: expect.stringContaining(`${site}/`),
      });
    });

    test.skipIf(process.platform === 'win32').each([
      ['a link that leads nowhere', () => symlink(join(dir, 'missing'), join(dir, 'page.html'))],
      ['a pipe', () => execFileSync('mkfifo', [join(dir, 'page.html')])],
    ])("for a page that's %s", async (_, make) => {
      await write('index.html', '');
      await make();
      await expect(scan()).rejects.toMatchObject({
        code: 'scan-unreadable',
        message: `${join(dir, 'page.html')} couldn't be read.`,
      });
    });

    test.each(['a.css', 'page.html'])('for %s if it is too large', async (file) => {
      await write('index.html', '<link rel="stylesheet" href="/a.css">');
      await write(file, '');
      await truncate(join(dir, file), 64 * 1024 ** 2 + 1);
      await expect(scan()).rejects.toMatchObject({
        code: 'scan-unreadable',
        message: `${join(dir, file)} couldn't be read: it's larger than 67108864 bytes.`,
      });
    });
  });
});
