import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { IntegrationResolvedRoute } from 'astro';
import { expect, test } from 'vitest';
import { onDemandCodePlugin } from '../../../src/astro/build/on-demand-code.ts';
import { resolvedVirtualModule } from '../../../src/astro/virtual-module.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

interface Module {
  readonly imports?: readonly string[];
  readonly dynamic?: readonly string[];
  readonly islands?: readonly string[];
  readonly text?: string;
}
type Route = Partial<Pick<IntegrationResolvedRoute, 'isPrerendered' | 'origin'>>;

/** Our component, which imports the virtual module. */
const component = 'node_modules/astro-media-asset/MediaAsset.astro';
const ours: Module = { imports: [resolvedVirtualModule] };
const user = (line: number): Module => ({
  imports: [component],
  text: `${'\n'.repeat(line - 1)}import { MediaAsset } from 'astro-media-asset/components';\n`,
});

/** Which files of a project are found, with their routes and islands. Each route is of `<name>.astro`. */
async function findingsOf(modules: Record<string, Module>, routes: Record<string, Route>) {
  const root = await realpath(await temporaryFolder('code'));
  const idOf = (name: string) => (name === resolvedVirtualModule ? name : join(root, name));
  for (const [name, { text }] of Object.entries(modules)) {
    if (text === undefined) continue;
    await mkdir(dirname(idOf(name)), { recursive: true });
    await writeFile(idOf(name), text);
  }
  const all = Object.entries(routes).map(([name, route]) => ({
    ...{ pattern: `/${name}`, entrypoint: `${name}.astro` },
    ...{ isPrerendered: false, origin: 'project', ...route },
  }));
  const plugin = onDemandCodePlugin(() => all as unknown as IntegrationResolvedRoute[]);
  plugin.configResolved({ root });
  const known = new Map(Object.entries({ [component]: ours, ...modules }));
  plugin.buildEnd.call({
    getModuleIds: () => Array.from(known.keys(), idOf),
    getModuleInfo(id: string) {
      const { imports = [], dynamic = [], islands } = known.get(id.slice(root.length + 1)) ?? {};
      return {
        importedIds: imports.map(idOf),
        dynamicallyImportedIds: dynamic.map(idOf),
        meta: islands
          ? { astro: { serverComponents: islands.map((one) => ({ resolvedPath: idOf(one) })) } }
          : {},
      };
    },
  });
  return plugin.findings().map(({ message }) => message.replace(/ imports .* on demand:/, ':'));
}

test.each<[what: string, Record<string, Module>, Record<string, Route>, string[]]>([
  ['a route with our component', { 'a.astro': user(2) }, { a: {} }, ['a.astro:2: /a.']],
  [
    'code that routes import, also in turn',
    {
      'a.astro': { imports: ['card.astro'] },
      'b.astro': { dynamic: ['card.astro'] },
      'card.astro': { imports: ['images.ts'] },
      'images.ts': user(1),
    },
    { b: {}, a: {} },
    ['images.ts:1: /a, /b.'],
  ],
  [
    'a component that is rendered as an island',
    { 'a.astro': { islands: ['flag.astro'] }, 'flag.astro': user(3) },
    { a: { isPrerendered: true } },
    ['flag.astro:3: island flag.astro.'],
  ],
])('names %s', async (_, modules, routes, expected) => {
  expect(await findingsOf(modules, routes)).toEqual(expected);
});

test.each<[what: string, Record<string, Module>, Record<string, Route>]>([
  ['a prerendered route', { 'a.astro': user(1) }, { a: { isPrerendered: true } }],
  ["one of Astro's own routes", { 'a.astro': user(1) }, { a: { origin: 'internal' } }],
  ['a route without our component', { 'a.astro': { imports: ['b.ts'] }, 'b.ts': {} }, { a: {} }],
  ['our own code', { 'a.astro': { imports: [resolvedVirtualModule, component] } }, { a: {} }],
])('names nothing for %s', async (_, modules, routes) => {
  expect(await findingsOf(modules, routes)).toEqual([]);
});
