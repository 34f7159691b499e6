import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig } from 'astro';

/** Renditions are in Astro's assets folder. In dev, the assets prefix is ignored. */
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
      const prefixes = assetsPrefixes(build);
      const prefix = prefixes[extname(path).slice(1)] ?? prefixes.fallback;
      return `${((command === 'build' && prefix) || base).replace(/\/+$/, '')}/${toFile(path)}`;
    },
  };
}

/** Astro's `build.assetsPrefix` by extension. Without one, the fallback is empty. */
export function assetsPrefixes({
  assetsPrefix,
}: Pick<AstroConfig['build'], 'assetsPrefix'>): Record<string, string> & { fallback: string } {
  return typeof assetsPrefix === 'object' ? assetsPrefix : { fallback: assetsPrefix ?? '' };
}

/** The cache of originals, custom formats and renditions, in Astro's `cacheDir`. */
export function cacheFolder({ cacheDir }: Pick<AstroConfig, 'cacheDir'>): string {
  return fileURLToPath(new URL('media-asset/', cacheDir));
}
