/** @module-tag slow */
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, useBrowser } from '../support/browser/browser-tests.ts';
import { holdImages, layoutShift } from '../support/browser/hold-images.ts';
import type { LocalServer } from '../support/service/local-server.ts';
import { serveFolder } from '../support/site/serve-folder.ts';
import { useSite } from '../support/site/site-with-service.ts';

/** A way in which sites place images. Its rules apply to the element around the image. */
interface Context {
  readonly rules: string;
  readonly props?: string;
  /** An element between that one and the image. */
  readonly within?: 'a' | 'p';
  /** The content after the image. */
  readonly after?: string;
  /** The number of images. Default: 1. */
  readonly times?: number;
}

const wide = 'aspect="8:1" width={600}';
const fill = 'img { width: 100%; height: auto }';
const square = 'aspect="1:1" width={100}';

const contexts: Readonly<Record<string, Context>> = {
  bare: { rules: '', props: 'aspect="4:1" width={300}' },
  'a reset of Tailwind': { rules: 'img { max-width: 100%; height: auto; display: block }' },
  'a portrait under a reset': {
    rules: 'img { max-width: 100%; height: auto }',
    props: 'aspect="1:2" width={100}',
  },
  'filling a block': { rules: fill },
  'filling a cell': { rules: `& { display: grid } ${fill}` },
  'three columns': {
    rules: `& { display: grid; grid-template-columns: repeat(3, 1fr); gap: 1rem } ${fill}`,
    props: 'aspect="2:1" width={600}',
    times: 4,
  },
  'paragraphs in a grid': { rules: `& { display: grid } ${fill}`, within: 'p' },
  'a flexible row': {
    rules: '& { display: flex } img { width: 50%; height: auto }',
    times: 2,
  },
  'text columns': {
    rules: `& { columns: 2 } ${fill}`,
    props: 'aspect="3:1" width={600}',
    times: 2,
  },
  'side by side': { rules: 'img { width: 45%; height: auto }', times: 2 },
  'a float': {
    rules:
      'img { float: left; margin: 1rem } &::after { content: ""; display: block; clear: both }',
    props: square,
  },
  'filling a card': {
    rules: '& { width: 200px; height: 260px } img { width: 100%; height: 100%; object-fit: cover }',
  },
  'a shape of its own': {
    rules: 'img { width: 100%; height: auto; aspect-ratio: 4 / 1; object-fit: cover }',
  },
  'rounded by a class': {
    rules: '.round { border-radius: 50% }',
    props: `class="round" ${square}`,
  },
  'cut off by a card': {
    rules: `& { width: 200px; overflow: hidden; border-radius: 2rem } ${fill}`,
    props: square,
    within: 'a',
  },
  'a border and margins': {
    rules: `${fill} img { border: 4px solid; margin: 1rem 0; box-sizing: border-box }`,
  },
  'a scrolled row': {
    rules: '& { display: flex; overflow-x: auto; max-width: 200px } img { flex: none }',
  },
  'a larger picture in a window': {
    rules: `& { overflow: hidden } ${fill} img { transform: scale(1.1) }`,
  },
  'below a text': {
    rules: '& { display: grid } & * { grid-area: 1 / 1 } h2 { position: relative; color: red }',
    after: '<h2>████</h2>',
  },
  'below a text that has no position': {
    rules: '& { display: grid } & * { grid-area: 1 / 1 } h2 { color: red }',
    after: '<h2>████</h2>',
  },
  'out of the flow': {
    rules: `& { position: relative; height: 120px }
      img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: cover }`,
  },
  'a constrained layout': { rules: '', props: `${wide} layout="constrained"` },
  'a full-width layout': { rules: '', props: `${wide} layout="full-width"` },
  'a fixed layout': { rules: '', props: 'aspect="4:1" width={300} layout="fixed"' },
  'utilities in a layer, as those of Tailwind': {
    rules: '',
    props: `class="h-20 w-60 object-fill" ${wide} layout="constrained"`,
  },
  'formats in a link': { rules: fill, props: `${wide} formats={['webp']}`, within: 'a' },
};

