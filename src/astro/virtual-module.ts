import { describe } from '../errors.ts';
import { rendererKey } from './renderer.ts';

/** The module that components import to reach the renderer. */
export const virtualModuleName = 'virtual:astro-media-asset';

/** The id that bundlers know it by. */
export const resolvedVirtualModule = `\0${virtualModuleName}`;

/** The part of a Vite plugin that this one uses. */
export interface VirtualModulePlugin {
  name: string;
  resolveId(name: string): string | undefined;
  load(name: string): Promise<string> | undefined;
}

/**
 * Serves the virtual module. Its code holds `state()`: Astro's page cache hashes the code of every
 * module that a page imports, and so notices other options and other versions of assets.
 */
export function virtualModulePlugin(state: () => Promise<string>): VirtualModulePlugin {
  return {
    name: 'astro-media-asset',
    resolveId: (name) => (name === virtualModuleName ? resolvedVirtualModule : undefined),
    load: (name) => (name === resolvedVirtualModule ? state().then(moduleCode) : undefined),
  };
}

function moduleCode(state: string): string {
  const { message, hint } = describe('renderer-alone', undefined);
  return `
export const state = ${JSON.stringify(state)};

function theRenderer() {
  const renderer = globalThis[Symbol.for(${JSON.stringify(rendererKey)})];
  if (!renderer) {
    const error = new Error(${JSON.stringify(message)});
    error.name = 'MediaAssetError [renderer-alone]';
    error.hint = ${JSON.stringify(hint)};
    throw error;
  }
  return renderer;
}

export async function getMediaAsset(request) {
  return theRenderer().getMediaAsset(request);
}

export function checkAttributes(given) {
  theRenderer().checkAttributes(given);
}

export async function getMediaFile(request) {
  return theRenderer().getMediaFile(request);
}
`;
}
