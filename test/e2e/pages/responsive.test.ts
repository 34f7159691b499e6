/**
 * @module-tag any-astro
 * @module-tag slow
 */
import sharp from 'sharp';
import { beforeEach, describe, expect, test } from 'vitest';
import { useSite } from '../../support/site/site-with-service.ts';

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><path d="M0 0h9v9z"/><script>alert(1)</script></svg>';

/** Its SVG is asset 4715. */
const setup = useSite('main-job', { files: { 'zone.svg': Buffer.from(drawing) } });

beforeEach(() => setup.restore());

async function build(elements: string, config = ''): Promise<string> {
  if (config)
    await setup.site.edit('astro.config.mjs', 'integrations:', `${config}, integrations:`);
  await setup.site.write(
    'src/pages/index.astro',
    `---
import { MediaAsset } from 'astro-media-asset/components';
---
<html lang="en"><head><title>Images</title></head><body>${elements}</body></html>
`,
  );
  const run = await setup.build();
  expect(run.output).not.toContain('error');
  return setup.site.read('dist/index.html');
}

/** Width, height and format of each published file in an attribute. */
async function filesOf(html: string, attribute: string): Promise<string[]> {
  const urls = [...html.matchAll(new RegExp(` ${attribute}="([^"]*)"`, 'g'))]
    .flatMap(([, value = '']) => value.split(', '))
    .map((candidate) => candidate.split(' ')[0] ?? '')
    .filter((url) => !url.startsWith('data:'));
  return Promise.all(
    urls.map(async (url) => {
      const { width, height, format } = await sharp(await setup.site.readOutput(url)).metadata();
      return `${width}x${height} ${format}`;
    }),
  );
}

describe('<MediaAsset>', () => {
  test('offers formats and art direction in one <picture>, which is one usage', async () => {
    const html =
      await build(`<MediaAsset id={4711} alt="A harbour" width={300} formats={['avif', 'webp']}
      sources={[{ media: '(max-width: 40em)', aspect: 1, widths: [100, 200] }]}
      pictureAttributes={{ class: 'framed' }} />
      <style>.framed { color: red }</style>`);
    expect(html).toMatch(/<picture(?=[^>]* class="framed")(?=[^>]* data-astro-cid-)/);
    const types = [...html.matchAll(/<source ([^>]*)>/g)].map(([, source = '']) => [
      /media="([^"]*)"/.exec(source)?.[1],
      /type="([^"]*)"/.exec(source)?.[1],
    ]);
    expect(types).toEqual([
      ['(max-width: 40em)', 'image/avif'],
      ['(max-width: 40em)', 'image/webp'],
      ['(max-width: 40em)', 'image/jpeg'],
      [undefined, 'image/avif'],
      [undefined, 'image/webp'],
    ]);
    expect(await filesOf(html, 'srcset')).toEqual([
      '100x100 heif',
      '200x200 heif',
      '100x100 webp',
      '200x200 webp',
      '100x100 jpeg',
      '200x200 jpeg',
      '300x225 heif',
      '600x450 heif',
      '300x225 webp',
      '600x450 webp',
      '300x225 jpeg',
      '600x450 jpeg',
    ]);
    expect(setup.pairs().filter((pair) => pair.endsWith('.example/'))).toHaveLength(1);
  });

  test("uses Astro's own options for layout, breakpoints and scoped styles", async () => {
    const html = await build(
      `<MediaAsset id={4711} alt="" width={400} /><MediaAsset id={4711} alt="" width={100} layout="none" />
      <MediaAsset id={4711} alt="" width={100} formats={['webp']} class="wide"
      pictureAttributes={{ class: 'framed' }} />
      <style>.framed { color: red }</style>`,
      "scopedStyleStrategy: 'class', image: { layout: 'constrained', objectFit: 'contain', objectPosition: 'left top', breakpoints: [200, 500, 5000] }",
    );
    const [first = '', second = ''] = [...html.matchAll(/<img ([^>]*)>/g)].map(([, one]) => one);
    expect(first).toContain('data-media-asset-layout="constrained"');
    expect(first).toContain('data-media-asset-fit="contain" data-media-asset-position="0% 0%"');
    const [sheet = ''] = await setup.site.files('dist/_astro/*.css');
    const styles = html + (sheet && (await setup.site.read(sheet)));
    expect(styles).toMatch(/\[data-media-asset-position="?0% 0%"?\]\)\{object-position:0( 0)?/);
    expect(first).toContain('sizes="auto, (min-width: 400px) 400px, 100vw"');
    expect(first.match(/ \d+w/g)).toEqual([' 200w', ' 400w', ' 500w', ' 640w']);
    expect(second).not.toContain('data-media-asset-layout');
    expect(second.match(/ \dx/g)).toEqual([' 1x', ' 2x']);
    const [, scope = 'none'] = /\.framed[^{]*\.(astro-\w{8})/.exec(styles) ?? [];
    expect(html).toContain(`<picture class="framed ${scope}">`);
    expect(html).toMatch(new RegExp(`<img (?=[^>]* class="wide ${scope}")`));
  });

  test("uses the site's defaults and presets unless it sets a prop", async () => {
    const images = "{ formats: ['avif'], widths: [160, 320], sizes: '50vw', layout: 'fixed' }";
    await setup.site.edit(
      'astro.config.mjs',
      'mediaAssets()',
      `mediaAssets({ images: ${images}, presets: { small: { widths: [80] } } })`,
    );
    await setup.site.write('src/pages/note.md', '![A quay](media:4711?preset=small)');
    const html = await build(
      `<MediaAsset id={4711} alt="" width={320} />
      <MediaAsset id={4711} alt="" width={200} format="webp" densities={[1]} layout="none" />`,
    );
    expect(html.match(/<source/g)).toHaveLength(1);
    expect(html.match(/ sizes="[^"]*"/g)).toEqual(Array(2).fill(' sizes="auto, 50vw"'));
    expect(await filesOf(html, 'srcset')).toEqual([
      '160x120 heif',
      '320x240 heif',
      '160x120 jpeg',
      '320x240 jpeg',
    ]);
    expect(await filesOf(html, 'src')).toEqual(['320x240 jpeg', '200x150 webp']);
    const note = await setup.site.read('dist/note/index.html');
    expect(await filesOf(note, 'srcset')).toEqual(['80x60 heif']);
    expect(await filesOf(note, 'src')).toEqual(['80x60 jpeg']);
  });

  test('shows a placeholder and a trusted SVG as it is', async () => {
    await setup.site.edit('astro.config.mjs', 'mediaAssets()', "mediaAssets({ svg: 'trust' })");
    const html = await build(
      `<MediaAsset id={4711} alt="A harbour" width={300} placeholder="blur" priority style={{ marginTop: 0 }} />
      <MediaAsset id={4715} alt="The zones" width={300} placeholder="blur" />`,
    );
    const [, image = '', src = ''] = /<img ([^>]*src="([^"]*\.svg)"[^>]*)>/.exec(html) ?? [];
    expect(image).toContain('data-media-asset="4715"');
    expect(image).toContain('width="300" height="150"');
    expect(Buffer.from(await setup.site.readOutput(src)).toString()).toBe(drawing);
    expect(html).toMatch(/ style="background-image:url\(data:image\/webp;[^"]+;margin-top:0"/);
    expect(html).toContain('loading="eager"');
    expect(html).toContain('fetchpriority="high"');
    expect(html).not.toMatch(/<span|<script/);
  });
});
