import { fileURLToPath } from 'node:url';
import type { AstroConfig } from 'astro';

/** Where renditions lie below the output folder, and the URLs that pages name them by. */
export interface RenditionLocations {
  /** From the output folder, with forward slashes: `_astro/media-asset/…`. */
  toFile(path: string): string;
  /** With the base, or with the assets prefix where the site has one. */
  toUrl(path: string): string;
}

/**
 * Renditions lie below Astro's own assets folder, as its own images do.
 *
 * @param command in dev an assets prefix doesn't count: the dev server serves everything
 */
export function renditionLocations(
  { base, build }: Pick<AstroConfig, 'base' | 'build'>,
  command: 'build' | 'dev',
): RenditionLocations {
  const toFile = (path: string) => `${build.assets.replace(/^\/+|\/+$/g, '')}/${path}`;
  return {
    toFile,
    toUrl(path) {
      const prefix = command === 'build' ? assetsPrefix(build.assetsPrefix, path) : '';
      return `${(prefix || base).replace(/\/+$/, '')}/${toFile(path)}`;
    },
  };
}

function assetsPrefix(prefix: AstroConfig['build']['assetsPrefix'], path: string): string {
  if (!prefix) return '';
  if (typeof prefix === 'string') return prefix;
  return prefix[path.slice(path.lastIndexOf('.') + 1)] ?? prefix.fallback;
}

/** Where originals, custom formats and renditions are kept between builds, below Astro's `cacheDir`. */
export function cacheFolder({ cacheDir }: Pick<AstroConfig, 'cacheDir'>): string {
  return fileURLToPath(new URL('media-asset/', cacheDir));
}
