/** @module-tag slow */
import { beforeAll, expect, test } from 'vitest';
import { astroMajor } from '../../support/site/astro-major.ts';
import { astroPage } from '../../support/site/site-files.ts';
import { outputOf, useSite } from '../../support/site/site-with-service.ts';

const bases = [undefined, '/museum', '/museum/site/'];
const formats = ['directory', 'file', 'preserve'] as const;
const slashes = ['ignore', 'never', 'always'] as const;

/** Each page prints the URL that Astro has for it. */
const page = astroPage(
  '<link rel="canonical" href={Astro.url.href} /><MediaAsset id={4711} alt="" width={64} />',
);

const pages = ['index', 'about', 'places/index', 'places/old quay', 'places/brygge-æøå', '404'];

const setup = useSite('main-job');

beforeAll(async () => {
  await setup.site.remove('src/pages');
  for (const name of pages) await setup.site.write(`src/pages/${name}.astro`, page);
});

/**
 * Every combination of format and slash rule once, and each of them with every base. Older majors: each
 * value once.
 */
const settings = formats.flatMap((format, row) =>
  slashes.flatMap((slash, column) =>
    astroMajor === 7 || row === column ? { base: bases[(row + column) % 3], format, slash } : [],
  ),
);

test.each(settings)(
  'with base $base, build.format $format and trailingSlash $slash, pages are named as Astro links to them',
  namesPages,
);

async function namesPages({ base, format, slash }: (typeof settings)[number]): Promise<void> {
  const config = {
    site: 'https://harbour.example',
    base,
    trailingSlash: slash,
    build: { format },
  };
  await setup.site.write(
    'astro.config.mjs',
    `import mediaAsset from 'astro-media-asset';
     export default { ...${JSON.stringify(config)}, integrations: [mediaAsset()] };`,
  );
  const output = await outputOf(setup.build({ MEDIA_ASSET_REPORT: 'never' }));
  expect(output).toContain('6 scanned');

  const scan = await setup.data('scan', 'dist');
  const canonical = await setup.site.textOfOutput(/<link rel="canonical" href="([^"]*)"/);
  expect(canonical).toHaveLength(pages.length);
  const newest = canonical.map((address) => asNewest(address, { base, format })).sort();
  expect(Object.keys(scan.pages).sort()).toEqual(newest);
}

/**
 * A URL as Astro 7.3 has it. All majors send those to the service: see `docs/reference/limits.md`.
 */
function asNewest(
  address: string,
  { base = '', format }: Omit<(typeof settings)[number], 'slash'>,
): string {
  const root = `https://harbour.example${base.replace(/\/$/, '')}`;
  const path = address.slice(root.length).replace(/\/$/, '');
  const isIndex = path === '' || pages.includes(`${path.slice(1)}/index`);
  if (astroMajor < 7 && format === 'preserve' && !isIndex) return `${root}${path}.html`;
  if (astroMajor < 6 && format === 'file' && path === '') return `${root}/index.html`;
  return address;
}
