import { formatPlace } from '../../../errors/place.ts';
import type { Problem, ShownAsset } from '../protocol.ts';
import type { Session } from './session.ts';

export interface PageImage {
  /** Stays the same over a reload and a replacement: the place, and the number there. */
  readonly key: string;
  readonly element: Element;
  readonly shown: ShownAsset;
}

const attribute = 'data-media-asset-toolbar';

const unusedProblem: Problem = { code: 'unused', message: 'Used by no page until now.' };

export function findPageImages(): PageImage[] {
  const numbers = new Map<string, number>();
  return Array.from(document.querySelectorAll(`[${attribute}]`)).flatMap((element) => {
    const shown = readShown(element);
    if (shown === undefined) return [];
    const { place } = shown;
    const base = place ? formatPlace(place) : `#${shown.id}`;
    const number = numbers.get(base) ?? 0;
    numbers.set(base, number + 1);
    return [{ key: `${base}/${number}`, element, shown }];
  });
}

/** Calls back when the page's images may have changed. Returns what stops it. */
export function watchPageImages(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document, { subtree: true, childList: true, attributeFilter: [attribute] });
  return () => observer.disconnect();
}

function readShown(element: Element): ShownAsset | undefined {
  try {
    return JSON.parse(element.getAttribute(attribute) ?? '');
  } catch {
    return undefined;
  }
}

/** Signs for images whose assets no page uses until now. */
export function createUnusedAssets(session: Session, onFound: () => void) {
  const asked = new Set<number>();
  const unused = new Set<number>();
  let turn = Promise.resolve();

  async function ask(ids: readonly number[]): Promise<void> {
    const before = unused.size;
    for (const id of ids) {
      // Without an answer there's no sign. The image's own view shows the error.
      const { usages, reported } = (await session.asset(id).catch(() => undefined)) ?? {};
      if (usages?.length === 0 && reported?.length === 0) unused.add(id);
    }
    if (unused.size > before) onFound();
  }

  return {
    /** Asks for the assets of images, one after another, and each once. */
    check(images: readonly PageImage[]) {
      // A placeholder has a sign of its own.
      const loaded = images.filter(({ shown }) => shown.layout !== undefined);
      const ids = new Set(loaded.map(({ shown }) => shown.id));
      const fresh = [...ids].filter((id) => !asked.has(id));
      for (const id of fresh) asked.add(id);
      turn = turn.then(() => ask(fresh));
    },
    sign(image: PageImage): PageImage {
      if (!unused.has(image.shown.id)) return image;
      const problems = [...image.shown.problems, unusedProblem];
      return { ...image, shown: { ...image.shown, problems } };
    },
  };
}
