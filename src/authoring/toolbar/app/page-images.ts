import type { ShownAsset, Size } from '../protocol.ts';
import { describePlace } from './describe.ts';

export interface PageImage {
  /** Stays the same over a reload and a replacement: the place, and the number there. */
  readonly key: string;
  readonly element: Element;
  readonly shown: ShownAsset;
}

const attribute = 'data-media-asset-toolbar';

export function findPageImages(): PageImage[] {
  const numbers = new Map<string, number>();
  return Array.from(document.querySelectorAll(`[${attribute}]`), (element) => {
    const shown: ShownAsset = JSON.parse(element.getAttribute(attribute) ?? '');
    const { place } = shown;
    const base = place ? describePlace(place) : `#${shown.id}`;
    const number = numbers.get(base) ?? 0;
    numbers.set(base, number + 1);
    return { key: `${base}/${number}`, element, shown };
  });
}

/** The size in the browser's layout; `undefined` for a hidden image. */
export function sizeOnPage({ element }: Pick<PageImage, 'element'>): Size | undefined {
  const { width, height } = element.getBoundingClientRect();
  return width && height ? { width: Math.round(width), height: Math.round(height) } : undefined;
}

/** Calls back when the page's images may have changed. Returns what stops it. */
export function watchPageImages(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document, { subtree: true, childList: true, attributeFilter: [attribute] });
  return () => observer.disconnect();
}
