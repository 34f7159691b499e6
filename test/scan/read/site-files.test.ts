import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { isPage, servedFiles } from '../../../src/scan/read/site-files.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

const onWindows = process.platform === 'win32';

let parent: string;
let dir: string;

beforeEach(async () => {
  parent = await temporaryFolder('site [files]');
  dir = join(parent, 'dist (1)');
  await mkdir(dir);
});

const path = (file: string) => join(dir, file);
const write = async (file: string) => {
  await mkdir(dirname(path(file)), { recursive: true });
  await writeFile(path(file), '');
};
const found = () => htmlFiles(dir).sort();

const htmlFiles = (folder: string) => servedFiles(folder, isPage);

describe('servedFiles', () => {
  test.each([
    'index.html',
    'a/b/c/index.html',
    '.html',
    '.hidden.html',
    '.well-known/index.html',
    '[slug]/index.html',
    '(group)/{a,b}.html',
    'alte werft/ö.html',
    'page.html/index.html',
    'node_modules/index.html',
  ])('finds %s', async (file) => {
    await write(file);
    expect(found()).toEqual([file]);
  });

  test.skipIf(onWindows).each(['*/**.html', 'back\\slash.html', 'line\nbreak/a.html'])(
    "finds %j, a name that Windows doesn't support",
    async (file) => {
      await write(file);
      expect(found()).toEqual([file]);
    },
  );

  test.each(['notes.txt', 'page.htm', 'page.html.bak', 'page.HTML', 'xhtml', 'html'])(
    'skips %s',
    async (file) => {
      await write(file);
      expect(found()).toEqual([]);
    },
  );

  test.each([
    ['to a page', 'a/index.html', 'link.html', ['a/index.html', 'link.html']],
    ['to a file with another name', 'a.txt', 'link.html', ['link.html']],
    ['with another name, to a page', 'a.html', 'link.txt', ['a.html']],
    ['to a folder', 'a', 'b', ['a/index.html', 'b/index.html']],
    ['to its own folder', 'a', 'a/again', ['a/index.html']],
    ['to the root', '.', 'a/top', ['a/index.html']],
    ['to nothing', 'missing', 'link', ['a/index.html']],
  ])('treats a link %s like hosts', async (_, target, link, expected) => {
    await write(target.endsWith('.txt') || target.endsWith('.html') ? target : 'a/index.html');
    await symlink(path(target), path(link), 'junction');
    expect(found()).toEqual(expected);
  });

  test('follows links that lead out of the folder', async () => {
    await mkdir(join(parent, 'other'));
    await writeFile(join(parent, 'other/page.html'), '');
    await writeFile(join(parent, 'notes.txt'), '');
    await write('a/index.html');
    await symlink(join(parent, 'other/page.html'), path('a/page.html'));
    await symlink(join(parent, 'other'), path('a/folder'), 'junction');
    await symlink(path('a'), join(parent, 'other/around'), 'junction');
    await symlink(join(parent, 'notes.txt'), path('notes.txt'));
    expect(found()).toEqual(['a/folder/page.html', 'a/index.html', 'a/page.html']);
  });

  test('follows a link to a folder above, once', async () => {
    await write('a/index.html');
    await symlink(parent, path('up'), 'junction');
    expect(found()).toEqual(['a/index.html', 'up/dist (1)/a/index.html']);
  });

  test('ends with an error if folders link to each other in endless ways', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `f${index}`);
    for (const name of names) {
      await write(`${name}/index.html`);
      for (const other of names) await symlink(path(other), path(`${name}/${other}`), 'junction');
    }
    const problem = expect.stringContaining('too many linked folders');
    expect(found).toThrow(expect.objectContaining({ code: 'scan-unreadable', message: problem }));
  });

  test.skipIf(onWindows)("lists what has a page's name and isn't a file", async () => {
    const server = createServer().listen(path('socket.html'));
    await once(server, 'listening');
    onTestFinished(() => {
      server.close();
    });
    await write('a/index.html');
    execFileSync('mkfifo', [path('a/pipe.html'), path('pipe')]);
    await symlink(path('pipe'), path('link-to-pipe.html'));
    await symlink(path('missing.html'), path('dangling.html'));
    await symlink(path('a/index.html/b.html'), path('below-a-file.html'));
    await symlink('loop.html', path('loop.html'));
    await symlink(path('missing'), path('dangling'));
    expect(found()).toEqual([
      ...['a/index.html', 'a/pipe.html', 'below-a-file.html', 'dangling.html'],
      ...['link-to-pipe.html', 'loop.html', 'socket.html'],
    ]);
  });

  test('follows the links in a folder that is itself a link', async () => {
    await write('a/index.html');
    await symlink(path('a'), path('b'), 'junction');
    await symlink(dir, join(parent, 'link'), 'junction');
    expect(htmlFiles(join(parent, 'link')).sort()).toEqual(['a/index.html', 'b/index.html']);
  });
});
