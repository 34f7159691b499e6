import type { Place } from '../../errors/place.ts';

/**
 * The prop that holds the place of a component's tag, at its `<`. Its key is a symbol: no spread of
 * attributes renders it, and no check of names meets it.
 */
export const callSiteKey = 'astro-media-asset.call-site';

export function callSiteOf(props: object): Place | undefined {
  return Reflect.get(props, Symbol.for(callSiteKey));
}
