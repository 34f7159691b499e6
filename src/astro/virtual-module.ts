import { extname } from 'node:path';
import { describe } from '../errors/errors.ts';
import type { Place } from '../errors/place.ts';
import { callSiteKey } from './call-sites/call-site-plugin.ts';
import { rendererKey } from './renderer.ts';
import type { Loopback } from './runtime/remote-renderer.ts';

/** The module that components import to reach the renderer. */
export const virtualModuleName = 'virtual:astro-media-asset';

const resolvedVirtualModule = `\0${virtualModuleName}`;

/** In the code of a build, until Astro's page cache has hashed it: the loopback is new in each build. */
const loopbackToCome = '__ASTRO_MEDIA_ASSET_LOOPBACK__';

/** The part of Vite's environments that tells where code will run. */
interface Environment {
  readonly name: string;
  readonly config: { command: 'build' | 'serve'; resolve: { conditions: readonly string[] } };
}

/**
 * Serves the virtual module. Its code contains `state()`. Astro's page cache hashes the code of every
 * module that a page imports, so it notices changed options and new versions of assets.
 *
 * @param openLoopback for pages that the build or the dev server renders in Cloudflare's workerd, where
 * the renderer is out of reach
 */
export function virtualModulePlugin(
  state: () => Promise<string>,
  openLoopback: () => Promise<Loopback>,
) {
  return {
    name: 'astro-media-asset',
    resolveId: (name: string) => (name === virtualModuleName ? resolvedVirtualModule : undefined),
    async load(this: { environment: Environment }, name: string) {
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
    async renderChunk(code: string) {
      if (!code.includes(loopbackToCome)) return undefined;
      const loopback = JSON.stringify(await openLoopback());
      return { code: code.replaceAll(loopbackToCome, () => loopback), map: null };
    },
  };
}

async function moduleCode(state: string, loopback?: string): Promise<string> {
  const { ownProps } = await import('../assets/request/check-props.ts');
  const alone = describe('renderer-alone', undefined);
  // Filled in when the component runs, because a deployed server has no error catalogue.
  const asked = { page: '{page}', component: '{component}', given: '{id}' };
  const onDemand = describe('component-on-demand', asked);
  const place = { file: '{file}', line: '{line}', column: '{column}' } as unknown as Place;
  const placed = describe('component-on-demand', { ...asked, place });
  return `
export { imageAttributes } from ${ownModule('../assets/request/image-attributes')};
${loopback ? `import { remoteRenderer } from ${ownModule('./runtime/remote-renderer')};` : ''}

export const state = ${JSON.stringify(state)};

const remote = ${loopback ? `remoteRenderer(${loopback})` : 'undefined'};

function theRenderer(asked, call) {
  const renderer = globalThis[Symbol.for(${JSON.stringify(rendererKey)})] ?? remote;
  if (renderer) return renderer;
  const [code, { message, hint }] =
    call?.isPrerendered === false
      ? ['component-on-demand', call.place ? ${JSON.stringify(placed)} : ${JSON.stringify(onDemand)}]
      : ['renderer-alone', ${JSON.stringify(alone)}];
  const { page, id } = asked;
  const values = { ...call, ...call?.place, id };
  const error = new Error(message.replace(/\\{(\\w+)\\}/g, (found, name) => values[name] ?? found));
  throw Object.assign(error, { name: 'MediaAssetError [' + code + ']', code, hint, page, place: call?.place });
}

const ownProps = ${JSON.stringify(ownProps)};

export const readProps = ({ component, props, ...given }) => {
  const isOwn = ([name]) => ownProps[component].includes(name);
  const entries = Object.entries(props);
  return {
    own: Object.fromEntries(entries.filter(isOwn)),
    attributes: Object.fromEntries(entries.filter((entry) => !isOwn(entry))),
    // A symbol doesn't reach another runtime.
    call: { ...given, component, props, place: props[Symbol.for(${JSON.stringify(callSiteKey)})] },
  };
};
export const checkCall = async (call) => theRenderer(call, call).checkCall(call);
export const getMediaAsset = async (...asked) => theRenderer(...asked).getMediaAsset(...asked);
export const getMediaFile = async (...asked) => theRenderer(...asked).getMediaFile(...asked);
export const getMediaCredit = async (...asked) => theRenderer(...asked).getMediaCredit(...asked);
export const structuredData = async (asset, page) => theRenderer(asset).structuredData(asset, page);
`;
}

/** The URL of a module of ours that is part of the site's code. It imports nothing of Node. */
function ownModule(path: string): string {
  return JSON.stringify(new URL(`${path}${extname(import.meta.url)}`, import.meta.url).href);
}
