/** @module-tag slow */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emulatorClient } from '../assets/open-images.ts';
import { axeViolationsInBothSchemes } from '../support/browser/axe.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser-tests.ts';
import type { LocalServer } from '../support/service/local-server.ts';
import { serveFolder } from '../support/site/serve-folder.ts';
import { astroConfig, astroPage } from '../support/site/site-files.ts';
import { outputOf, useSite } from '../support/site/site-with-service.ts';

const options = `{
  record: {
    fields: ['alttext', 'photographer', 'origin'],
    read: (fields) => ({ alt: fields.alttext ?? '', credit: fields.photographer, source: fields.origin }),
  },
  sourceLabels: { trainedAlgorithmicMedia: { en: 'AI-generated' } },
}`;
// The browser reports each violation of the policy as a problem, which fails the test.
const settings = "site: 'https://harbour.example', security: { csp: true },";
const pageWith = (style: string) => `---
import { MediaCredits } from 'astro-media-asset/components';
---
<html lang="en"><head><title>Credits</title><meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"><style is:global>
:root { color-scheme: light dark; background: light-dark(#fff, #111); font: 1rem/1.5 sans-serif }
a { color: inherit } ${style}</style></head>
<body><main><h1>Image credits</h1><MediaCredits /></main></body></html>`;

describeInBrowser('a list of credits', () => {
  const browser = useBrowser();
  const setup = useSite('bare');

  let host: LocalServer;

  async function open(path: string, width = 1280) {
    const page = await browser.open({ baseURL: host.url, viewport: { width, height: 800 } });
    await page.goto(path);
    return page;
  }

  beforeAll(async () => {
    await setup.site.write('astro.config.mjs', astroConfig(options, settings));
    const images = [4711, 4712, 4713].map((id) => `<MediaAsset id={${id}} alt="" width={80} />`);
    await setup.site.write('src/pages/index.astro', astroPage(images.join('')));
    const taken = 'ul { padding: 8px } li { display: block; border: 0 }';
    await setup.site.write('src/pages/plain.astro', pageWith(''));
    await setup.site.write('src/pages/taken.astro', pageWith(taken));
    const service = emulatorClient(setup.emulator);
    const alttext = 'The harbour at dawn, with a long line of boats that wait for the fog to lift';
    await service.files.update(4711, { alttext, photographer: 'Photo: Ada Berg' });
    await service.files.update(4712, { origin: 'trainedAlgorithmicMedia' });
    await outputOf(setup.build());
    host = await serveFolder(setup.site.dist);
  }, 120_000);
  afterAll(() => host?.close());

  const styleOf = (selector: string, name: string) =>
    `getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${name}')`;

  test.each([390, 1280])('has no bullets, and its texts are rows at %i px', async (width) => {
    const page = await open('/plain/', width);
    expect(await page.evaluate(styleOf('ul', 'list-style-type'))).toBe('none');
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(await axeViolationsInBothSchemes(page)).toEqual([]);
    const parts = ['strong', 'small'].map((name) => page.locator(`li >> ${name}`).first());
    const [title, pages] = await Promise.all(parts.map((part) => part.boundingBox()));
    if (!title || !pages) throw new Error('A part is hidden.');
    expect([pages.x, pages.y >= title.y + title.height]).toEqual([title.x, true]);
  });

  test("yields to any rule of the site's own", async () => {
    const page = await open('/taken/');
    const found = [
      ['ul', 'padding-left'],
      ['ul > li', 'display'],
      ['ul > li', 'border-bottom-width'],
    ].map(([selector = '', name = '']) => page.evaluate(styleOf(selector, name)));
    expect(await Promise.all(found)).toEqual(['8px', 'block', '0px']);
  });
});
