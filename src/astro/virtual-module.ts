import { describe } from '../errors/errors.ts';
import type { Place } from '../errors/place.ts';
import { callSiteKey } from './call-sites/call-site.ts';
import { rendererKey } from './renderer.ts';

/** The module that components import to reach the renderer. */
export const virtualModuleName = 'virtual:astro-media-asset';

/** Its ID in bundlers. */
const resolvedVirtualModule = `\0${virtualModuleName}`;

/**
 * Serves the virtual module. Its code contains `state()`. Astro's page cache hashes the code of every
 * module that a page imports, so it notices changed options and new versions of assets.
 */
export function virtualModulePlugin(state: () => Promise<string>) {
  return {
    name: 'astro-media-asset',
    resolveId: (name: string) => (name === virtualModuleName ? resolvedVirtualModule : undefined),
    load: (name: string) => (name === resolvedVirtualModule ? state().then(moduleCode) : undefined),
  };
}

function moduleCode(state: string): string {
  const alone = describe('renderer-alone', undefined);
  // Filled in when the component runs, because a deployed server has no error catalogue.
  const asked = { page: '{page}', component: '{component}', given: '{id}' };
  const onDemand = describe('component-on-demand', asked);
  const place = { file: '{file}', line: '{line}', column: '{column}' } as unknown as Place;
  const placed = describe('component-on-demand', { ...asked, place });
  return `
export const state = ${JSON.stringify(state)};

function theRenderer(given) {
  const renderer = globalThis[Symbol.for(${JSON.stringify(rendererKey)})];
  if (renderer) return renderer;
  const place = given?.props[Symbol.for(${JSON.stringify(callSiteKey)})];
  const [code, { message, hint }] =
    given?.isPrerendered === false
      ? ['component-on-demand', place ? ${JSON.stringify(placed)} : ${JSON.stringify(onDemand)}]
      : ['renderer-alone', ${JSON.stringify(alone)}];
  const values = { ...given, ...place, id: given?.props.id };
  const error = new Error(message.replace(/\\{(\\w+)\\}/g, (found, name) => values[name] ?? found));
  throw Object.assign(error, { name: 'MediaAssetError [' + code + ']', code, hint, page: given?.page, place });
}

export const readProps = async (given) => theRenderer(given).readProps(given);
export const getMediaAsset = async (...asked) => theRenderer().getMediaAsset(...asked);
export const getMediaFile = async (...asked) => theRenderer().getMediaFile(...asked);
export const getMediaCredit = async (...asked) => theRenderer().getMediaCredit(...asked);
export const structuredData = (...shown) => theRenderer().structuredData(...shown);
export const imageAttributes = (...shown) => theRenderer().imageAttributes(...shown);
`;
}
