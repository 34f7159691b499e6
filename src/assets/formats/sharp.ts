import { createRequire } from 'node:module';
import type sharpModule from 'sharp';
import type { Sharp, SharpInput, SharpOptions } from 'sharp';

const require = createRequire(import.meta.url);

let loaded: typeof sharpModule | undefined;

/** sharp. It's loaded for the first image: builds that find all renditions in the cache open none. */
export function sharp(input: SharpInput, options?: SharpOptions): Sharp {
  if (!loaded) {
    loaded = require('sharp') as typeof sharpModule;
    // libvips keeps recent operations open. Its limit for them doesn't count their decoders' memory, which
    // for a progressive JPEG is all of its coefficients.
    loaded.cache(false);
  }
  return loaded(input, options);
}
