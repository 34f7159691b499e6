/**
 * @module-tag any-astro
 * @module-tag slow
 */
import { beforeAll, expect, test } from 'vitest';
import { findRenditions, formatRenditionPath } from '../../../src/assets/formats/rendition-url.ts';
import { outputOf, useSite } from '../../support/site/site-with-service.ts';

const setup = useSite('markdown', { ids: 'negative' });

beforeAll(async () => {
  await setup.replaceAsset('report.pdf', Buffer.from('%PDF-1.7\n% a report\n%%EOF\n'));
});

test('images of a library with negative IDs are published and their usages reported', async () => {
  for (const file of await setup.site.files('src/**/*.{md,mdx,ts,astro}')) {
    const text = await setup.site.read(file);
    const negative = text.replaceAll('media:47', 'media:-47').replace('folder: 1', 'folder: -1');
    await setup.site.write(file, negative);
  }
  const output = await outputOf(setup.build());
  expect(output).not.toMatch(/\[WARN\] \[media-asset\]/);

  const site = 'https://harbour.example';
  expect(setup.pairs()).toEqual(
    expect.arrayContaining([`-4711 ${site}/rope/`, `-4715 ${site}/boat/`]),
  );
  expect(setup.pairs().filter((pair) => !pair.startsWith('-471'))).toEqual([]);
  const pages = await setup.site.files('dist/**/*.html');
  const texts = await Promise.all(pages.map((page) => setup.site.read(page)));
  const named = texts.flatMap(findRenditions);
  expect(new Set(named.map(({ id }) => id))).toEqual(new Set([-4711, -4712, -4713, -4714, -4715]));
  const published = await setup.site.files('dist/_astro/media-asset/**/*');
  const paths = named.map((address) => `dist/_astro/${formatRenditionPath(address)}`);
  expect(published).toEqual([...new Set(paths)].sort());
});
