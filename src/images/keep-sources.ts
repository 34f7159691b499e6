import type { ImagesContext } from './images-context.ts';
import { parseRenditionUrl, type RenditionAddress, renditionKey } from './rendition-url.ts';

/** Notes all that was made of the sources behind the URLs as used, though no built file names it. */
export function keepSources({ catalogue }: ImagesContext, urls: readonly string[]): void {
  const kept = new Set(addressesOf(urls).map(sourceOf));
  if (kept.size === 0) return;
  const paths = catalogue.items().flatMap(({ path }) => path ?? []);
  for (const address of addressesOf(paths)) {
    if (kept.has(sourceOf(address))) catalogue.markUsed(renditionKey(address));
  }
}

function addressesOf(urls: readonly string[]): RenditionAddress[] {
  return urls.map(parseRenditionUrl).filter((address) => address !== undefined);
}

function sourceOf({ id, sourceHash }: RenditionAddress): string {
  return `${id}-${sourceHash}`;
}
