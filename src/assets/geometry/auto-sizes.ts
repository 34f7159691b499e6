type Sizes = string | undefined;

/**
 * Adds `auto` to the `sizes` of a lazy image and its sources: when it loads, its width is known.
 * Browsers that don't know `auto` skip it. On a source, it only counts if the `<img>` has it too.
 *
 * @see https://html.spec.whatwg.org/multipage/images.html#sizes-attributes
 */
export function autoSizes<Source extends { readonly sizes: Sizes }>(
  { sizes, sources }: { readonly sizes: Sizes; readonly sources: readonly Source[] },
  loading: unknown,
): { sizes: Sizes; sources: Source[] } {
  const isAuto = loading === 'lazy' && sizes !== undefined;
  const read = (given: Sizes) =>
    isAuto && given !== undefined && !/^\s*auto\s*(?:,|$)/i.test(given) ? `auto, ${given}` : given;
  return {
    sizes: read(sizes),
    sources: sources.map((source) => ({ ...source, sizes: read(source.sizes) })),
  };
}
