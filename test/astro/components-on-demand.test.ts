import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { type BundleContext, componentsOnDemand } from '../../src/astro/components-on-demand.ts';
import { resolvedVirtualModule as ours } from '../../src/astro/virtual-module.ts';

const root = pathToFileURL('/site/');
const moduleId = (file: string) => fileURLToPath(new URL(file, root)).replaceAll('\\', '/');
const page = moduleId('src/pages/live.astro');
const component = moduleId('src/Shelf.astro');
const base = moduleId('src/Base.astro');

/** What is found for a page, from what modules import and what is left in chunks. */
function routesFound(
  modules: Record<string, string[]>,
  chunks: Record<string, { moduleIds: string[]; imports: string[] }>,
): string[] {
  const found = { routes: new Set<string>(), islands: new Set<string>() };
  const routes = [{ pattern: '/live', entrypoint: 'src/pages/live.astro' }];
  const context: BundleContext = {
    getModuleIds: () => Object.keys(modules),
    getModuleInfo: (id) => ({ importedIds: modules[id] ?? [], meta: {} }),
  };
  const bundle = Object.entries(chunks).map(
    ([name, chunk]) => [name, { type: 'chunk' as const, ...chunk }] as const,
  );
  const plugin = componentsOnDemand(found, { root, routes: () => routes });
  plugin.generateBundle.call(context, undefined, Object.fromEntries(bundle));
  return [...found.routes];
}

test.each([
  {
    what: 'a component behind another',
    modules: { [page]: [component], [component]: [ours] },
    chunks: {
      'live.mjs': { moduleIds: [page], imports: ['shelf.mjs'] },
      'shelf.mjs': { moduleIds: [ours, component], imports: ['live.mjs'] },
    },
    found: ['/live'],
  },
  {
    what: 'a chunk that is shared with such a component',
    modules: { [page]: [base], [component]: [ours] },
    chunks: {
      'live.mjs': { moduleIds: [page], imports: ['shared.mjs'] },
      'shared.mjs': { moduleIds: [base, component, ours], imports: [] },
    },
    found: [],
  },
  {
    what: 'an import of which nothing is left',
    modules: { [page]: [component], [component]: [ours] },
    chunks: {
      'live.mjs': { moduleIds: [page], imports: [] },
      'shelf.mjs': { moduleIds: [component, ours], imports: [] },
    },
    found: [],
  },
  {
    what: 'a page that is bundled elsewhere',
    modules: { [page]: [component], [component]: [ours] },
    chunks: { 'shelf.mjs': { moduleIds: [component, ours], imports: [] } },
    found: [],
  },
])('judges $what', ({ modules, chunks, found }) => {
  expect(routesFound(modules, chunks)).toEqual(found);
});
