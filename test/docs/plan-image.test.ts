import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commandImage, printCommand } from '../../scripts/print-command.ts';
import { commandEntry, createBuiltFolder } from '../support/site/built-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const kept = join(root, 'fixtures/plan');
const readJson = async (path: string) => JSON.parse(await readFile(path, 'utf8'));

test("the image of a plan equals the command's output (else: npm run docs:pictures)", async () => {
  const folder = await createBuiltFolder();
  const { pages } = await readJson(join(kept, 'pages.json'));
  for (const [page, { pageName, assets }] of Object.entries<{ pageName: string; assets: object }>(
    pages,
  )) {
    const file = join('dist', new URL(page).pathname, 'index.html');
    await folder.page(file, pageName, ...Object.keys(assets));
  }
  await cp(kept, folder.path('.media-asset'), { recursive: true });
  const { stamp } = await readJson(join(kept, 'build.json'));
  await folder.write(join('dist', stamp), '');
  const output = await printCommand(commandEntry, 'plan', { dir: folder.dir, variables: {} });
  expect(commandImage('plan', output)).toBe(await readFile(join(root, 'docs/plan.svg'), 'utf8'));
  await folder.delete();
});
