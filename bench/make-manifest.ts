import type { Manifest, PageUsage } from '../src/scan/manifest.ts';
import { seededRandom } from '../test/support/bends/faults/seeded-random.ts';

export const site = 'https://harbour.example';
export const siteFields = { project: 'Harbour', contact: 'web@harbour.example', description: '' };

const words = 'quay boat crane rope net gull tide mast keel buoy lamp pier shell sail wave'.split(
  ' ',
);

/** The manifest of a site with this many pages, each with this many of the assets. */
export function makeManifest({
  pages,
  assetsPerPage,
  assets,
  seed,
}: {
  pages: number;
  assetsPerPage: number;
  /** The IDs to choose from. */
  assets: readonly number[];
  seed: number;
}): Manifest {
  const random = seededRandom(seed, 0);
  const some = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const width = String(pages).length;
  const made: PageUsage[] = [];
  for (let index = 0; index < pages; index += 1) {
    const ids = new Set<number>();
    while (ids.size < Math.min(assetsPerPage, assets.length)) ids.add(some(assets));
    const title = [some(words), some(words), some(words)];
    const number = String(index).padStart(width, '0');
    made.push({
      // Joined, they are flat strings, like those of a scan.
      page: [site, 'collection', `${number}-${title.join('-')}`, ''].join('/'),
      pageName: [...title, number].join(' '),
      assets: [...ids].sort((a, b) => a - b),
    });
  }
  return { site, base: '/', pages: made, findings: [] };
}

/** The same manifest with another name for every page. */
export function renamed(manifest: Manifest): Manifest {
  const pages = manifest.pages.map((page) => ({ ...page, pageName: `${page.pageName} (new)` }));
  return { ...manifest, pages };
}
