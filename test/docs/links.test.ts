import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastGlob from 'fast-glob';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFile(join(root, path), 'utf8');
const pages = ['README.md', ...(await fastGlob('docs/**/*.md', { cwd: root }))];
const files = new Set(await fastGlob(['README.md', 'LICENSE', 'docs/**'], { cwd: root }));

/** In blocks, and in lines of text. */
const code = /^```.*?^```|`[^`\n]*`/gms;

test('each image that a packed page names is in the package', async () => {
  const { files: packed } = JSON.parse(await read('package.json'));
  expect(packed).toContain('docs');
  const named = await Promise.all(
    pages.map(async (page) => {
      const text = (await read(page)).replace(code, '');
      const images = text.matchAll(/!\[[^\]]*\]\(([^)\s]+)\)/g);
      return Array.from(images, ([, path = '']) => posix.join(posix.dirname(page), path));
    }),
  );
  const images = named.flat();
  expect(images.length).toBeGreaterThan(10);
  expect(images.filter((path) => !path.startsWith('docs/') || !files.has(path))).toEqual([]);
});

/** The anchors that GitHub gives to a page's headings. */
function anchorsOf(text: string): string[] {
  return Array.from(
    text.replace(/^```.*?^```/gms, '').matchAll(/^#+ (.*)$/gm),
    ([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
  );
}

test.each(pages)('the links in %s lead to a page and a heading', async (page) => {
  const text = (await read(page)).replace(code, '');
  const broken: string[] = [];
  for (const [, link = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(link)) continue;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : posix.join(posix.dirname(page), path);
    const exists = files.has(target);
    if (!exists || (anchor && !anchorsOf(await read(target)).includes(anchor))) broken.push(link);
  }
  expect(broken).toEqual([]);
});
