import { formatFacts, type OutputFormat, type RenditionFormat } from '../formats/rendition.ts';
import type { PictureKind, Source } from '../formats/source.ts';
import type { ParsedRequest } from './parse-request.ts';

/** The formats that a picture is published in. */
export interface PublishedFormats {
  /** Of the `<img>`. */
  readonly fallback: OutputFormat;
  /** Of the `<source>` elements before it, the best first. */
  readonly choices: readonly RenditionFormat[];
}

/**
 * Chooses formats. With `formats`, the fallback is the original's own kind, or for a kind that not
 * every browser shows a JPEG, or a PNG where something is transparent. An animation is offered only
 * in formats that keep it moving, a drawing as one only.
 */
export function publishedFormats(
  { format, formats }: Pick<ParsedRequest, 'format' | 'formats'>,
  source: Pick<Source, 'kind' | 'animated' | 'transparent'>,
): PublishedFormats {
  if (source.kind === 'svg') return { fallback: 'svg', choices: [] };
  const fallback = format ?? ownFormat(source);
  const choices = [...new Set(formats)].filter(
    (choice) => choice !== fallback && (!source.animated || formatFacts[choice].animates),
  );
  return { fallback, choices };
}

function ownFormat({
  kind,
  animated,
  transparent,
}: Pick<Source, 'kind' | 'animated' | 'transparent'>): RenditionFormat {
  const shownEverywhere: readonly PictureKind[] = ['jpeg', 'png', 'gif', 'webp'];
  const own = shownEverywhere.find((one) => one === kind) as RenditionFormat | undefined;
  if (own) return own;
  if (animated) return 'webp';
  return transparent ? 'png' : 'jpeg';
}
