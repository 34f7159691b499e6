import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const { TEST_ASTRO: asked } = process.env;

/** Whether the test sites use Cloudflare's adapter, which renders pages in its own runtime. */
export const onCloudflare = asked === 'cloudflare';

/** The project whose Astro the test sites use. `TEST_ASTRO`: an older major, or `cloudflare`. */
const project =
  asked === undefined
    ? root
    : join(root, 'test', asked === 'cloudflare' ? '' : 'astro-versions', asked);

/** The folders of the test sites' packages, by name. */
export const astroPackages = new Map<string, string>(
  ['astro', '@astrojs/mdx'].map((name) => [name, packageFolder(name, project)]),
);

const astro = astroPackages.get('astro') as string;
astroPackages.set('@astrojs/markdown-remark', packageFolder('@astrojs/markdown-remark', astro));
if (asked === 'cloudflare')
  astroPackages.set('@astrojs/cloudflare', packageFolder('@astrojs/cloudflare', project));

const { version } = JSON.parse(readFileSync(join(astro, 'package.json'), 'utf8'));

/** The major version of the test sites' Astro. */
export const astroMajor: number = Number.parseInt(version, 10);

/** Features that some tests need, each with the first major of Astro that has it. */
const firstMajors = {
  /** `experimental.incrementalBuild`, since 7.2. */
  'incremental builds': 7,
  /** A dev server that serves packages from outside of the project, as the test sites have them. */
  'linked packages': 6,
  /** The Markdown processor that is the default since 7.0. */
  Sätteri: 7,
} as const;

/** Whether the sites' Astro has the feature: `test.runIf(astroHas('incremental builds'))`. */
export function astroHas(feature: keyof typeof firstMajors): boolean {
  return astroMajor >= firstMajors[feature];
}

function packageFolder(name: string, from: string): string {
  const manifest = findPackageJSON(name, join(from, 'package.json'));
  if (!manifest) throw new Error(`There is no ${name} below ${from}.`);
  return dirname(manifest);
}
