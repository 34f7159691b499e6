import type { MediaAsset, MediaAssetSource } from './media-asset.ts';

type AnyAsset = (MediaAsset & { readonly toolbar?: string | undefined }) | { readonly id: number };

/** The attributes of an asset's `<img>`, in the order of the HTML, and its sources. */
export function imageAttributes(
  asset: AnyAsset,
  given: {
    readonly alt: string | undefined;
    readonly priority?: boolean | undefined;
    /** The author's own, such as `class`. */
    readonly attributes: Readonly<Record<string, unknown>>;
  },
): { attributes: Record<string, unknown>; sources: MediaAssetSource[] } {
  const { alt = '', priority = false, attributes: written } = given;
  // Browsers use the first of two attributes with one name.
  const {
    loading = priority ? 'eager' : 'lazy',
    decoding = priority ? 'sync' : 'async',
    fetchpriority = priority ? 'high' : undefined,
    ...others
  } = written;
  if (!('src' in asset)) {
    const own = { 'data-media-asset-unavailable': asset.id, alt };
    return { attributes: { ...own, ...others, ...own }, sources: [] };
  }
  const { sizes, sources } = autoSizes(asset, loading);
  const placing: Partial<MediaAsset> = asset.layout === 'none' ? {} : asset;
  const own = {
    'data-media-asset': asset.id,
    'data-media-asset-toolbar': asset.toolbar,
    'data-media-asset-layout': placing.layout,
    'data-media-asset-fit': placing.fit,
    'data-media-asset-position': placing.position,
    src: asset.src,
    srcset: asset.srcset,
    sizes,
    alt: asset.alt,
    width: asset.width,
    height: asset.height,
  };
  const loads = { loading, decoding, fetchpriority };
  const style = joinStyles([positionStyle(placing), asset.placeholderStyle], others.style);
  return {
    // Ours again, so that one passed as `undefined` doesn't remove them.
    attributes: { ...own, ...loads, ...others, style, ...own },
    sources,
  };
}

/**
 * Adds `auto` to the `sizes` of a lazy image and its sources: when it loads, its width is known.
 * Browsers that don't know `auto` skip it. On a source, it only counts if the `<img>` has it too.
 *
 * @see https://html.spec.whatwg.org/multipage/images.html#sizes-attributes
 */
function autoSizes({ sizes, sources }: Pick<MediaAsset, 'sizes' | 'sources'>, loading: unknown) {
  const isAuto = loading === 'lazy' && sizes !== undefined;
  const read = (given: string | undefined) =>
    isAuto && given !== undefined && !/^\s*auto\s*(?:,|$)/i.test(given) ? `auto, ${given}` : given;
  return {
    sizes: read(sizes),
    sources: sources.map((source) => ({ ...source, sizes: read(source.sizes) })),
  };
}

/** What the stylesheet doesn't know. It has corners and sides, for policies that forbid `style`. */
function positionStyle({ position = '50% 50%' }: Partial<MediaAsset>): string | undefined {
  if (/^(?:0|50|100)% (?:0|50|100)%$/.test(position)) return undefined;
  const [x, y] = position.split(' ');
  return `--media-asset-x:${x};--media-asset-y:${y}`;
}

/** Joins our declarations and the author's `style`. The author's come last, so they win. */
function joinStyles(own: readonly (string | undefined)[], written: unknown): unknown {
  if (!own.some(Boolean)) return written;
  return [...own, toText(written)].filter(Boolean).join(';');
}

/** A `style` as Astro accepts it: a string, an object, or an array of both. */
function toText(written: unknown): string {
  if (typeof written === 'string' || written instanceof String) return `${written}`;
  if (Array.isArray(written)) return written.map(toText).join(';');
  if (typeof written !== 'object' || written === null) return '';
  return Object.entries(written)
    .filter(([, value]) => typeof value === 'number' || (typeof value === 'string' && value.trim()))
    .map(([name, value]) => `${toProperty(name)}:${value}`)
    .join(';');
}

function toProperty(name: string): string {
  if (name.startsWith('--')) return name;
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
