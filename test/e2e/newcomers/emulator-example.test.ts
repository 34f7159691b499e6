/**
 * Depends on Vitest and the emulator, not on Astro:
 * @module-tag any-astro
 * @module-tag slow
 */

import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawTestImages } from '../../support/images/test-images.ts';
import { createSite, run, type Site } from '../../support/site/site.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

let site: Site;

beforeAll(async () => {
  site = await createSite('bare');
  await drawTestImages(
    [{ path: 'boats/ferry.jpg', width: 300, height: 200 }],
    site.path('test/media'),
  );
  await site.edit('astro.config.mjs', 'https://bare.example', 'https://site.example');
  await site.write(
    'src/pages/index.astro',
    `---
import { MediaAsset } from 'astro-media-asset/components';
---
<html lang="en">
  <head><title>Boats</title></head>
  <body><MediaAsset id={4711} alt="The ferry" width={200} /></body>
</html>
`,
  );
  await symlink(join(root, 'node_modules/vitest'), site.path('node_modules/vitest'), 'junction');
  await symlink(join(root, 'node_modules/.bin'), site.path('node_modules/.bin'), 'junction');
});

afterAll(() => site.delete());

/** Returns the first example of a docs page whose first line names a file. */
async function exampleOf(page: string): Promise<{ file: string; text: string }> {
  const text = await readFile(join(root, page), 'utf8');
  const example = text.match(/```js\n(\/\/ (test\/\S+)\n.*?)```/s);
  if (example?.[1] === undefined || example[2] === undefined)
    throw new Error(`${page} has no example.`);
  return { file: example[2], text: example[1] };
}

test('the test that docs/reference/emulator.md shows runs unchanged and passes', async () => {
  const { file, text } = await exampleOf('docs/reference/emulator.md');
  await site.write(file, text);
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const { output, exitCode } = await run(site.dir, vitest, ['run', '--root', site.dir], {});
  expect(output).toMatch(/Tests +2 passed/);
  expect(exitCode).toBe(0);
});
