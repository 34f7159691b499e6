/** @module-tag slow */
import { cp, symlink } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { formatPlace, type Place } from '../../src/errors/place.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser-tests.ts';
import {
  displayedPixels,
  drawTestImages,
  meanDifference,
  type TestImage,
} from '../support/images/test-images.ts';
import { startService } from '../support/service/start-service.ts';
import { serveFolder } from '../support/site/serve-folder.ts';
import { createSite } from '../support/site/site.ts';

const sharpFolder = dirname(findPackageJSON('sharp', import.meta.url) as string);
const fixtures = join(import.meta.dirname, '../../fixtures/import');
const image = (path: string, width: number, height: number, seed: number): TestImage => {
  return { path, width, height, seed };
};

/** Sites in the form of Astro's templates, with the images that they have. */
const sites = {
  blog: {
    folders: ['src/assets'],
    images: [
      image('src/assets/blog-1.jpg', 960, 480, 1),
      image('src/assets/blog-2.jpg', 960, 480, 2),
      image('src/assets/harbour.jpg', 800, 600, 3),
      image('src/assets/quay-1.jpg', 400, 300, 4),
      image('src/assets/rope.png', 300, 300, 5),
    ],
    pages: ['/', '/blog/first/', '/blog/second/'],
    left: [],
    local: [],
  },
  portfolio: {
    folders: ['src/assets', 'public'],
    images: [
      image('public/images/logo.png', 240, 120, 1),
      image('public/images/ada.jpg', 200, 200, 2),
      image('public/images/bo.jpg', 200, 200, 3),
      image('src/assets/portrait.jpg', 960, 640, 4),
      image('src/assets/work/mast.png', 400, 600, 5),
      image('src/assets/work/rope.jpg', 600, 400, 6),
    ],
    pages: ['/'],
    left: [
      ...['src/data/team.json:1:28', 'src/data/team.json:1:74'],
      ...['src/pages/index.astro:6:18', 'src/pages/index.astro:23:14'],
    ],
    local: ['ada', 'bo', 'logo'],
  },
  docs: {
    folders: ['src/assets', 'public'],
    images: [
      image('src/assets/start.jpg', 1200, 800, 1),
      image('src/assets/box.png', 600, 400, 2),
      image('public/pictures/lid.jpg', 300, 200, 3),
      image('src/assets/hammer.png', 128, 128, 4),
      image('src/assets/saw.png', 128, 128, 5),
    ],
    pages: ['/'],
    left: [
      'src/content/guides/start.md:4:8',
      ...['src/content/tools.yaml:3:9', 'src/content/tools.yaml:6:9'],
    ],
    local: ['hammer', 'saw', 'start'],
  },
};

describeInBrowser('an imported site', () => {
  const browser = useBrowser();

  test.each(['blog', 'portfolio', 'docs'] as const)(
    '%s looks as before, and has the local images that are listed',
    async (name) => {
      const { folders, images, pages, left, local } = sites[name];
      const service = await startService([{ path: 'harbour/a.jpg', width: 40, height: 30 }]);
      const site = await createSite('bare', { sharedAstro: true });
      onTestFinished(() => site.delete());
      await site.remove('src');
      await cp(join(fixtures, name), site.dir, { recursive: true });
      await drawTestImages(images, site.dir);
      // Astro's own images need it in the project.
      await symlink(sharpFolder, site.path('node_modules/sharp'), 'junction');

      const before = await look(site, pages);
      const config = await site.read('astro.config.mjs');
      expect((await site.command(service.env, 'init', '--yes')).exitCode).toBe(0);
      await site.remove('src/pages/first-image.astro');
      expect(await site.read('astro.config.mjs')).not.toBe(config);

      // The builds here look closer than the import's own.
      const words = ['import', ...folders, '--folder', '1', '--json'];
      const { exitCode, output, stdout } = await site.command(
        service.env,
        ...[...words, '--write', '--force', '--no-check'],
      );
      expect(exitCode, output).toBe(0);
      const after = await look(site, pages);
      for (const [at, shot] of after.entries()) {
        expect(await difference(before[at] as Shot, shot), `${pages[0]} ${at}`).toBeLessThan(6);
      }
      const sources = after.flatMap(({ images }) => images.map(({ source }) => source));
      const others = sources.filter((source) => !source.includes('/_astro/media-asset/'));
      const names = others.map((source) => /([a-z]+)\.[^/]*$/.exec(source)?.[1]);
      expect([...new Set(names)].sort()).toEqual(local);
      const found = JSON.parse(stdout) as { images: object[]; left: { place: Place }[] };
      expect(found.left.map(({ place }) => formatPlace(place))).toEqual(left);
    },
  );

  interface ShownImage {
    readonly currentSrc: string;
    decode(): Promise<void>;
    getBoundingClientRect(): { x: number; y: number; width: number; height: number };
  }

  interface Shot {
    readonly png: Buffer;
    readonly images: readonly { readonly box: number[]; readonly source: string }[];
  }

  async function look(
    site: Awaited<ReturnType<typeof createSite>>,
    pages: readonly string[],
  ): Promise<Shot[]> {
    const { exitCode, output } = await site.build({ MEDIA_ASSET_REPORT: 'never' });
    expect(exitCode, output).toBe(0);
    const host = await serveFolder(site.dist);
    const shots: Shot[] = [];
    for (const width of [390, 800, 1280]) {
      const page = await browser.open({ baseURL: host.url, viewport: { width, height: 900 } });
      for (const path of pages) {
        await page.goto(path);
        const images = await page.locator('img').evaluateAll(async (elements) => {
          const all = elements as unknown as ShownImage[];
          // Else a screenshot may be earlier than an image.
          for (const image of all) Object.assign(image, { loading: 'eager', decoding: 'sync' });
          await Promise.all(all.map((image) => image.decode()));
          return all.map((image) => {
            const { x, y, width, height } = image.getBoundingClientRect();
            return { box: [x, y, width, height].map(Math.round), source: image.currentSrc };
          });
        });
        shots.push({ png: await page.screenshot({ fullPage: true }), images });
      }
    }
    await host.close();
    return shots;
  }

  /**
   * The mean difference of the pixels, of 255. The images must be at the same places. Grids of two pixels
   * look different after another scaling, so pages are compared at a small size.
   */
  async function difference(one: Shot, other: Shot): Promise<number> {
    expect(other.images.map(({ box }) => box)).toEqual(one.images.map(({ box }) => box));
    const small = ({ png }: Shot) => sharp(png).resize(130).png().toBuffer();
    return meanDifference(await small(one), await displayedPixels(await small(other)));
  }
});
