import { describe } from '../errors/errors.ts';
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
  const placeholders = { page: '{page}', component: '{component}', id: '{id}' };
  const onDemand = describe('component-on-demand', placeholders);
  return `
export const state = ${JSON.stringify(state)};

function theRenderer(given) {
  const renderer = globalThis[Symbol.for(${JSON.stringify(rendererKey)})];
  if (renderer) return renderer;
  const [code, { message, hint }] =
    given?.isPrerendered === false
      ? ['component-on-demand', ${JSON.stringify(onDemand)}]
      : ['renderer-alone', ${JSON.stringify(alone)}];
  const { file, line, column } = given?.props[Symbol.for(${JSON.stringify(callSiteKey)})] ?? {};
  const page = file ? \`\${given.page} (\${file}:\${line}:\${column})\` : given?.page;
  const values = { ...given, page, id: given?.props.id };
  const error = new Error(message.replace(/\\{(page|component|id)\\}/g, (_, name) => values[name]));
  throw Object.assign(error, { name: 'MediaAssetError [' + code + ']', code, hint });
}

export async function getMediaAsset(request, callSite) {
  return theRenderer().getMediaAsset(request, callSite);
}

export async function readProps(given) {
  return theRenderer(given).readProps(given);
}

export async function getMediaFile(request, callSite) {
  return theRenderer().getMediaFile(request, callSite);
}

export async function getMediaCredit(request, callSite) {
  return theRenderer().getMediaCredit(request, callSite);
}

export function structuredData(asset, page) {
  return theRenderer().structuredData(asset, page);
}

export function imageAttributes(asset, given) {
  return theRenderer().imageAttributes(asset, given);
}
`;
}
