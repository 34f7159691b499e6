import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Finding, finding } from '../errors.ts';
import { resolvedVirtualModule } from './virtual-module.ts';

/** What a server renders that uses components or functions of this package. */
export interface ComponentsOnDemand {
  /** By their pattern. */
  readonly routes: Set<string>;
  /** Files of server islands, absolute. */
  readonly islands: Set<string>;
}

/** A route that is rendered on demand, as Astro names it. */
export interface OnDemandRoute {
  readonly pattern: string;
  /** Its file: relative to the project, or absolute. */
  readonly entrypoint: string;
}

/** What the search needs of a bundler's module and of a chunk. */
interface BundledModule {
  readonly importedIds: readonly string[];
  readonly meta: {
    readonly astro?: { readonly serverComponents?: readonly { readonly resolvedPath: string }[] };
  };
}

type BundledFile =
  | { readonly type: 'chunk'; readonly moduleIds: readonly string[]; readonly imports: string[] }
  | { readonly type: 'asset' };

export interface BundleContext {
  getModuleIds(): Iterable<string>;
  getModuleInfo(id: string): BundledModule | null;
}

/** The part of a Vite plugin that this one uses. */
interface OnDemandPlugin {
  name: string;
  apply: 'build';
  generateBundle(
    this: BundleContext,
    options: unknown,
    bundle: Readonly<Record<string, BundledFile>>,
  ): void;
}

/**
 * Looks, in whatever Astro bundles, for components that a server would have to render. Pages are
 * asked about one by one: the code of a server can hold components that it renders nowhere, those of
 * an entry in MDX for example.
 */
export function componentsOnDemand(
  found: ComponentsOnDemand,
  { root, routes }: { root: URL; routes: () => readonly OnDemandRoute[] },
): OnDemandPlugin {
  // Astro bundles prerendered pages apart from what they leave to the server.
  const islands = new Set<string>();
  return {
    name: 'astro-media-asset/components-on-demand',
    apply: 'build',
    generateBundle(_, bundle) {
      for (const id of this.getModuleIds()) {
        const { serverComponents = [] } = this.getModuleInfo(id)?.meta.astro ?? {};
        for (const { resolvedPath } of serverComponents) islands.add(resolvedPath);
      }
      const usesOurs = (file: string) => importsOurs(file, this) && bundlesOurs(file, bundle);
      for (const { pattern, entrypoint } of routes()) {
        if (usesOurs(moduleId(root, entrypoint))) found.routes.add(pattern);
      }
      for (const file of islands) if (usesOurs(file)) found.islands.add(file);
    },
  };
}

/** What a build says about them; nothing where there are none. */
export function findComponentsOnDemand(
  { routes, islands }: ComponentsOnDemand,
  root: URL,
): Finding | undefined {
  if (routes.size + islands.size === 0) return undefined;
  const files = [...islands].map((file) =>
    relative(fileURLToPath(root), file).replaceAll(sep, '/'),
  );
  const named = { routes: [...routes].sort(), islands: files.sort() };
  const [place = ''] = [...named.routes, ...named.islands];
  return finding('warning', 'components-on-demand', place, named);
}

/** Bundlers know a file by its path with forward slashes. */
function moduleId(root: URL, file: string): string {
  return fileURLToPath(new URL(file, root)).replaceAll(sep, '/');
}

/** By what the modules import: chunks can be shared by those that have nothing to do with it. */
function importsOurs(file: string, context: BundleContext): boolean {
  return reaches(
    file,
    (id) => context.getModuleInfo(id)?.importedIds ?? [],
    (id) => id === resolvedVirtualModule,
  );
}

/** By what is left of it in the chunks: an import can be there for nothing. */
function bundlesOurs(file: string, bundle: Readonly<Record<string, BundledFile>>): boolean {
  const chunkOf = (name: string) => {
    const chunk = bundle[name];
    return chunk?.type === 'chunk' ? chunk : undefined;
  };
  const holds = (name: string, id: string) => chunkOf(name)?.moduleIds.includes(id) ?? false;
  const start = Object.keys(bundle).find((name) => holds(name, file));
  if (start === undefined) return false;
  return reaches(
    start,
    (name) => chunkOf(name)?.imports ?? [],
    (name) => holds(name, resolvedVirtualModule),
  );
}

function reaches(
  start: string,
  next: (name: string) => readonly string[],
  isGoal: (name: string) => boolean,
): boolean {
  const seen = new Set([start]);
  for (const name of seen) {
    if (isGoal(name)) return true;
    for (const one of next(name)) seen.add(one);
  }
  return false;
}
