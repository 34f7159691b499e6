/** A place in code or text that asks for an asset. */
export interface Place {
  /** From the project's folder, with `/`. An absolute path if the file is outside of it. */
  readonly file: string;
  /** Counted from 1. */
  readonly line?: number | undefined;
  /** In UTF-16 code units, counted from 1. */
  readonly column?: number | undefined;
}

/** The place of an offset in the text of a file. */
export function placeAt({ file, text }: { file: string; text: string }, offset: number) {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { file, line, column: offset - before.lastIndexOf('\n') };
}

/** What an error or a finding is about, as far as it's known. */
export interface Subject {
  /** The page's URL or path, or the name that a caller of `getMediaAsset()` gives it. */
  readonly page?: string | undefined;
  /** The code or text that asked for the asset, or the file that it's about. */
  readonly place?: Place | undefined;
  /** The asset's ID. */
  readonly id?: number | undefined;
  /** The function that asked, if no page or place is known: `getMediaAsset()`. */
  readonly caller?: string | undefined;
}

/** An asset that someone asked for. */
export interface AssetSubject extends Subject {
  readonly id: number;
}

/** `src/layouts/Base.astro:12:3` */
export function formatPlace({ file, line, column }: Place): string {
  return [file, line, column].filter((part) => part !== undefined).join(':');
}

/** `/blog/quay/ (src/layouts/Base.astro:12:3)`; `''` if nothing is known. */
export function formatSubject({ page, place, caller = '' }: Subject): string {
  if (!place) return page ?? caller;
  return page ? `${page} (${formatPlace(place)})` : formatPlace(place);
}

/** The subject of an asset: with a page and a place if it was asked for once. */
export function joinSubjects(given: { id: number; asked: readonly Subject[] }): Subject {
  return { ...(given.asked.length === 1 ? given.asked[0] : {}), id: given.id };
}

/** Sorts line 8 before line 10. */
const inOrder = new Intl.Collator('en', { numeric: true });

/** Names pages with their places. Those with the same places share them: a layout can be on all pages. */
export function listSubjects(subjects: readonly Subject[]): string {
  const byPage = Map.groupBy(subjects, ({ page, caller }) => page ?? caller ?? '');
  const groups = Map.groupBy(byPage.keys(), (page) => {
    const places = (byPage.get(page) ?? []).flatMap(({ place }) =>
      place ? formatPlace(place) : [],
    );
    return [...new Set(places)].sort(inOrder.compare).join(', ');
  });
  const texts = Array.from(groups, ([places, pages]) => {
    const named = pages.filter((page) => page !== '').join(', ');
    return named && places ? `${named} (${places})` : named || places;
  });
  return texts.join(', ');
}
