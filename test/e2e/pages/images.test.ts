import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  displayedPixels,
  patternPixels,
  pixelDifference,
  regionPixels,
} from '../../support/images/test-images.ts';
import { onCloudflare } from '../../support/site/astro-major.ts';
import type { Run } from '../../support/site/site.ts';
import { astroPage } from '../../support/site/site-files.ts';
import { outputOf, useSite } from '../../support/site/site-with-service.ts';

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><path d="M0 0h9v9z"/><script>alert(1)</script></svg>';

/** Its SVG is asset 4715. */
const setup = useSite('main-job', { files: { 'zone.svg': Buffer.from(drawing) } });

/** The attributes of each img of a built page. */
function imagesIn(html: string): Record<string, string>[] {
  return Array.from(html.matchAll(/<img ([^>]*)>/g), ([, text = '']) => {
    const attributes = Array.from(
      text.matchAll(/([\w-]+)(?:="([^"]*)")?/g),
      // Astro 5 writes one form, later versions the other. Browsers treat both alike.
      ([, name = '', value]) => [name, value?.replaceAll('&amp;', '&') ?? ''] as const,
    );
    const names = attributes.map(([name]) => name);
    // If an attribute is repeated, browsers use the first.
    expect(names).toEqual([...new Set(names)]);
    return Object.fromEntries(attributes);
  });
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

/** Asset 4713 as displayed. Its file holds it rotated, with EXIF orientation 6. */
const ship = { width: 480, height: 640, seed: 2 };
const quay = { width: 640, height: 480, seed: 1 };

type PixelCrop = Parameters<typeof regionPixels>[1];

const crops: [what: string, id: number, picture: typeof quay, crop: PixelCrop][] = [
  ['an image', 4712, quay, { x: 40, y: 20, width: 240, height: 160 }],
  ['a rotated photograph', 4713, ship, { x: 30, y: 300, width: 200, height: 310 }],
  ['a single pixel', 4712, quay, { x: 639, y: 479, width: 1, height: 1 }],
];

describe('<MediaAsset>', () => {
  let run: Run;
  const read = (path: string) => setup.site.read(`dist/${path}/index.html`);

  beforeAll(async () => {
    const elements = crops.map(
      ([, id, , crop]) =>
        `<MediaAsset id={${id}} alt="" crop={${JSON.stringify(crop)}} format="png" />`,
    );
    await setup.site.write('src/pages/crops.astro', astroPage(elements.join('\n')));
    await setup.site.write(
      'src/pages/widths.astro',
      astroPage(`<MediaAsset id={4711} alt="Two widths" width={300} class="wide" data-test="x" />
        <MediaAsset id={4711} alt="Less than two" width={400} loading="eager" />
        <MediaAsset id={4711} alt="Larger than the picture" width={2000} />
        <MediaAsset id={4711} alt="" width={200} height={200} format="jpeg" quality={50} />`),
    );
    await setup.site.write(
      'src/pages/picture.astro',
      astroPage(`<MediaAsset id={4711} alt="A harbour" width={300} formats={['avif', 'webp']}
        sources={[{ media: '(max-width: 40em)', aspect: 1, widths: [100, 200] }]}
        pictureAttributes={{ class: 'framed' }} />
        <style>.framed { color: red }</style>`),
    );
    await setup.site.write(
      'src/pages/placeholder.astro',
      astroPage(`<MediaAsset id={4711} alt="A harbour" width={300} placeholder="blur" priority style={{ marginTop: 0 }} />
        <MediaAsset id={4715} alt="The zones" width={300} placeholder="blur" />`),
    );
    await setup.site.write(
      'src/pages/attributes.astro',
      `---
import { getMediaAsset, MediaAsset } from 'astro-media-asset/components';
const image = await getMediaAsset({ id: 4711, alt: 'A harbour', width: 300, page: '/attributes' });
---
<html lang="en"><head><title>Attributes</title></head><body>
<MediaAsset id={4711} htmlId="hero" alt="A harbour" width={300} />
<img {...(image.available && image.attributes)} id="hero" />
</body></html>`,
    );
    const copied = `![](${setup.emulator.url}/1/file/4714/download/0)\n\n`;
    await setup.site.write('src/pages/copied.md', copied.repeat(2));
    await setup.site.edit('astro.config.mjs', 'mediaAsset()', "mediaAsset({ svg: 'trust' })");
    run = await setup.build();
    expect(run.exitCode, run.output).toBe(0);
  });

  test('is in the image sitemap with the largest file of each page', async () => {
    const xml = await setup.site.read('dist/sitemap-images.xml');
    const shown = Array.from(xml.matchAll(/<url><loc>([^<]*)<\/loc>(.*?)<\/url>/g));
    const listed = shown.map(async ([, page = '', images = '']) => {
      const urls = Array.from(images.matchAll(/<image:loc>([^<]*)</g), ([, url = '']) => url);
      const read = async (url: string) =>
        (await sharp(await setup.site.readOutput(new URL(url).pathname)).metadata()).width;
      return [new URL(page).pathname, await Promise.all(urls.map(read))];
    });
    expect(Object.fromEntries(await Promise.all(listed))).toMatchObject({
      '/crops/': [240, 200, 1],
      '/widths/': [640, 400],
    });
    expect(xml).not.toContain('/404');
  });

  test('shows the region of a crop, pixel by pixel', async () => {
    const shown = imagesIn(await read('crops'));
    for (const [index, [what, , picture, crop]] of crops.entries()) {
      const image = shown[index];
      expect(image, what).toMatchObject({ width: `${crop.width}`, height: `${crop.height}` });
      const published = await displayedPixels(await setup.site.readOutput(image?.src ?? ''));
      const region = regionPixels(patternPixels(picture), crop);
      expect(pixelDifference(published, region).mean, what).toBeLessThan(3);
    }
  });

  test('renders an img with its size, the ID, and further files if the image has enough pixels', async () => {
    const html = await read('widths');
    const [two, less, larger, square] = imagesIn(html);
    expect(two).toMatchObject({
      'data-media-asset': '4711',
      alt: 'Two widths',
      width: '300',
      height: '225',
      loading: 'lazy',
      class: 'wide',
      'data-test': 'x',
    });
    expect(two?.src).toMatch(
      /^\/_astro\/media-asset\/4711-[0-9a-f]{16}-[0-9a-f]{16}-two-widths\.webp$/,
    );
    expect(two?.srcset?.match(/ \d+w/g)).toEqual([' 300w', ' 600w']);
    expect(less?.srcset?.match(/ \d+w/g)).toEqual([' 400w', ' 640w']);
    expect(await filesOf(html, 'src')).toEqual([
      '300x225 webp',
      '400x300 webp',
      '640x480 webp',
      '200x200 jpeg',
    ]);
    expect(await filesOf(html, 'srcset')).toEqual([
      '300x225 webp',
      '600x450 webp',
      '400x300 webp',
      '640x480 webp',
      '200x200 jpeg',
      '400x400 jpeg',
    ]);
    expect(less).toMatchObject({ loading: 'eager' });
    expect(larger).toMatchObject({ width: '640', height: '480' });
    expect(square?.src).toMatch(/-4711\.jpg$/);
    expect(square).toHaveProperty('alt', '');
  });

  test('an `htmlId` is the `id` of the element, and `getMediaAsset()` has the attributes of its img', async () => {
    const html = await read('attributes');
    const [component, spread] = imagesIn(html);
    expect(component).toMatchObject({ id: 'hero', 'data-media-asset': '4711', loading: 'lazy' });
    expect(spread).toEqual(component);
  });

  test('offers formats and art direction in one <picture>, which is one usage', {
    tags: ['any-astro'],
  }, async () => {
    const html = await read('picture');
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
    const sizes = (size: string, larger: string) =>
      ['heif', 'webp', 'jpeg'].flatMap((format) => [`${size} ${format}`, `${larger} ${format}`]);
    expect(await filesOf(html, 'srcset')).toEqual([
      ...sizes('100x100', '200x200'),
      ...sizes('300x225', '600x450'),
    ]);
    expect(setup.pairs().filter((pair) => pair.endsWith('/picture/'))).toHaveLength(1);
  });

  test('shows a placeholder, and a trusted SVG as it is', { tags: ['any-astro'] }, async () => {
    const html = await read('placeholder');
    const [, image = '', src = ''] = /<img ([^>]*src="([^"]*\.svg)"[^>]*)>/.exec(html) ?? [];
    expect(image).toContain('data-media-asset="4715"');
    expect(image).toContain('width="300" height="150"');
    expect(Buffer.from(await setup.site.readOutput(src)).toString()).toBe(drawing);
    expect(html).toMatch(/ style="background-image:url\(data:image\/webp;[^"]+;margin-top:0"/);
    expect(html).toContain('loading="eager"');
    expect(html).toContain('fetchpriority="high"');
    expect(html).not.toMatch(/<span|<script/);
  });

  test("isn't needed: the service's own URL on a page is a usage too, with one finding an asset", () => {
    expect(run.output.split('service-address-shown')).toHaveLength(2);
    expect(run.output).toContain('/copied/ shows asset 4714');
    expect(setup.pairs()).toContain('4714 https://harbour.example/copied/');
  });
});