const kinds = ['none', 'blur', 'color'] as const;

/** One colour, so that its placeholder looks like the image. */
const create = { width: 640, height: 480, channels: 3, background: '#2f6f4f' } as const;
const files = { 'zone.png': await sharp({ create }).png().toBuffer() };
const id = 4715;

/** The smallest difference that counts: pixels at an edge may be a mix of two colours. */
const oneLine = 0.03;

describeInBrowser('a placeholder as the background of its image', () => {
  const browser = useBrowser();
  const setup = useSite('main-job', { files });
  let host: LocalServer;

  beforeAll(async () => {
    const { site } = setup;
    for (const kind of kinds) {
      const address = `media:${id}?aspect=8:1&width=600&placeholder=${kind}&decoration&priority`;
      await site.write(`src/${kind}.md`, `![](${address})\n`);
    }
    await site.write('src/pages/placeholders.astro', pageText());
    await site.write('src/pages/background.astro', backgroundText);
    expect(await setup.build({ MEDIA_ASSET_REPORT: 'never' })).toMatchObject({ exitCode: 0 });
    host = await serveFolder(site.dist);
  });

  afterAll(() => host?.close());

  test.each([
    [1, 300],
    [2, 600],
  ])(
    'an `image-set()` of `renditions` in a style attribute loads the file for %ix',
    async (density, width) => {
      const page = await browser.open({ baseURL: host.url, deviceScaleFactor: density });
      const loaded: Promise<Buffer>[] = [];
      page.on('response', (response) => {
        if (response.request().resourceType() === 'image') loaded.push(response.body());
      });
      await page.goto('/background/', { waitUntil: 'networkidle' });
      const [file, ...others] = await Promise.all(loaded);
      expect(others).toEqual([]);
      expect(await sharp(file).metadata()).toMatchObject({ format: 'heif', width });
      const screen = sharp(await page.screenshot({ clip: { x: 20, y: 20, width: 9, height: 9 } }));
      expect((await screen.stats()).dominant.g).toBeGreaterThan(100);
    },
  );

  // A window narrower than the images, and one that is wider.
  test.each([390, 800])(
    "at %i px, looks like its image, keeps the image's place, and shifts nothing",
    async (width) => {
      // The whole page at once, because scrolling for a screenshot would count as a shift.
      const viewport = { width, height: 13_500 };
      const page = await browser.open({ baseURL: host.url, viewport });
      const release = await holdImages(page);
      await page.goto('/placeholders/', { waitUntil: 'domcontentloaded' });
      const before = await look(page);
      const [empty, blurred] = before;
      expect(unlike(empty?.pixels ?? [], blurred?.pixels ?? [])).toBeGreaterThan(0.1);
      release();
      await page.waitForLoadState();
      const after = await look(page);

      expect(after).toHaveLength((Object.keys(contexts).length + 1) * kinds.length);
      for (const [index, section] of after.entries()) {
        const alone = after.find(({ name, kind }) => name === section.name && kind === 'none');
        const waiting = before[index];
        if (!alone || !waiting) throw new Error(`${section.name} is there each time.`);
        const what = `${section.name}, ${section.kind}`;
        expect(waiting.boxes, `${what}, before`).toEqual(alone.boxes);
        expect(section.boxes, `${what}, after`).toEqual(alone.boxes);
        if (section.kind === 'none') continue;
        expect(unlike(waiting.pixels, alone.pixels), `${what}, before`).toBeLessThan(oneLine);
        expect(unlike(section.pixels, alone.pixels), `${what}, after`).toBeLessThan(oneLine);
      }
      const utilities = after.filter(({ name }) => name.startsWith('utilities'));
      expect(utilities.map(({ boxes }) => boxes[0]?.slice(2))).toEqual(Array(3).fill([240, 80]));
      expect(await layoutShift(page)).toBe(0);
    },
  );
});

