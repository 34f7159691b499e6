import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { failureMarker, formatFailure } from '../../src/astro/markdown-failure.ts';
import { readServerCode } from '../../src/astro/read-server-code.ts';
import { refusalMarker } from '../../src/astro/refusals.ts';
import { mediaAssetError } from '../../src/errors.ts';

const address = (id: number) =>
  `/_astro/media-asset/${id}-0123456789abcdef-fedcba9876543210/the-quay.webp`;

async function serverWith(files: Record<string, string>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'server-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, name)), { recursive: true });
    await writeFile(join(dir, name), text);
  }
  return dir;
}

test.each<[string, (name: string, value: string) => string]>([
  ['HTML in a string', (name, value) => JSON.stringify(`<img ${name}="${value}">`)],
  [
    'HTML in a string of a string',
    (name, value) => JSON.stringify(JSON.stringify(`${name}="${value}"`)),
  ],
  ['a property of JSX', (name, value) => `_jsx("img", { "${name}": "${value}" })`],
  ['HTML in a template', (name, value) => `\`<img ${name}="${value}">\``],
])('addresses and markers are found in %s', async (_, write) => {
  const failure = mediaAssetError('alt-missing', { id: 4713, page: 'src/pages/rope.md:3' });
  const dir = await serverWith({
    'chunks/rope.mjs': `const html = ${write('src', address(4711))};`,
    'chunks/boat.js': `const html = ${write(refusalMarker, '4712')};`,
    'entry.mjs': `const html = ${write(failureMarker, formatFailure(failure))};`,
  });
  const { renditions, refused, failures } = await readServerCode(dir);
  expect(renditions).toMatchObject([{ id: 4711, name: 'the-quay' }]);
  expect(refused).toEqual([4712]);
  expect(failures).toMatchObject([{ code: 'alt-missing', message: failure.message }]);
});

test('what is no code of the server is not read', async () => {
  const dir = await serverWith({
    '.prerender/chunks/rope.mjs': address(4711),
    'assets/rope.webp': address(4712),
    'component.mjs': `addAttribute(asset.id, "${refusalMarker}")`,
  });
  expect(await readServerCode(dir)).toEqual({ renditions: [], refused: [], failures: [] });
});

test('a site without a server has no such code', async () => {
  const dir = await serverWith({});
  expect(await readServerCode(join(dir, 'server'))).toMatchObject({ renditions: [] });
});
