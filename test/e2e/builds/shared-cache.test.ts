/**
 * Depends on our own cache folder, not on Astro:
 * @module-tag any-astro
 * @module-tag slow
 */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { displayedPixels, pixelDifference } from '../../support/images/test-images.ts';
import { createSite, type Site } from '../../support/site/site.ts';
import { useSite } from '../../support/site/site-with-service.ts';

const setup = useSite('main-job');
let other: Site;

beforeAll(async () => {
  other = await createSite('main-job');
  const cacheDir = `cacheDir: ${JSON.stringify(setup.site.path('shared'))}, integrations:`;
  for (const site of [setup.site, other]) {
    await site.edit('astro.config.mjs', 'integrations:', cacheDir);
  }
});

afterAll(() => other.delete());

const addresses = /\/_astro\/media-asset\/[^"') ,]+/g;

test('two concurrent builds with one cache folder succeed and keep it intact', async () => {
  const environment = { ...setup.emulator.env, MEDIA_ASSET_REPORT: 'never' };
  const runs = await Promise.all([setup.build(environment), other.build(environment)]);
  expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0]);

  for (const page of ['dist/index.html', 'dist/quay/index.html', 'dist/404.html']) {
    const html = await other.read(page);
    expect(html).toBe(await setup.site.read(page));
    const named = html.match(addresses) ?? [];
    expect(named).not.toEqual([]);
    for (const address of named) {
      const one = await displayedPixels(await setup.site.readOutput(address));
      const same = await displayedPixels(await other.readOutput(address));
      expect(pixelDifference(one, same).mean).toBeLessThan(2);
    }
  }
  for (const site of [setup.site, other]) expect(await site.files('dist/**/*.part')).toEqual([]);
  const { stdout } = await setup.command('cache', 'verify', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ broken: [] });

  setup.requests();
  const again = await Promise.all([setup.build(environment), other.build(environment)]);
  expect(again.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  for (const { output } of again) expect(output).toContain('0 made');
});
