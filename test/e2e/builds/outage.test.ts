/** @module-tag any-astro */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findInFiles } from '../../support/process/find-in-files.ts';
import { blockOf } from '../../support/site/doc-blocks.ts';
import {
  outputOf,
  type Snapshot,
  usagePosts,
  useSite,
} from '../../support/site/site-with-service.ts';

const setup = useSite('main-job');
const leftOut = "mediaAsset({ unavailable: 'warn' })";
let built: Snapshot;

beforeAll(async () => {
  await setup.build();
  built = await setup.snapshot();
});

beforeEach(() => setup.restore(built));

test('with the service stopped and a full cache, a build succeeds, and names stale assets and unsent usages', {
  tags: ['slow'],
}, async () => {
  const listed = setup.pairs();
  await setup.stopService();
  await setup.site.edit(
    'src/pages/quay.astro',
    '<h1>',
    '<MediaAsset id={4711} alt="" width={400} /><h1>',
  );
  const offline = await setup.buildAlone();

  expect(offline.exitCode).toBe(0);
  expect(offline.output).toContain('3 assets stale');
  expect(offline.output).toMatch(/unsent +1 usage, kept for the next run/);
  expect(offline.output).toMatch(/ECONNREFUSED/);

  await setup.startService();
  const online = await setup.build();
  expect(online.output).toContain('1 reported, 0 removed');
  expect(setup.pairs()).toEqual([...listed, '4711 https://harbour.example/quay/'].sort());
});

describe('an asset deleted in the service', () => {
  test('fails the next build, which names every page, is purged by the next successful one, and can come back', async () => {
    const listed = setup.pairs();
    const bytes = await setup.assetBytes('quay.png');
    const cache = setup.site.path('node_modules/.astro');
    // A unique word, because the names of the cache's files are digits too.
    const asset = /\b4712\b/;
    expect(await findInFiles(cache, asset)).not.toEqual([]);
    await setup.deleteAsset('quay.png');
    const { exitCode, output } = await setup.build();

    expect(exitCode).toBe(1);
    expect(output).toContain('asset-withdrawn');
    expect(output).toContain(
      'asset 4712 (404) on / (src/pages/index.astro:10:5), /quay/ (src/pages/quay.astro:9:5)',
    );
    expect(usagePosts(setup.requests())).toEqual([]);
    expect(setup.pairs()).toEqual(listed);
    expect(await findInFiles(cache, asset)).not.toEqual([]);

    await setup.site.edit('astro.config.mjs', 'mediaAsset()', leftOut);
    expect((await setup.build()).exitCode).toBe(0);
    expect(await findInFiles(cache, asset)).toEqual([]);

    await setup.replaceAsset('quay.png', bytes);
    expect((await setup.build()).exitCode).toBe(0);
    expect(setup.pairs()).toEqual(listed);
  });

  test('is left out with a warning if the site allows it, and its usages are removed', {
    tags: ['slow'],
  }, async () => {
    await setup.site.edit('astro.config.mjs', 'mediaAsset()', leftOut);
    await setup.site.edit(
      'src/pages/quay.astro',
      '<h1>',
      '<MediaAsset id={4712} alt="The quay at dawn" class="wide" width={400} /><h1>',
    );
    await setup.deleteAsset('quay.png');
    const output = await outputOf(setup.build());

    expect(output).toContain(
      'asset 4712 (404) on / (src/pages/index.astro:10:5), /quay/ (src/pages/quay.astro:8:5, src/pages/quay.astro:9:5)',
    );
    const page = await setup.site.read('dist/quay/index.html');
    expect(page).toContain('<img data-media-asset-unavailable="4712" alt="The quay, wide"');
    const shown = blockOf('guides/images', 'unavailable');
    expect(page).toContain(shown.trim().replace('4711', '4712'));
    expect(page).not.toContain('4712-');
    expect(setup.pairs()).toEqual([
      '4711 https://harbour.example/',
      '4713 https://harbour.example/404/',
      '4713 https://harbour.example/quay/',
    ]);
  });
});

describe('a service that refuses', { tags: ['slow'] }, () => {
  const refuse = (call: 'original' | 'signed-download' | 'folder-tree', status: number) =>
    ({ kind: 'status', call, status }) as const;

  test('all downloads by another origin has an outage', async () => {
    const listed = setup.pairs();
    await setup.emulator.setSettings({ downloads: 'redirect' });
    await setup.emulator.setFaults([refuse('signed-download', 403)]);
    await setup.site.edit('astro.config.mjs', 'mediaAsset()', leftOut);
    const output = await outputOf(setup.build());
    await setup.emulator.setSettings({ downloads: 'bytes' });
    expect(output).toContain('3 assets stale');
    expect(setup.pairs()).toEqual(listed);
  });

  test('all assets of a site is one error, whether the site has many or one', async () => {
    const listed = setup.pairs();
    await setup.emulator.setFaults([refuse('original', 410)]);
    const all = await setup.build();
    expect(all.output.match(/\[service-refuses-all\]/g)).toHaveLength(1);
    expect(all.exitCode).toBe(1);
    expect(setup.pairs()).toEqual(listed);

    await setup.emulator.clearFaults();
    await setup.site.edit('astro.config.mjs', 'mediaAsset()', leftOut);
    const quay = await setup.site.read('src/pages/quay.astro');
    await setup.site.remove('src/pages');
    await setup.site.write('src/pages/index.astro', quay.replace(/<MediaAsset id=.4713.*\n/, ''));
    await setup.build();
    const only = ['4712 https://harbour.example/'];
    expect(setup.pairs()).toEqual(only);
    await setup.emulator.setFaults([refuse('original', 403), refuse('folder-tree', 403)]);
    expect((await setup.build()).output).toContain('[service-refuses-all]');
    expect(setup.pairs()).toEqual(only);

    // The service answers another call, so the asset is withdrawn.
    await setup.emulator.setFaults([refuse('original', 404)]);
    const withdrawn = await setup.build();
    expect(withdrawn.output).toContain('asset 4712 (404) on /');
    expect(withdrawn.exitCode).toBe(0);
    expect(setup.pairs()).toEqual([]);
  });
});
