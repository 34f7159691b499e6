import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ignoreMissing } from '../src/storage/file-problems.ts';
import { createSite, type Site, type Variables } from '../test/support/site/site.ts';

/** The path of a module that notes the cost of the process that it's imported in. */
export const writePeak = fileURLToPath(new URL('write-peak.ts', import.meta.url));

const sharp = fileURLToPath(new URL('../node_modules/sharp', import.meta.url));

/** Makes Astro's JPEGs progressive, like ours. */
const progressive = {
  service: {
    entrypoint: 'astro/assets/services/sharp',
    config: { jpeg: { progressive: true } },
  },
};

/**
 * A site with the given pages, by their paths below `src/pages`.
 *
 * @param images who publishes images: the integration, Astro by default, or Astro with progressive
 * JPEGs
 */
export async function makeSite(
  pages: Readonly<Record<string, string>>,
  images: 'ours' | 'default' | 'progressive',
): Promise<Site> {
  const site = await createSite('bare');
  await site.remove('src/pages');
  const otherPackage = process.env.BENCH_PACKAGE;
  if (otherPackage) {
    const installed = site.path('node_modules/astro-media-asset');
    await rm(installed);
    await symlink(otherPackage, installed, 'junction');
  }
  if (images !== 'ours') {
    const config = {
      site: 'https://bench.example',
      ...(images === 'progressive' && { image: progressive }),
    };
    // Our sites import `astro/config` too, which takes 0.1 s.
    const text = `import { defineConfig } from 'astro/config';

export default defineConfig(${JSON.stringify(config)});
`;
    await site.write('astro.config.mjs', text);
    // Astro's own images import sharp from the site.
    await symlink(sharp, site.path('node_modules/sharp'), 'junction');
  }
  for (const [path, text] of Object.entries(pages)) await site.write(`src/pages/${path}`, text);
  return site;
}

/** The cost of a build. `processor` is the time of all cores in milliseconds. */
export interface BuildCost {
  readonly milliseconds: number;
  readonly processor: number;
  readonly megabytes: number;
}

/** Runs `astro build` without a cache. */
export async function timedBuild(site: Site, environment: Variables): Promise<BuildCost> {
  await forgetBuilds(site);
  return timedRebuild(site, environment);
}

/**
 * Moves the output and all caches away. For half a minute after files were deleted, ext4 needs up to
 * 1 ms to create one, because it doesn't use their numbers again so soon.
 */
export async function forgetBuilds(
  site: Site,
  paths: readonly string[] = ['dist', 'node_modules/.astro', '.media-asset', '.astro'],
): Promise<void> {
  for (const path of paths) {
    const away = site.path(join('forgotten', randomUUID(), path));
    await mkdir(dirname(away), { recursive: true });
    await rename(site.path(path), away).catch(ignoreMissing);
  }
}

/** Runs `astro build` with the last build's cache. */
export async function timedRebuild(site: Site, environment: Variables): Promise<BuildCost> {
  const peakFile = site.path('peak.txt');
  const start = performance.now();
  await promisify(execFile)(
    process.execPath,
    ['--import', writePeak, site.path('node_modules/astro/bin/astro.mjs'), 'build'],
    {
      cwd: site.dir,
      maxBuffer: 64 * 1024 ** 2,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        ASTRO_TELEMETRY_DISABLED: '1',
        MEDIA_ASSET_REPORT: 'never',
        BENCH_PEAK_FILE: peakFile,
        ...environment,
      },
    },
  );
  const milliseconds = performance.now() - start;
  return { milliseconds, ...JSON.parse(await readFile(peakFile, 'utf8')) };
}

/** @throws if the built site has fewer images. Astro's sites also contain the originals */
export async function assertImages(site: Site, count: number): Promise<void> {
  const files = await site.files('dist/**/*.{avif,webp,jpeg,jpg}');
  assert.ok(files.length >= count, `${files.length} images in ${site.dir}`);
}
