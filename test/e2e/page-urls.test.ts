import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Harbour, openHarbour } from '../support/harbour.ts';

const formats = ['directory', 'file', 'preserve'] as const;
const slashes = ['always', 'never', 'ignore'] as const;

/** Each page prints the address that Astro itself has for it. */
const page = `---
import { MediaAsset } from 'astro-media-asset/components';
---
<html lang="en">
  <head><title>Page</title><link rel="canonical" href={Astro.url.href} /></head>
  <body><MediaAsset id={4711} alt="" width={64} /></body>
</html>
`;

const pages = ['index', 'about', 'places/index', 'places/old quay', 'places/brygge-æøå', '404'];

let harbour: Harbour;

beforeAll(async () => {
  harbour = await openHarbour('main-job');
  await harbour.site.remove('src/pages');
  for (const name of pages) await harbour.site.write(`src/pages/${name}.astro`, page);
});

afterAll(() => harbour.close());

describe.each([undefined, '/museum', '/museum/site/'])('with base %s', (base) => {
  describe.each(formats)('and build.format %s', (format) => {
    test.each(slashes)(
      'and trailingSlash %s, pages are named as Astro links to them',
      async (slash) => {
        const config = {
          site: 'https://harbour.example',
          base,
          trailingSlash: slash,
          build: { format },
        };
        await harbour.site.write(
          'astro.config.mjs',
          `import mediaAssets from 'astro-media-asset';
         export default { ...${JSON.stringify(config)}, integrations: [mediaAssets()] };`,
        );
        const { exitCode, output } = await harbour.build({ MEDIA_ASSET_REPORT: 'never' });
        expect(output).toContain('6 scanned');
        expect(exitCode).toBe(0);

        const scan = await harbour.command('scan', 'dist', '--json');
        const canonical = await harbour.site.textOfOutput(/<link rel="canonical" href="([^"]*)"/);
        expect(canonical).toHaveLength(pages.length);
        expect(Object.keys(JSON.parse(scan.stdout).pages).sort()).toEqual(canonical);
      },
    );
  });
});
