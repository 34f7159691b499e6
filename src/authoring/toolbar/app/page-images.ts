import { createButton, createElement } from '../../crop-editor/create-element.ts';
import type { ShownAsset, Size } from '../protocol.ts';
import { describePlace } from './describe.ts';
import type { Session } from './session.ts';

export interface ImageOnPage {
  /** Stays the same over a reload and a replacement: the place, and the number there. */
  readonly key: string;
  readonly element: Element;
  readonly shown: ShownAsset;
}

const attribute = 'data-media-asset-toolbar';

export function findPageImages(): ImageOnPage[] {
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
export function sizeOnPage({ element }: Pick<ImageOnPage, 'element'>): Size | undefined {
  const { width, height } = element.getBoundingClientRect();
  return width && height ? { width: Math.round(width), height: Math.round(height) } : undefined;
}

/** Calls back when the page's images may have changed. Returns what stops it. */
export function watchPageImages(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document, { subtree: true, childList: true, attributeFilter: [attribute] });
  return () => observer.disconnect();
}

/** The list of the page's images, hidden ones included. */
export function createPageList(options: { session: Session; onSelect(key: string): void }) {
  const list = createElement('ul', { class: 'images' });
  const empty = createElement('p', { class: 'empty' }, 'No media assets on this page');
  const title = createElement('h2', { tabindex: '-1' }, 'Images on this page');
  const element = createElement('div', { class: 'view' }, title, empty, list);
  let buttons = new Map<string, HTMLButtonElement>();

  function createRow({ key, shown, element }: ImageOnPage): HTMLElement {
    const image = options.session.thumbnail(shown.layout && shown.id);
    const about = [
      String(shown.id),
      ...(shown.place ? [describePlace(shown.place)] : []),
      ...(sizeOnPage({ element }) ? [] : ['hidden']),
    ];
    const button = createButton('', () => options.onSelect(key), 'image');
    button.append(
      createElement('span', { class: 'thumbnail' }, image),
      createElement(
        'span',
        { class: 'text' },
        createElement('span', { class: 'name' }, shown.name ?? `Image ${shown.id}`),
        createElement('span', { class: 'quiet' }, about.join(' · ')),
        ...shown.problems.map((problem) => createElement('span', { class: 'problem' }, problem)),
      ),
    );
    buttons.set(key, button);
    return createElement('li', {}, button);
  }

  return {
    element,
    show(images: readonly ImageOnPage[]) {
      const root = element.getRootNode() as ShadowRoot | Document;
      const [focused] = [...buttons].find(([, button]) => button === root.activeElement) ?? [];
      buttons = new Map();
      list.replaceChildren(...images.map(createRow));
      list.hidden = images.length === 0;
      empty.hidden = images.length > 0;
      if (focused !== undefined) this.focus(focused);
    },
    /** Focuses an image, or the first one. */
    focus(key: string | undefined) {
      const [first] = buttons.values();
      ((key !== undefined && buttons.get(key)) || first || title).focus();
    },
  };
}
