import { fileURLToPath } from 'node:url';
import type { AstroConfig } from 'astro';

/** Where originals, custom formats and renditions are kept between builds, below Astro's `cacheDir`. */
export function cacheFolder({ cacheDir }: Pick<AstroConfig, 'cacheDir'>): string {
  return fileURLToPath(new URL('media-asset/', cacheDir));
}
