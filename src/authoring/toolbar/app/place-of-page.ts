import type { SourcePlace } from '../protocol.ts';

/**
 * The place in the entry that a page shows, if one file's name and folders fit its path and language
 * best: `/de/blog/quay/` shows `src/content/blog/de/quay.md`.
 */
export function placeOfPage<Place extends Pick<SourcePlace, 'file'>>(
  places: readonly Place[],
  { path, locale }: { path: string; locale: string | undefined },
): Place | undefined {
  const page = path.replace(/(?:\/index)?\.html$|\/+$/, '').split('/');
  const slug = page.at(-1) || locale;
  const words = new Set([...page, locale]);
  const fitting = places.flatMap((place) => {
    const names = encodeURI(place.file.replace(/(?:\/index)?\.\w+$/, '')).split('/');
    if (names.at(-1) !== slug) return [];
    const others = names.filter((name) => !words.has(name)).length;
    return [{ place, fit: names.length - 2 * others }];
  });
  const [best, next] = fitting.sort((one, other) => other.fit - one.fit);
  return best?.fit === next?.fit ? undefined : best?.place;
}