// The adapter puts the base into the folder's name.
test.skipIf(onCloudflare)(
  "Astro's options of images, the site's defaults and its presets count, unless a prop is set",
  {
    tags: ['any-astro', 'slow'],
  },
  async () => {
    await setup.restore();
    await setup.site.edit(
      'astro.config.mjs',
      'mediaAsset()',
      "mediaAsset({ images: { formats: ['avif'] }, presets: { small: { widths: [80] } } })",
    );
    await setup.site.edit(
      'astro.config.mjs',
      'integrations:',
      `scopedStyleStrategy: 'class', base: '/museum',
    build: { assets: 'media', assetsPrefix: 'https://cdn.example' },
    image: { layout: 'constrained', objectFit: 'contain', objectPosition: 'left top', breakpoints: [200, 500, 5000] },
    integrations:`,
    );
    await setup.site.write('src/pages/note.md', '![A quay](media:4711?preset=small)');
    await setup.site.write(
      'src/pages/index.astro',
      astroPage(`<MediaAsset id={4711} alt="" width={400} />
      <MediaAsset id={4711} alt="" width={100} format="webp" densities={[1]} layout="none" />
      <MediaAsset id={4711} alt="" width={100} class="wide" pictureAttributes={{ class: 'framed' }} />
      <style>.framed { color: red }</style>`),
    );
    await outputOf(setup.build());
    // A prefix replaces the base.
    const read = async (file: string) =>
      (await setup.site.read(`dist/${file}`)).replaceAll('https://cdn.example/media/', '/media/');
    const html = await read('index.html');
    expect(html).not.toContain('/museum/media/');
    const [first = '', second = ''] = [...html.matchAll(/<img ([^>]*)>/g)].map(([, one]) => one);
    expect(first).toContain('data-media-asset-layout="constrained"');
    expect(first).toContain('data-media-asset-fit="contain" data-media-asset-position="0% 0%"');
    expect(first).toContain('sizes="auto, (min-width: 400px) 400px, 100vw"');
    expect(first.match(/ \d+w/g)).toEqual([' 200w', ' 400w', ' 500w', ' 640w']);
    expect(second).not.toContain('data-media-asset-layout');
    expect(second).not.toContain('srcset');
    expect(html.match(/<source type="image\/avif"/g)).toHaveLength(2);
    expect((await filesOf(html, 'src')).slice(0, 2)).toEqual(['400x300 jpeg', '100x75 webp']);

    const [sheet = ''] = await setup.site.files('dist/media/*.css');
    const styles = html + (sheet && (await setup.site.read(sheet)));
    expect(styles).toMatch(/\[data-media-asset-position\]\)\{object-position:var\(/);
    const [, scope = 'none'] = /\.framed[^{]*\.(astro-\w{8})/.exec(styles) ?? [];
    expect(html).toContain(`<picture class="framed ${scope}">`);
    expect(html).toMatch(new RegExp(`<img (?=[^>]* class="wide ${scope}")`));

    const note = await read('note/index.html');
    expect(await filesOf(note, 'srcset')).toEqual(['80x60 heif']);
    expect(await filesOf(note, 'src')).toEqual(['80x60 jpeg']);
    expect(setup.pairs()).toContain('4711 https://harbour.example/museum/');
  },
);

test("`delivery: 'service'` puts the download URLs into the page, and publishes no file", async () => {
  await setup.restore();
  await setup.emulator.setSettings({ openDownloads: true });
  const config = "mediaAsset({ delivery: 'service' })";
  await setup.site.edit('astro.config.mjs', 'mediaAsset()', config);
  await setup.build();

  const url = `${setup.emulator.url}/1/file`;
  const images = imagesIn(await setup.site.read('dist/index.html'));
  expect(images.map(({ src, width, height }) => `${src} ${width} ${height}`)).toEqual([
    `${url}/4711/download/0 400 300`,
    `${url}/4712/download/-1?x1=40&y1=20&w=240&h=160 240 160`,
  ]);
  await expect(setup.site.read('dist/_astro/media-asset')).rejects.toThrow('ENOENT');
  expect(setup.pairs()).toHaveLength(5);
});
