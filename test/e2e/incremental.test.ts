import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { drawTestPicture } from '../support/images/test-images.ts';
import { astroHas } from '../support/site/astro-major.ts';
import { type Harbour, type Mark, openHarbour } from '../support/site/site-with-service.ts';

let harbour: Harbour;
let built: Mark;

beforeAll(async () => {
  harbour = await openHarbour('incremental');
  await harbour.build();
  built = await harbour.mark();
});

beforeEach(() => harbour.rewind(built));

afterAll(() => harbour.close());

/** The size of the picture that a built page shows; fails where it is not in the output. */
async function pictureOf(page: string): Promise<{ src: string; size: number }> {
  const html = await harbour.site.read(`dist/${page}/index.html`);
  const src = /src="([^"]+)"/.exec(html)?.[1] ?? '';
  return { src, size: (await stat(join(harbour.site.dist, src))).size };
}

describe.runIf(astroHas('incremental builds'))('with incremental builds', () => {
  test('a page that Astro skips has its pictures in the output', async () => {
    const before = await pictureOf('aurora');
    const { output } = await harbour.build();

    expect(output).toMatch(/aurora\/index\.html \(restored\)/);
    expect(await pictureOf('aurora')).toEqual(before);
    expect((await pictureOf('borea')).size).toBeGreaterThan(0);
  });

  test('a skipped page keeps its pictures where another page is rendered anew', {
    tags: ['slow'],
  }, async () => {
    await harbour.site.edit(
      'src/boats.json',
      '"id": 4712, "digest": "1"',
      '"id": 4713, "digest": "2"',
    );
    const { output } = await harbour.build();

    expect(output).toMatch(/aurora\/index\.html \(restored\)/);
    expect(output).not.toMatch(/borea\/index\.html \(restored\)/);
    expect((await pictureOf('aurora')).size).toBeGreaterThan(0);
    expect((await pictureOf('borea')).src).toContain('/4713-');
    expect(harbour.pairs()).toEqual([
      '4711 https://harbour.example/aurora/',
      '4713 https://harbour.example/borea/',
    ]);
  });

  test('a page is rendered anew when its asset has changed in the service', {
    tags: ['slow'],
  }, async () => {
    const before = await pictureOf('aurora');
    const changed = { path: 'harbour.jpg', width: 640, height: 480, seed: 9 };
    await harbour.replaceAsset(changed.path, await drawTestPicture(changed));
    await harbour.build();

    const after = await pictureOf('aurora');
    expect(after.src).not.toBe(before.src);
    expect(after.size).toBeGreaterThan(0);
  });

  test('a skipped page whose asset is withdrawn fails the build', { tags: ['slow'] }, async () => {
    await harbour.deleteAsset('harbour.jpg');
    const { exitCode, output } = await harbour.build();
    expect(exitCode).toBe(1);
    expect(output).toContain('asset 4711 (404) on /aurora/');

    const again = await harbour.build();
    expect(again.exitCode).toBe(1);
    expect(again.output).toContain('asset 4711');
  });

  test('a skipped page is rendered anew once its withdrawn asset is back', {
    tags: ['slow'],
  }, async () => {
    const bytes = await harbour.assetBytes('harbour.jpg');
    await harbour.deleteAsset('harbour.jpg');
    expect((await harbour.build()).exitCode).toBe(1);
    expect((await harbour.build()).exitCode).toBe(1);
    await harbour.replaceAsset('harbour.jpg', bytes);
    const { exitCode } = await harbour.build();

    expect(exitCode).toBe(0);
    expect((await pictureOf('aurora')).size).toBeGreaterThan(0);
  });
});