/** A background without a size takes that of the chosen file, divided by its density. */
const backgroundText = `---
import { getMediaAsset } from 'astro-media-asset/components';
const request = { id: ${id}, alt: "The zone's map", width: 300, densities: [1, 2], format: 'avif' };
const { renditions } = await getMediaAsset({ ...request, page: '/background/' });
const files = renditions.map(({ url, descriptor }) => \`url("\${url}") \${descriptor}\`);
---
<html lang="en"><head><title>Background</title></head>
<body><div style={\`background-image: image-set(\${files.join()}); height: 200px\`}></div></body></html>
`;

function pageText(): string {
  const names = Object.keys(contexts);
  const rules = Object.values(contexts).map((context, at) => `.site .c${at} { ${context.rules} }`);
  const sections = Object.values(contexts).flatMap(
    ({ props = wide, within, after = '', times = 1 }, at) =>
      kinds.map((kind) => {
        const one = `<MediaAsset id={${id}} alt="" ${props} placeholder="${kind}" loading="eager" />`;
        const inner = within ? `<${within}>${one}</${within}>` : one.repeat(times);
        return `<section class="c${at}" data-name="${names[at]}" data-kind="${kind}">${inner}${after}</section>`;
      }),
  );
  const filling = names.indexOf('filling a block');
  const inMarkdown = kinds.map(
    (kind) =>
      `<section class="c${filling}" data-name="Markdown" data-kind="${kind}"><Markdown_${kind} /></section>`,
  );
  return `---
import { MediaAsset } from 'astro-media-asset/components';
${kinds.map((kind) => `import { Content as Markdown_${kind} } from '../${kind}.md';`).join('\n')}
---
<html lang="en"><head><title>Placeholders</title></head>
<body class="site">${[...sections, ...inMarkdown].join('\n')}</body></html>
<style is:global>
@layer theme, base, components, utilities;
@layer base { img, video { max-width: 100%; height: auto } }
@layer utilities { .h-20 { height: 5rem } .w-60 { width: 15rem } .object-fill { object-fit: fill } }
section { background: white; margin-block: 4px }
${rules.join('\n')}
</style>
`;
}

/** A section of the page, as displayed. */
interface Section {
  readonly name: string;
  readonly kind: string;
  /** Left, top, width and height of each image, in CSS pixels from the section's corner. */
  readonly boxes: readonly (readonly number[])[];
  /** Three channels each. */
  readonly pixels: ArrayLike<number>;
}

async function look(page: Page): Promise<Section[]> {
  type Place = Omit<Section, 'pixels'> & Record<'left' | 'top' | 'width' | 'height', number>;
  const places: Place[] = await page.evaluate(`(() => {
    const rounded = (numbers) => numbers.map((number) => Math.round(number));
    return [...document.querySelectorAll('section')].map((section) => {
      const { left, top, width, height } = section.getBoundingClientRect();
      const boxes = [...section.querySelectorAll('img[data-media-asset]')].map((image) => {
        const box = image.getBoundingClientRect();
        return rounded([box.left - left, box.top - top, box.width, box.height]);
      });
      const { name, kind } = section.dataset;
      return { name, kind, boxes, left, top, width, height };
    });
  })()`);
  const { data, info } = await sharp(await page.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return places.map(({ name, kind, boxes, ...place }) => {
    const first = 3 * Math.round(place.left);
    const row = 3 * Math.floor(place.width);
    const rows = Array.from({ length: Math.floor(place.height) }, (_, index) => {
      const at = 3 * info.width * (Math.round(place.top) + index) + first;
      return data.subarray(at, at + row);
    });
    return { name, kind, boxes, pixels: Buffer.concat(rows) };
  });
}

/** The share of the channels that differ. */
function unlike(one: ArrayLike<number>, other: ArrayLike<number>): number {
  if (one.length === 0 || one.length !== other.length) return 1;
  let count = 0;
  for (let at = 0; at < one.length; at++) {
    if (Math.abs((one[at] ?? 0) - (other[at] ?? 0)) > 24) count++;
  }
  return count / one.length;
}
