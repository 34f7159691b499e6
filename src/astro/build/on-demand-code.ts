import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { IntegrationResolvedRoute } from 'astro';
import { type Finding, finding } from '../../errors/errors.ts';
import { resolvedVirtualModule } from '../virtual-module.ts';

/** A build's module graph. `serverComponents` are those with `server:defer`. */
interface Graph {
  getModuleIds(): Iterable<string>;
  getModuleInfo(id: string): {
    readonly importedIds: readonly string[];
    readonly dynamicallyImportedIds: readonly string[];
    readonly meta: { astro?: { serverComponents: readonly { resolvedPath: string }[] } };
  } | null;
}

/** Finds the code of on-demand routes and server islands that imports our components or functions. */
export function onDemandCodePlugin(routes: () => readonly IntegrationResolvedRoute[]) {
  const users = new Map<string, Set<string>>();
  let root = '';
  const nameOf = (path: string) => relative(root, path).replaceAll('\\', '/');
  return {
    name: 'astro-media-asset/on-demand-code',
    apply: 'build' as const,
    configResolved(config: { readonly root: string }) {
      root = realpathSync(config.root);
    },
    buildEnd(this: Graph) {
      const importsOf = (id: string) => {
        const { importedIds = [], dynamicallyImportedIds = [] } = this.getModuleInfo(id) ?? {};
        return [...importedIds, ...dynamicallyImportedIds];
      };
      const isOurs = (id: string) => importsOf(id).includes(resolvedVirtualModule);
      const onDemand = routes().filter((one) => !one.isPrerendered && one.origin !== 'internal');
      const islands = Array.from(this.getModuleIds())
        // Markdown has no islands, and each module's information is slow to get.
        .filter((id) => !id.endsWith('.md'))
        .flatMap((id) => this.getModuleInfo(id)?.meta.astro?.serverComponents ?? [])
        .map(({ resolvedPath: path }) => ({ entrypoint: path, pattern: `island ${nameOf(path)}` }));
      for (const { entrypoint, pattern } of [...onDemand, ...islands]) {
        const reached = new Set([resolve(root, entrypoint).replaceAll('\\', '/')]);
        for (const id of reached) {
          const imports = isOurs(id) ? [] : importsOf(id);
          if (imports.some(isOurs)) users.set(id, (users.get(id) ?? new Set()).add(pattern));
          for (const one of imports) reached.add(one);
        }
      }
    },
    findings: (): Finding[] =>
      Array.from(users, ([id, names]) => {
        const file = id.replace(/\?.*/s, '');
        const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
        const at = text.indexOf('astro-media-asset/');
        const line = at < 0 ? undefined : text.slice(0, at).split('\n').length;
        const place = { file: nameOf(file), line };
        return finding('warning', 'code-on-demand', { place, names: [...names].sort() });
      }),
  };
}
