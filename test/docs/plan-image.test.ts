import { cp, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { planImage, printPlan } from '../../scripts/print-plan.ts';
import { fileStateStore } from '../../src/usage/ledger/file-state-store.ts';
import { loadLedger } from '../../src/usage/ledger/stored-ledger.ts';
import { commandEntry, createBuiltFolder } from '../support/site/built-folder.ts';

interface Scan {
  readonly pages: Readonly<
    Record<string, { pageName: string; assets: Readonly<Record<string, number>> }>
  >;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const kept = join(root, 'fixtures/plan');
const stories = join(root, 'playground/src/content/stories');
const readJson = async (path: string) => JSON.parse(await readFile(path, 'utf8'));

test("the image of a plan equals the command's output (else: npm run docs:pictures)", async () => {
  const folder = await createBuiltFolder();
  const { pages }: Scan = await readJson(join(kept, 'pages.json'));
  for (const [page, { pageName, assets }] of Object.entries(pages)) {
    await folder.page(
      join('dist', new URL(page).pathname, 'index.html'),
      pageName,
      ...Object.keys(assets),
    );
  }
  await cp(kept, folder.path('.media-asset'), { recursive: true });
  const { stamp } = await readJson(join(kept, 'build.json'));
  await folder.write(join('dist', stamp), '');
  const output = await printPlan(commandEntry, { dir: folder.dir, variables: {} });
  expect(planImage(output)).toBe(await readFile(join(root, 'docs/plan.svg'), 'utf8'));
  await folder.delete();
});

test('the image of a plan has the stories of the playground (else: npm run docs:pictures)', async () => {
  const { service, site, base } = await readJson(join(kept, 'build.json'));
  const [ledgerFile = ''] = (await readdir(kept)).filter((name) => name.startsWith('ledger-'));
  const store = fileStateStore({ path: join(kept, ledgerFile) });
  const { ledger } = await loadLedger(store, { service, site, base });
  const drawn = [...ledger.pages.keys()].filter((page) => /\/stories\/./.test(page));
  const files = await readdir(stories);
  expect(drawn.map((page) => `${basename(page)}.md`).sort()).toEqual(files.sort());
  for (const page of drawn) {
    const story = await readFile(join(stories, `${basename(page)}.md`), 'utf8');
    const [record] = ledger.pages.get(page) ?? [];
    const [, title] = /^title: (.*)$/m.exec(story) ?? [];
    const ids = [...story.matchAll(/asset: (\d+)/g)].map(([, id]) => Number(id));
    expect(record?.pageName).toBe(`${title} – Ravnsund Museum`);
    expect(record?.ids).toEqual(expect.arrayContaining(ids));
  }
});
