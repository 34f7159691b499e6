import { fileURLToPath } from 'node:url';
import type { AstroConfig } from 'astro';

/**
 * Renditions are published in Astro's assets folder, like its own images.
 *
 * @param command in dev, the assets prefix is ignored, because the dev server serves everything
 */
export function renditionLocations(
  { base, build }: Pick<AstroConfig, 'base' | 'build'>,
  command: 'build' | 'dev',
) {
  const toFile = (path: string) => `${build.assets.replace(/^\/+|\/+$/g, '')}/${path}`;
  return {
    /** Relative to the output folder, with forward slashes: `_astro/media-asset/…`. */
    toFile,
    /** With the base, or with the assets prefix if the site has one. */
    toUrl(path: string): string {
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

/** The cache of originals, custom formats and renditions, in Astro's `cacheDir`. */
export function cacheFolder({ cacheDir }: Pick<AstroConfig, 'cacheDir'>): string {
  return fileURLToPath(new URL('media-asset/', cacheDir));
}
