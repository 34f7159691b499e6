import { existsSync } from 'node:fs';
import { cp, mkdir, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import manifest from '../../../package.json' with { type: 'json' };
import cms from '../../cms/package.json' with { type: 'json' };
import type { Site } from './site.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const installed = join(root, 'test/cms/node_modules');

/**
 * Whether the CMSs of `test/cms` are installed. Warns if they aren't.
 *
 * @throws if `REQUIRE_CMS=1` and they aren't
 */
export function findCmsPackages(): boolean {
  if (existsSync(join(installed, '@keystatic/core/package.json'))) return true;
  const missing =
    'The CMSs are not installed: run `npm run test:astro-versions -- --only-install`.';
  if (process.env.REQUIRE_CMS === '1') throw new Error(missing);
  console.warn(`${missing} Their tests are skipped.`);
  return false;
}

/** A file of an installed CMS. */
export const cmsFile = (path: string): string => join(installed, path);

/**
 * Gives a site the packages of `test/cms` and a copy of ours. A link would find neither the site's React
 * nor its Astro, because Node looks for packages next to the real file.
 */
export async function useCmsPackages(site: Site): Promise<void> {
  const own = join(installed, 'astro-media-asset');
  const again = { recursive: true, force: true };
  await rm(own, again);
  for (const part of ['package.json', 'dist', 'src/components'])
    await cp(join(root, part), join(own, part), again);
  for (const name of Object.keys(manifest.dependencies)) {
    const link = join(own, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(root, 'node_modules', name), link, 'junction');
  }
  // Astro only compiles packages that the site names.
  const dependencies = { ...cms.dependencies, [manifest.name]: manifest.version };
  await site.write('package.json', JSON.stringify({ private: true, type: 'module', dependencies }));
  await site.remove('node_modules');
  await symlink(installed, site.path('node_modules'), 'junction');
}
