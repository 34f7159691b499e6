/** @module-tag any-astro */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { displayedPixels, drawTestImage } from '../../support/images/test-images.ts';
import { findInFiles } from '../../support/process/find-in-files.ts';
import { blockOf } from '../../support/site/doc-blocks.ts';
import {
  downloads,
  type Snapshot,
  usagePosts,
  useSite,
} from '../../support/site/site-with-service.ts';

const setup = useSite('main-job');
let built: Snapshot;

beforeAll(async () => {
  await setup.build();
  built = await setup.snapshot();
});

beforeEach(() => setup.restore(built));

// The client and the cache handle an outage alike on every major of Astro.
describe('with the service stopped', { tags: ['any-astro'] }, () => {
  test('a build with a full cache succeeds, and names stale assets and unsent usages', async () => {
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
    const online = await setup.buildAlone();
    expect(online.output).toContain('1 reported, 0 removed');
    expect(setup.pairs()).toEqual([...listed, '4711 https://harbour.example/quay/'].sort());
  });

  test('a build with an empty cache fails, and names the page, the asset and the reason', {
    tags: ['slow'],
  }, async () => {
    await setup.restore();
    await setup.stopService();
    const { exitCode, output } = await setup.build();

    expect(exitCode).toBe(1);
    expect(output).toContain('service-unreachable');
    expect(output).toMatch(/asset 4713/);
    expect(output).toContain('ECONNREFUSED');
  });
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

    await setup.site.edit(
      'astro.config.mjs',
      'mediaAssets()',
      "mediaAssets({ unavailable: 'warn' })",
    );
    expect((await setup.build()).exitCode).toBe(0);
    expect(await findInFiles(cache, asset)).toEqual([]);

    await setup.replaceAsset('quay.png', bytes);
    expect((await setup.build()).exitCode).toBe(0);
    expect(setup.pairs()).toEqual(listed);
  });

  test('is left out with a warning if the site allows it, and its usages are removed', {
    tags: ['slow'],
  }, async () => {
    await setup.site.edit(
      'astro.config.mjs',
      'mediaAssets()',
      "mediaAssets({ unavailable: 'warn' })",
    );
    await setup.site.edit(
      'src/pages/quay.astro',
      '<h1>',
      '<MediaAsset id={4712} alt="The quay at dawn" class="wide" width={400} /><h1>',
    );
    await setup.deleteAsset('quay.png');
    const { exitCode, output } = await setup.build();

    expect(exitCode).toBe(0);
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

describe('an asset replaced in the service', () => {
  test('is downloaded again with its custom formats, and published under another URL', {
    tags: ['slow'],
  }, async () => {
    const before = await setup.site.read('dist/index.html');
    const other = { path: 'quay.png', width: 640, height: 480, seed: 77 };
    await setup.replaceAsset(other.path, await drawTestImage(other));
    await setup.build();

    const requests = downloads(setup.requests());
    expect(requests.filter((request) => request.startsWith('200 ')).sort()).toEqual([
      '200 /1/file/4712/download/-1?x1=40&y1=20&w=240&h=160',
      '200 /1/file/4712/download/0',
    ]);
    const after = await setup.site.read('dist/index.html');
    const address = /\/_astro\/media-asset\/4712-[^"]+\.png/;
    expect(address.exec(after)?.[0]).not.toBe(address.exec(before)?.[0]);
    const bytes = await setup.site.readOutput(address.exec(after)?.[0] ?? '');
    expect(await displayedPixels(bytes)).toMatchObject({ width: 240, height: 160 });
  });
});
