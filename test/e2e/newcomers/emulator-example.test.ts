/**
 * Depends on Vitest and the emulator, not on Astro:
 * @module-tag any-astro
 * @module-tag slow
 */
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { drawTestImages } from '../../support/images/test-images.ts';
import { docBlocks } from '../../support/site/doc-blocks.ts';
import { createSite, run } from '../../support/site/site.ts';
import { astroPage } from '../../support/site/site-files.ts';

const modules = fileURLToPath(new URL('../../../node_modules/', import.meta.url));

test('the test that docs/reference/emulator.md shows runs unchanged and passes', async () => {
  const site = await createSite('bare');
  onTestFinished(() => site.delete());
  const ferry = { path: 'boats/ferry.jpg', width: 300, height: 200 };
  await drawTestImages([ferry], site.path('test/media'));
  await site.edit('astro.config.mjs', 'https://bare.example', 'https://site.example');
  const page = astroPage('<MediaAsset id={4711} alt="The ferry" width={200} />');
  await site.write('src/pages/index.astro', page);
  for (const name of ['vitest', '.bin'])
    await symlink(join(modules, name), site.path(`node_modules/${name}`), 'junction');

  const example = docBlocks.find(({ page, file }) => {
    return page === 'reference/emulator' && file?.startsWith('test/');
  });
  await site.write(example?.file ?? '', example?.text ?? '');
  const words = ['run', '--root', site.dir];
  const { output, exitCode } = await run(site.dir, join(modules, 'vitest/vitest.mjs'), words, {});
  expect(output).toMatch(/Tests +2 passed/);
  expect(exitCode).toBe(0);
});
