import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rm, symlink } from 'node:fs/promises';
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
  const names = Object.keys(cms.dependencies);
  if (names.every((name) => existsSync(join(installed, name, 'package.json')))) return true;
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
  const own = site.path(`node_modules/${manifest.name}`);
  await rm(site.path('node_modules'), { recursive: true, force: true });
  for (const part of ['package.json', 'dist', 'samples', 'src/components'])
    await cp(join(root, part), join(own, part), { recursive: true });
  for (const name of Object.keys(manifest.dependencies))
    await link(join(root, 'node_modules', name), join(own, 'node_modules', name));
  const isOther = (name: string) => !name.startsWith('.') && name !== manifest.name;
  for (const name of (await readdir(installed)).filter(isOther))
    await link(join(installed, name), site.path(`node_modules/${name}`));
  await writeManifest(site, { ...cms.dependencies, [manifest.name]: manifest.version });
}

/** Astro only compiles packages that the site names. */
const writeManifest = (site: Site, dependencies: Readonly<Record<string, string>>) =>
  site.write('package.json', JSON.stringify({ private: true, type: 'module', dependencies }));

/** Gives a site single packages of `test/cms`, next to those that it has. */
export async function linkCmsPackages(site: Site, names: readonly string[]): Promise<void> {
  for (const name of names) await link(join(installed, name), site.path(`node_modules/${name}`));
  await writeManifest(site, Object.fromEntries(names.map((name) => [name, '*'])));
}

async function link(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path, 'junction');
}

/** Makes a CMS's example read its packages outside of its folder, and show no toolbar. */
export const prepareExample = (example: Site): Promise<void> =>
  example.edit(
    'astro.config.mjs',
    'defineConfig({',
    '$& devToolbar: { enabled: false }, vite: { server: { fs: { strict: false } } },',
  );
