/**
 * @module-tag any-astro
 * @module-tag slow
 */
import { cp } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { serveFolder } from '../../support/site/serve-folder.ts';
import { astroConfig, astroPage } from '../../support/site/site-files.ts';
import { outputOf, useSite } from '../../support/site/site-with-service.ts';

const setup = useSite('bare');

test('a site with a base notices that its state was lost, and has one file for it', async () => {
  const live = await serveFolder(setup.site.path('live'));
  onTestFinished(() => live.close());
  const settings = `site: '${live.url}', base: '/docs', build: { assetsPrefix: 'https://cdn.example' },`;
  await setup.site.write('astro.config.mjs', astroConfig('', settings));
  await setup.site.write('src/pages/index.astro', astroPage('<MediaAsset id={4711} alt="" />'));
  const built = async () => JSON.parse(await setup.site.read('.media-asset/build.json'));
  await outputOf(setup.build());
  expect((await built()).witness).toMatchObject({ kind: 'unread', problem: 'status 404' });
  expect(await setup.site.files('dist/**/media-asset.json')).toEqual(['dist/media-asset.json']);
  const online = JSON.parse(await setup.site.read('dist/media-asset.json'));
  const { build, history, startedAt } = await built();
  expect(online).toEqual({ version: 1, history, build, startedAt });

  await cp(setup.site.dist, setup.site.path('live/docs'), { recursive: true });
  await outputOf(setup.build());
  const { version: _, ...read } = online;
  expect((await built()).witness).toEqual({ kind: 'read', ...read });
  expect((await setup.data('status')).gaps).toMatchObject({ ledger: null });
  expect(JSON.parse(await setup.site.read('dist/media-asset.json')).history).toBe(history);

  await setup.site.remove('.media-asset');
  expect(await outputOf(setup.build())).toContain('[ledger-gap]');
  const gap = { kind: 'gap', reason: 'lost', detail: build, site: `${live.url}/docs/` };
  expect((await setup.data('status')).gaps.ledger).toMatchObject(gap);
});

test.each([
  ['public/media-asset.json', '{}'],
  ['src/pages/media-asset.json.js', "export const GET = () => new Response('[]');"],
])("a build fails rather than take the place of the site's own %s", async (file, text) => {
  await setup.site.write(file, text);
  const output = await outputOf(setup.build(), 1);
  expect(output).toContain('[witness-taken]');
  await setup.site.remove(file);
});
