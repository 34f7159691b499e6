/** @module-tag slow */
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openSiteWithService } from '../../support/site/site-with-service.ts';

const entry = fileURLToPath(
  new URL('../../../dist/authoring/toolbar/app/entry.js', import.meta.url),
);

/** The files that a module loads, with itself. `lazily`: also those of `import()`. */
async function filesOf(file: string, { lazily }: { lazily: boolean }): Promise<Set<string>> {
  const found = new Set<string>();
  const pattern = lazily
    ? /\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g
    : /\b(?:from|import)\s*['"](\.[^'"]+)['"]/g;
  const add = async (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    const code = await readFile(path, 'utf8');
    for (const [, name = ''] of code.matchAll(pattern)) await add(resolve(dirname(path), name));
  };
  await add(file);
  return found;
}

/** In bytes, as a server sends them: each file compressed by itself. */
async function sentSize(files: Iterable<string>): Promise<number> {
  let size = 0;
  for (const file of files) size += gzipSync(await readFile(file)).length;
  return size;
}

describe('the script of the toolbar', () => {
  test('has at most 40 kB', async () => {
    const files = await filesOf(entry, { lazily: true });
    expect([...files].map((file) => basename(file))).toContain('open-app.js');
    expect(await sentSize(files)).toBeLessThanOrEqual(40_000);
  });

  test('has at most 1 kB until the app is opened', async () => {
    expect(await sentSize(await filesOf(entry, { lazily: false }))).toBeLessThanOrEqual(1000);
  });
});

test('a build is the same, byte for byte, with the toolbar and without', async () => {
  const setup = await openSiteWithService('main-job');
  async function build(): Promise<Record<string, string>> {
    const { exitCode, output } = await setup.build();
    expect(exitCode, output).toBe(0);
    const folder = join(setup.site.dir, 'dist');
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((one) => one.isFile())
      .map((one) => join(one.parentPath, one.name));
    return Object.fromEntries(
      await Promise.all(
        paths.map(async (path) => [
          path.slice(folder.length),
          (await readFile(path)).toString('latin1'),
        ]),
      ),
    );
  }
  await setup.site.edit('astro.config.mjs', 'mediaAssets()', 'mediaAssets({ toolbar: false })');
  const without = await build();
  await setup.site.edit('astro.config.mjs', '{ toolbar: false }', '');
  const files = await build();
  await setup.close();
  expect(Object.keys(files)).toEqual(
    expect.arrayContaining(['/index.html', '/notes/rope/index.html']),
  );
  expect(Object.keys(files).sort()).toEqual(Object.keys(without).sort());
  for (const [path, content] of Object.entries(files)) {
    expect(content === without[path], path).toBe(true);
    expect(content, path).not.toMatch(/media-asset-toolbar|astro-media-asset:/);
  }
});
