import { describe, expect, test } from 'vitest';
import { renditionLocations } from '../../../src/astro/build/rendition-locations.ts';

type Site = Parameters<typeof renditionLocations>[0];

const file = 'media-asset/4711-00-00/quay.webp';

function locations(
  site: { base?: string; assets?: string; assetsPrefix?: Site['build']['assetsPrefix'] },
  command: 'build' | 'dev' = 'build',
) {
  const { base = '/', assets = '_astro', assetsPrefix } = site;
  const build = { assets, assetsPrefix } as Site['build'];
  return renditionLocations({ base, build }, command);
}

const byExtension = {
  webp: 'https://pictures.example',
  js: 'https://code.example',
  fallback: 'https://cdn.example/',
};

describe('the URL of a rendition', () => {
  test.each([
    [{}, `/_astro/${file}`],
    [{ base: '/museum' }, `/museum/_astro/${file}`],
    [{ base: '/museum/' }, `/museum/_astro/${file}`],
    [{ base: '/museum/site/', assets: 'files' }, `/museum/site/files/${file}`],
    [{ assets: 'static/files/' }, `/static/files/${file}`],
    [{ assetsPrefix: 'https://cdn.example' }, `https://cdn.example/_astro/${file}`],
    // As with Astro's own images, a prefix replaces the base.
    [
      { assetsPrefix: 'https://cdn.example/a/', base: '/museum' },
      `https://cdn.example/a/_astro/${file}`,
    ],
    [{ assetsPrefix: byExtension }, `https://pictures.example/_astro/${file}`],
    [{ assetsPrefix: { fallback: 'https://cdn.example/' } }, `https://cdn.example/_astro/${file}`],
  ])('of a site with %o', (site, url) => {
    expect(locations(site).toUrl(file)).toBe(url);
  });

  test('in dev has no prefix, because the dev server serves everything', () => {
    const site = { assetsPrefix: byExtension, base: '/museum' };
    expect(locations(site, 'dev').toUrl(file)).toBe(`/museum/_astro/${file}`);
  });
});

test.each([
  ['_astro', `_astro/${file}`],
  ['/static/files/', `static/files/${file}`],
])('the file of a rendition is in the assets folder %s', (assets, path) => {
  expect(locations({ assets, base: '/museum' }).toFile(file)).toBe(path);
});
