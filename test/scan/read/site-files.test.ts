import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { htmlFiles } from '../../../src/scan/read/site-files.ts';
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
const found = () => htmlFiles(dir, () => {}).sort();
const foundAndSkipped = () => {
  const skipped: string[] = [];
  const files = htmlFiles(dir, (file, reason) => skipped.push(`${file} ${reason}`));
  return { files, skipped: skipped.sort() };
};

describe('htmlFiles', () => {
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

  test("reports links that lead out of the folder, and doesn't follow them", async () => {
    await mkdir(join(parent, 'other'));
    await writeFile(join(parent, 'other/page.html'), '');
    await writeFile(join(parent, 'notes.txt'), '');
    await write('a/index.html');
    await symlink(join(parent, 'other/page.html'), path('a/page.html'));
    await symlink(join(parent, 'other'), path('a/folder'), 'junction');
    await symlink(join(parent, 'notes.txt'), path('notes.txt'));
    expect(foundAndSkipped()).toEqual({
      files: ['a/index.html'],
      skipped: ['a/folder outside', 'a/page.html outside'],
    });
  });

  test.skipIf(onWindows)("reports entries with the name of a page that aren't files", async () => {
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
    expect(foundAndSkipped()).toEqual({
      files: ['a/index.html'],
      skipped: [
        'a/pipe.html no-file',
        'below-a-file.html nowhere',
        'dangling.html nowhere',
        'link-to-pipe.html no-file',
        'loop.html nowhere',
        'socket.html no-file',
      ],
    });
  });

  test('follows the links in a folder that is itself a link', async () => {
    await write('a/index.html');
    await symlink(path('a'), path('b'), 'junction');
    await symlink(dir, join(parent, 'link'), 'junction');
    expect(htmlFiles(join(parent, 'link'), () => {}).sort()).toEqual([
      'a/index.html',
      'b/index.html',
    ]);
  });

  test("fails for a folder that is deleted before it's listed", async () => {
    await write('a/index.html');
    await symlink(parent, path('up'), 'junction');
    // Called during the listing of the root.
    const removeFolder = () => rmSync(path('a'), { recursive: true });
    const message = expect.stringContaining(path('a'));
    const cause = expect.objectContaining({ code: 'ENOENT' });
    expect(() => htmlFiles(dir, removeFolder)).toThrow(
      expect.objectContaining({ code: 'scan-unreadable', message, cause }),
    );
  });
});
