import sharp from 'sharp';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  displayedPixels,
  patternPixels,
  pixelDifference,
  regionPixels,
} from '../../support/images/test-images.ts';
import { downloads, useSite } from '../../support/site/site-with-service.ts';

const setup = useSite('main-job');

beforeEach(() => setup.restore());

const page = (elements: string) => `---
import { getMediaAsset, MediaAsset } from 'astro-media-asset/components';
---
<html lang="en"><head><title>Images</title></head><body>${elements}</body></html>
`;

/** The attributes of each img of the built start page. */
async function images(): Promise<Record<string, string>[]> {
  const html = await setup.site.read('dist/index.html');
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

/** Asset 4713 as displayed. Its file holds it rotated, with EXIF orientation 6. */
const ship = { width: 480, height: 640, seed: 2 };
const quay = { width: 640, height: 480, seed: 1 };

type PixelCrop = Parameters<typeof regionPixels>[1];

const crops: [what: string, id: number, picture: typeof quay, crop: PixelCrop][] = [
  ['an image', 4712, quay, { x: 40, y: 20, width: 240, height: 160 }],
  ['a rotated photograph', 4713, ship, { x: 30, y: 300, width: 200, height: 310 }],
  ['a single pixel', 4712, quay, { x: 639, y: 479, width: 1, height: 1 }],
];

test('a crop cut by the service shows the same region, pixel by pixel', () =>
  showsRegions('service'));
test('a crop cut from the original shows the same region, pixel by pixel', { tags: ['slow'] }, () =>
  showsRegions('local'),
);

async function showsRegions(cutBy: string): Promise<void> {
  const options = `mediaAssets({ crops: '${cutBy}' })`;
  await setup.site.edit('astro.config.mjs', 'mediaAssets()', options);
  const elements = crops.map(
    ([, id, , crop]) =>
      `<MediaAsset id={${id}} alt="" crop={${JSON.stringify(crop)}} format="png" />`,
  );
  await setup.site.write('src/pages/index.astro', page(elements.join('\n')));
  await setup.build();

  const shown = await images();
  for (const [index, [what, , picture, crop]] of crops.entries()) {
    const image = shown[index];
    expect(image, what).toMatchObject({ width: `${crop.width}`, height: `${crop.height}` });
    const published = await displayedPixels(await setup.site.readOutput(image?.src ?? ''));
    const region = regionPixels(patternPixels(picture), crop);
    expect(pixelDifference(published, region).mean, what).toBeLessThan(3);
  }
}

describe('<MediaAsset>', () => {
  test('requests a crop with x1, y1 and its size, and an image without a crop as the original', async () => {
    await setup.build();
    const requests = downloads(setup.requests());
    // An extra request checks this crop if it comes before that of the rotated image.
    const proof = '200 /1/file/4712/download/-1?x1=128&y1=68&w=320&h=160';
    expect(requests.filter((request) => request !== proof).sort()).toEqual([
      '200 /1/file/4711/download/0',
      '200 /1/file/4712/download/-1?x1=40&y1=20&w=240&h=160',
      '200 /1/file/4712/download/0',
      '200 /1/file/4713/download/-1?x1=0&y1=0&w=200&h=200',
      '200 /1/file/4713/download/0',
    ]);
  });

  test('renders an img with its size, the ID, and further files if the image has enough pixels', async () => {
    await setup.site.write(
      'src/pages/index.astro',
      page(`<MediaAsset id={4711} alt="Two widths" width={300} class="wide" data-test="x" />
        <MediaAsset id={4711} alt="Less than two" width={400} loading="eager" />
        <MediaAsset id={4711} alt="Larger than the picture" width={2000} />
        <MediaAsset id={4711} alt="" width={200} height={200} format="jpeg" quality={50} />`),
    );
    await setup.build();

    const [two, less, larger, square] = await images();
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
    const [first, second] = (two?.srcset ?? '')
      .split(', ')
      .map((candidate) => candidate.split(' '));
    expect([first?.[1], second?.[1]]).toEqual(['300w', '600w']);
    const whole = less?.srcset?.split(', ')[1]?.split(' ');
    expect(whole?.[1]).toBe('640w');
    const sources = [two?.src, second?.[0], less?.src, whole?.[0], larger?.src, square?.src];
    const sizes = sources.map(async (src) => {
      const { width, height, format } = await sharp(
        await setup.site.readOutput(src ?? ''),
      ).metadata();
      return `${width} × ${height} ${format}`;
    });
    expect(await Promise.all(sizes)).toEqual([
      '300 × 225 webp',
      '600 × 450 webp',
      '400 × 300 webp',
      '640 × 480 webp',
      '640 × 480 webp',
      '200 × 200 jpeg',
    ]);
    expect(less).toMatchObject({ loading: 'eager' });
    expect(larger).toMatchObject({ width: '640', height: '480' });
    expect(larger?.srcset).toBeUndefined();
    expect(square?.src).toMatch(/-4711\.jpg$/);
    expect(square).toHaveProperty('alt', '');
  });

  test('keeps below the base or assets prefix, in the assets folder of the site', async () => {
    await setup.site.edit(
      'astro.config.mjs',
      'integrations:',
      "base: '/museum', build: { assets: 'media' }, integrations:",
    );
    await setup.build();
    const [image] = await images();
    expect(image?.src).toMatch(/^\/museum\/media\/media-asset\/4711-/);
    expect(await setup.site.readOutput(image?.src?.replace('/museum', '') ?? '')).not.toHaveLength(
      0,
    );

    await setup.site.edit(
      'astro.config.mjs',
      "assets: 'media'",
      "assetsPrefix: 'https://cdn.example'",
    );
    await setup.build();
    const [prefixed] = await images();
    expect(prefixed?.src).toMatch(/^https:\/\/cdn\.example\/_astro\/media-asset\/4711-/);
    expect(
      await setup.site.readOutput(prefixed?.src?.replace('https://cdn.example', '') ?? ''),
    ).not.toHaveLength(0);
    expect(setup.pairs()).toContain('4711 https://harbour.example/museum/');
  });
});

test("getMediaAsset returns the same as data, with the custom format's URL", async () => {
  await setup.site.write(
    'src/pages/index.astro',
    page(
      `<MediaAsset {...props} /><script type="application/json" set:html={JSON.stringify(data)} />`,
    ).replace(
      '---\n<html',
      `const props = { id: 4712, alt: 'The quay', crop: { x: 40, y: 20, width: 240, height: 160 } };
const data = await getMediaAsset(props);
---
<html`,
    ),
  );
  await setup.build();

  const html = await setup.site.read('dist/index.html');
  const data = JSON.parse(
    /<script type="application\/json">(.*?)<\/script>/s.exec(html)?.[1] ?? '',
  );
  const [image] = await images();
  expect(data).toMatchObject({
    available: true,
    id: 4712,
    alt: 'The quay',
    src: image?.src,
    width: 240,
    height: 160,
    customFormatUrl: `${setup.emulator.url}/1/file/4712/download/-1?x1=40&y1=20&w=240&h=160`,
    renditions: [{ url: image?.src, width: 240, height: 160, descriptor: '240w' }],
  });
});

describe('delivery by the service', () => {
  const config = "mediaAssets({ delivery: 'service' })";

  test('puts the download URLs into the page, and publishes no file', async () => {
    await setup.emulator.setSettings({ openDownloads: true });
    await setup.site.edit('astro.config.mjs', 'mediaAssets()', config);
    const { output } = await setup.build();
    await setup.emulator.setSettings({ openDownloads: false });

    const url = `${setup.emulator.url}/1/file`;
    expect((await images()).map(({ src, width, height }) => `${src} ${width} ${height}`)).toEqual([
      `${url}/4711/download/0 400 300`,
      `${url}/4712/download/-1?x1=40&y1=20&w=240&h=160 240 160`,
    ]);
    await expect(setup.site.read('dist/_astro/media-asset')).rejects.toThrow('ENOENT');
    expect(output).not.toContain('tokenless-refused');
    expect(setup.pairs()).toHaveLength(5);
  });

  test('warns if visitors would be refused', async () => {
    await setup.site.edit('astro.config.mjs', 'mediaAssets()', config);
    const { exitCode, output } = await setup.build();
    expect(exitCode).toBe(0);
    expect(output).toContain('tokenless-refused');
  });
});

test("a page with the service's URL is a finding, once per asset", async () => {
  const url = `${setup.emulator.url}/1/file/4714/download/0`;
  await setup.site.write('src/pages/copied.md', `![](${url})\n\n![](${url})\n`);
  const { exitCode, output } = await setup.build();

  expect(exitCode).toBe(0);
  expect(output.split('service-address-shown')).toHaveLength(2);
  expect(output).toContain('/copied/ shows asset 4714');
  expect(setup.pairs()).toContain('4714 https://harbour.example/copied/');
});
