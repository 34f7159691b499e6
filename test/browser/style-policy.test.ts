/** @module-tag slow */
import { expect, test } from 'vitest';
import { describeInBrowser, useBrowser } from '../support/browser/browser-tests.ts';
import { serveFolder } from '../support/site/serve-folder.ts';
import { useSite } from '../support/site/site-with-service.ts';

const allowed = `{ resource: "'unsafe-inline'", kind: 'attribute' }`;

describeInBrowser('under the content security policy of Astro', () => {
  const browser = useBrowser();
  const setup = useSite('bare');

  // The browser reports each violation as a problem, which fails the test.
  test.each([
    ['that forbids style attributes, an image has no placeholder', '', ''],
    ['that allows them, it has one', allowed, 'url(data:image'],
  ])('%s', async (_, resource, background) => {
    const { site } = setup;
    const policy = `csp: { styleDirective: { resources: ["'self'", ${resource}] } }`;
    await site.write(
      'astro.config.mjs',
      `import mediaAsset from 'astro-media-asset';
      export default { site: 'https://a.example', security: { ${policy} }, integrations: [mediaAsset()] };`,
    );
    await site.write(
      'src/pages/index.astro',
      `---
import { MediaAsset } from 'astro-media-asset/components';
---
<html lang="en"><head><title>A</title></head><body>
<MediaAsset id={4711} alt="A" width={200} placeholder="blur" /></body></html>`,
    );
    const { exitCode, output } = await setup.buildAlone();
    expect(exitCode, output).toBe(0);
    const host = await serveFolder(site.dist);
    const page = await browser.open({ baseURL: host.url });
    await page.goto('/');
    const style = await page.locator('img').getAttribute('style');
    expect(style ?? '').toContain(background);
    expect(style === null).toBe(background === '');
    // Its lazy images may still be on their way.
    await page.close();
    await host.close();
  });
});
