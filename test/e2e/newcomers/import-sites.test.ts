/**
 * Imports into whole sites, whose builds the command compares. React and Svelte need the packages of
 * `test/cms`, which are for the newest major of Astro.
 *
 * @module-tag slow
 */
import { cp, symlink } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { formatPlace, type Place } from '../../../src/errors/place.ts';
import { drawTestImages } from '../../support/images/test-images.ts';
import { startService } from '../../support/service/start-service.ts';
import { astroMajor } from '../../support/site/astro-major.ts';
import { findCmsPackages, linkCmsPackages } from '../../support/site/cms-packages.ts';
import { createSite } from '../../support/site/site.ts';

const sharpFolder = dirname(findPackageJSON('sharp', import.meta.url) as string);
const fixtures = join(import.meta.dirname, '../../../fixtures/import');

interface SiteCase {
  readonly packages?: readonly string[];
  readonly images: Readonly<Record<string, readonly [width: number, height: number]>>;
  readonly written: readonly string[];
  /** The images that stay, or what stops a field, by place. */
  readonly left: readonly string[];
  readonly differences?: readonly object[];
}

/** On Astro 5, tags with two sizes stay, because Astro 5 doesn't crop their images. */
const isCropped = astroMajor > 5;

const sites: Readonly<Record<string, SiteCase>> = {
  bilingual: {
    images: {
      'src/images/quay.jpg': [1043, 600],
      'src/images/rope.png': [600, 400],
      'src/images/logo.png': [120, 40],
      'src/images/paper.jpg': [60, 60],
      'public/card.png': [1200, 630],
    },
    written: [
      ...(isCropped ? ['src/content.config.ts'] : []),
      ...['posts/de/fähre.md', 'posts/de/kai.mdx', 'posts/en/quay.md', 'src/pages/[...id].astro'],
    ],
    left: [
      ...(isCropped
        ? []
        : ['posts/de/kai.mdx:3 src/images/rope.png', 'posts/en/quay.md:3 src/images/quay.jpg']),
      'src/pages/[...id].astro:14 public/card.png',
      'src/pages/[...id].astro:22 public/card.png',
      'src/pages/rss.xml.ts:3 public/card.png',
      'src/styles/site.css:2 src/images/paper.jpg',
      ...(isCropped ? [] : ['src/pages/[...id].astro:27 undefined']),
    ],
  },
  theme: {
    images: {
      'src/assets/quay.jpg': [800, 600],
      'src/assets/mast.png': [400, 600],
      'src/assets/pier.jpg': [1600, 1000],
      'src/assets/rope.png': [600, 450],
      'public/images/one.png': [300, 200],
      'public/images/ada.png': [100, 100],
    },
    written: ['src/content/posts/one.md', ...(isCropped ? ['src/pages/index.astro'] : [])],
    left: [
      'src/components/banner.svelte:1 public/images/ada.png',
      'src/content/photos/mast.md:2 src/assets/mast.png',
      'src/content/posts/one.md:3 public/images/one.png',
      'src/data/team.json:1 public/images/ada.png',
      'src/pages/index.astro:4 src/assets/mast.png',
      ...(isCropped
        ? []
        : [
            'src/pages/index.astro:5 src/assets/pier.jpg',
            'src/pages/index.astro:6 src/assets/quay.jpg',
            'src/pages/index.astro:7 src/assets/rope.png',
          ]),
      // One entry's drawing stops `photo`, and so does what else has this name. `image` is a text.
      ...['src/components/team.tsx:3 undefined', 'src/content/photos/drawing.md:2 undefined'],
      ...['src/data/team.json:1 undefined', 'src/lib/team.ts:3 undefined'],
      'src/content.config.ts:7 undefined',
    ],
    // Astro makes it larger than its file.
    differences: isCropped
      ? [
          {
            file: 'index.html',
            kind: 'images',
            before: ['"A rope", 1200 × 900'],
            after: ['"A rope", 600 × 450'],
          },
        ]
      : [],
  },
  react: {
    packages: ['@astrojs/react', 'react', 'react-dom'],
    images: {
      'src/assets/quay.jpg': [800, 600],
      'src/assets/mast.png': [400, 600],
      'src/assets/rope.png': [600, 400],
      'src/assets/logo.png': [120, 40],
      'src/assets/gallery/one.jpg': [300, 200],
      'src/assets/gallery/two.png': [300, 200],
      'public/images/ada.png': [100, 100],
      'public/images/bo.png': [100, 100],
      'public/images/paper.png': [60, 60],
    },
    written: [
      ...['src/content.config.ts', 'src/content/posts/one.mdx'],
      ...['src/pages/[id].astro', 'src/pages/index.astro'],
    ],
    left: [
      'src/components/team.tsx:1 src/assets/logo.png',
      'src/components/team.tsx:6 public/images/paper.png',
      'src/content/posts/one.mdx:4 src/assets/mast.png',
      'src/content/posts/one.mdx:8 src/assets/rope.png',
      'src/content/posts/one.mdx:11 src/assets/quay.jpg',
      'src/data/team.json:1 public/images/ada.png',
      'src/data/team.json:1 public/images/bo.png',
      'src/pages/index.astro:4 src/assets/mast.png',
      // A component of React has `cover`, and `Photo.astro` shows the images of MDX.
      'src/components/card.tsx:3 undefined',
      ...[20, 20, 20, 19, 20].map((line) => `src/pages/index.astro:${line} undefined`),
      'src/lib/gallery.ts:1 undefined',
      'src/pages/[id].astro:19 undefined',
    ],
    // `banner` is an asset there.
    differences: [{ file: 'posts.json', kind: 'images', before: ['a file'], after: [] }],
  },
  svelte: {
    packages: ['@astrojs/svelte', 'svelte'],
    images: {
      'src/assets/hero.jpg': [800, 600],
      'src/assets/quay.jpg': [800, 600],
      'src/assets/mast.png': [400, 600],
      'src/assets/logo.png': [120, 40],
      'src/assets/paper.png': [60, 60],
      'src/assets/icons/anchor.png': [24, 24],
      'src/assets/icons/buoy.png': [24, 24],
      'public/images/flag.png': [60, 60],
    },
    written: [
      ...['src/content.config.ts', 'src/content/works/mole.md'],
      ...['src/pages/about.astro', 'src/pages/index.astro'],
    ],
    left: [
      'src/components/hero.svelte:2 src/assets/hero.jpg',
      'src/components/hero.svelte:16 src/assets/paper.png',
      'src/components/hero.svelte:19 public/images/flag.png',
      'src/layouts/Layout.astro:2 src/assets/logo.png',
      'src/lib/icons.ts:1 src/assets/icons/anchor.png',
      'src/lib/icons.ts:2 src/assets/icons/buoy.png',
      'src/pages/index.astro:4 src/assets/mast.png',
    ],
    // The site's config asks for WebP. Its `article > img` no longer matches.
    differences: [
      {
        file: 'index.html',
        kind: 'images',
        before: ['"", 400 × 200', '"A quay", 800 × 600'],
        after: ['"", 400 × 200, in <picture>', '"A quay", 800 × 600, in <picture>'],
      },
    ],
  },
};

