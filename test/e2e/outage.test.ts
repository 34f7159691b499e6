import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { displayedPixels } from '../support/images/test-images.ts';
import { filesHolding } from '../support/process/find-in-files.ts';
import {
  downloads,
  type Harbour,
  type Mark,
  openHarbour,
  usagePosts,
} from '../support/site/site-with-service.ts';

let harbour: Harbour;
let built: Mark;

beforeAll(async () => {
  harbour = await openHarbour('main-job', { sharedAstro: true });
  await harbour.build();
  built = await harbour.mark();
});

beforeEach(() => harbour.rewind(built));

afterAll(() => harbour.close());

// How the client and the cache take it is the same on every major of Astro.
describe('with the service stopped', { tags: ['any-astro'] }, () => {
  test('a full cache is enough for a build, which says what is stale and unsent', async () => {
    const listed = harbour.pairs();
    await harbour.stopService();
    await harbour.site.edit(
      'src/pages/quay.astro',
      '<h1>',
      '<MediaAsset id={4711} alt="" width={400} /><h1>',
    );
    const offline = await harbour.buildAlone();

    expect(offline.exitCode).toBe(0);
    expect(offline.output).toContain('3 assets stale');
    expect(offline.output).toMatch(/unsent +1 usage, kept for the next run/);
    expect(offline.output).toMatch(/ECONNREFUSED/);

    await harbour.startService();
    const online = await harbour.buildAlone();
    expect(online.output).toContain('1 reported, 0 removed');
    expect(harbour.pairs()).toEqual([...listed, '4711 https://harbour.example/quay/'].sort());
  });

  test('a build with nothing in the cache fails and names the page, the asset and the reason', {
    tags: ['slow'],
  }, async () => {
    await harbour.rewind();
    await harbour.stopService();
    const { exitCode, output } = await harbour.build();

    expect(exitCode).toBe(1);
    expect(output).toContain('service-unreachable');
    expect(output).toMatch(/asset 4713/);
    expect(output).toContain('ECONNREFUSED');
  });
});

describe('an asset deleted in the service', () => {
  test('fails the next build, which names every page, and is purged by one that succeeds', async () => {
    const listed = harbour.pairs();
    const cache = harbour.site.path('node_modules/.astro');
    // A word of its own: the names of the cache's files are digits too.
    const asset = /\b4712\b/;
    expect(await filesHolding(cache, asset)).not.toEqual([]);
    await harbour.deleteAsset('quay.png');
    const { exitCode, output } = await harbour.build();

    expect(exitCode).toBe(1);
    expect(output).toContain('asset-withdrawn');
    expect(output).toContain('asset 4712 (404) on /, /quay/');
    expect(usagePosts(harbour.requests())).toEqual([]);
    expect(harbour.pairs()).toEqual(listed);
    expect(await filesHolding(cache, asset)).not.toEqual([]);

    await harbour.site.edit(
      'astro.config.mjs',
      'mediaAssets()',
      "mediaAssets({ unavailable: 'warn' })",
    );
    expect((await harbour.build()).exitCode).toBe(0);
    expect(await filesHolding(cache, asset)).toEqual([]);
  });

  test('is left out with a warning where the site asks for that, and its usages are removed', {
    tags: ['slow'],
  }, async () => {
    await harbour.site.edit(
      'astro.config.mjs',
      'mediaAssets()',
      "mediaAssets({ unavailable: 'warn' })",
    );
    await harbour.deleteAsset('quay.png');
    const { exitCode, output } = await harbour.build();

    expect(exitCode).toBe(0);
    expect(output).toContain('asset 4712 (404) on /, /quay/');
    const page = await harbour.site.read('dist/quay/index.html');
    expect(page).toContain('<img data-media-asset-unavailable="4712" alt="The quay, wide"');
    expect(page).not.toContain('4712-');
    expect(harbour.pairs()).toEqual([
      '4711 https://harbour.example/',
      '4713 https://harbour.example/404/',
      '4713 https://harbour.example/quay/',
    ]);
  });

  test('comes back with the asset', { tags: ['slow'] }, async () => {
    const bytes = await harbour.assetBytes('quay.png');
    await harbour.deleteAsset('quay.png');
    expect((await harbour.build()).exitCode).toBe(1);
    await harbour.replaceAsset('quay.png', bytes);
    const { exitCode } = await harbour.build();

    expect(exitCode).toBe(0);
    expect(harbour.pairs()).toContain('4712 https://harbour.example/quay/');
  });
});

describe('an asset replaced in the service', () => {
  test('is fetched anew with its custom formats, and published under another address', {
    tags: ['slow'],
  }, async () => {
    const before = await harbour.site.read('dist/index.html');
    const { drawTestPicture } = await import('../support/images/test-images.ts');
    const other = { path: 'quay.png', width: 640, height: 480, seed: 77 };
    await harbour.replaceAsset(other.path, await drawTestPicture(other));
    await harbour.build();

    const requests = downloads(harbour.requests());
    expect(requests.filter((request) => request.startsWith('200 ')).sort()).toEqual([
      '200 /1/file/4712/download/-1?x1=40&y1=20&w=240&h=160',
      '200 /1/file/4712/download/0',
    ]);
    const after = await harbour.site.read('dist/index.html');
    const address = /\/_astro\/media-asset\/4712-[^"]+\.png/;
    expect(address.exec(after)?.[0]).not.toBe(address.exec(before)?.[0]);
    const bytes = await harbour.site.readOutput(address.exec(after)?.[0] ?? '');
    expect(await displayedPixels(bytes)).toMatchObject({ width: 240, height: 160 });
  });
});
