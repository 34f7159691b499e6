import { expect, test } from 'vitest';
import { pageFile } from '../../../src/astro/dev/dev-renderer.ts';

const site: Parameters<typeof pageFile>[1] = {
  root: '/site/',
  base: '/docs/',
  routes: [
    { type: 'endpoint', patternRegex: /^\/quay\/?$/, entrypoint: 'src/pages/quay.ts' },
    { type: 'page', patternRegex: /^\/quay\/?$/, entrypoint: 'src/pages/quay.astro' },
    { type: 'page', patternRegex: /^\/(.*?)\/?$/, entrypoint: '/site/src/pages/[...all].astro' },
  ],
};

test.each([
  ['/docs/quay/', '/site/src/pages/quay.astro'],
  ['/docs/harbour', '/site/src/pages/[...all].astro'],
  ['/quay/', undefined],
  ['getMediaAsset()', undefined],
])('the page %s comes from the file %s', (page, file) => {
  expect(pageFile(page, site)).toBe(file);
});