const hasFrameworks = astroMajor === 7 && findCmsPackages();
const names = Object.keys(sites).filter((name) => hasFrameworks || !sites[name]?.packages);

test.each(names)(
  'a site in the form of %s builds after its import, and each difference is named',
  async (name) => {
    const { packages = [], images, written, left, differences = [] } = sites[name] as SiteCase;
    const service = await startService([{ path: 'harbour/a.jpg', width: 40, height: 30 }]);
    const site = await createSite('bare', { sharedAstro: true });
    onTestFinished(() => site.delete());
    await site.remove('src');
    await linkCmsPackages(site, packages);
    await cp(join(fixtures, name), site.dir, { recursive: true });
    const drawn = Object.entries(images).map(([path, [width, height]], seed) => {
      return { path, width, height, seed };
    });
    await drawTestImages(drawn, site.dir);
    await symlink(sharpFolder, site.path('node_modules/sharp'), 'junction');
    const words = ['import', 'src', 'public', '--folder', '1', '--json'];
    const dry = await site.command(service.env, ...words, '--dry-run');
    const { exitCode, stdout, output } = await site.command(
      service.env,
      ...[...words, '--write', '--force'],
    );
    expect(exitCode, output).toBe(0);
    const found = JSON.parse(stdout);
    expect(found).toMatchObject({ written, differences });
    const places = found.left.map(
      ({ place, image }: { place: Place; image?: string }) =>
        `${formatPlace(place).replace(/:\d+$/, '')} ${image}`,
    );
    expect(places).toEqual(left);
    // A dry run promises what is done.
    expect(JSON.parse(dry.stdout)).toMatchObject({
      files: written,
      left: found.left.map(({ place }: { place: Place }) => ({ place })),
    });
  },
);
