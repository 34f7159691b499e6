import { extname } from 'node:path';
import type { Loopback } from './runtime/remote-renderer.ts';

/** The module that components import to reach the renderer. */
const virtualModuleName = 'virtual:astro-media-asset';

const resolvedVirtualModule = `\0${virtualModuleName}`;

/** In the code of a build, until Astro's page cache has hashed it: the loopback is new in each build. */
const loopbackToCome = '__ASTRO_MEDIA_ASSET_LOOPBACK__';

/** The part of Vite's environments that tells where code will run. */
interface ViteEnvironment {
  readonly name: string;
  readonly config: { command: 'build' | 'serve'; resolve: { conditions: readonly string[] } };
}

/**
 * Serves the virtual module. Its code contains `state()`, which Astro's page cache hashes: so it
 * notices changed options and versions of assets. `openLoopback` is for pages in Cloudflare's
 * workerd, where the renderer is out of reach.
 */
export function virtualModulePlugin(
  state: () => Promise<string>,
  openLoopback: () => Promise<Loopback>,
) {
  return {
    name: 'astro-media-asset',
    resolveId: (name: string) => (name === virtualModuleName ? resolvedVirtualModule : undefined),
    async load(this: { environment: ViteEnvironment }, name: string) {
      if (name !== resolvedVirtualModule) return undefined;
      const { command, resolve } = this.environment.config;
      const isBuild = command === 'build';
      // All other code of a build runs after the deploy.
      const isOurs = !isBuild || this.environment.name === 'prerender';
      const isRemote = isOurs && resolve.conditions.includes('workerd');
      if (!isRemote) return moduleCode(await state());
      const loopback = isBuild ? loopbackToCome : JSON.stringify(await openLoopback());
      return moduleCode(await state(), loopback);
    },
    renderChunk: {
      // Vite before 8 has no filter here. With one, the other chunks aren't copied for us.
      filter: { code: loopbackToCome },
      async handler(code: string) {
        if (!code.includes(loopbackToCome)) return undefined;
        const loopback = JSON.stringify(await openLoopback());
        return { code: code.replaceAll(loopbackToCome, () => loopback), map: null };
      },
    },
  };
}

async function moduleCode(state: string, loopback?: string): Promise<string> {
  const { ownProps } = await import('../assets/request/check-props.ts');
  const remote = loopback ? `remoteRenderer(${loopback})` : 'undefined';
  return `
import { createAsk } from ${ownModule('./runtime/ask')};
export { imageAttributes } from ${ownModule('../assets/request/image-attributes')};
${loopback ? `import { remoteRenderer } from ${ownModule('./runtime/remote-renderer')};` : ''}

export const state = ${JSON.stringify(state)};
export const { ask, readProps } = createAsk(${JSON.stringify(ownProps())}, ${remote});
`;
}

/** The URL of a module of ours that is part of the site's code. It imports nothing of Node. */
function ownModule(path: string): string {
  return JSON.stringify(new URL(`${path}${extname(import.meta.url)}`, import.meta.url).href);
}
