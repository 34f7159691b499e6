import { createButton, createElement } from '../../crop-editor/create-element.ts';
import { describePlace, kindNames, lacksAlt } from '../../library/describe.ts';
import type { Session } from '../../library/session.ts';
import type { ShownAsset, Size } from '../protocol.ts';
import { type AltSaving, createAltField } from './alt-field.ts';

export interface ImageOnPage {
  /** Stays the same over a reload and a replacement: the place, and the number there. */
  readonly key: string;
  /** With the asset, so that what's typed or drawn isn't saved to another one that takes its place. */
  readonly draftKey: string;
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
    const key = `${base}/${number}`;
    return { key, draftKey: `${key}/${shown.id}`, element, shown };
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

/** The list of the page's images and files, hidden ones included, each image with its alt text. */
export function createPageList(options: {
  session: Session;
  alts: AltSaving;
  onSelect(key: string): void;
  onSaves(): void;
}) {
  const list = createElement('ul', { class: 'images' });
  const empty = createElement('p', { class: 'empty' }, 'No media assets on this page');
  const title = createElement('h2', { tabindex: '-1' }, 'On this page');
  const lacking = createElement('div');
  const saves = createButton('Last saves', options.onSaves, 'back');
  const element = createElement('div', { class: 'view' }, title, lacking, empty, list, saves);
  let buttons = new Map<string, HTMLButtonElement>();
  let fields = new Map<string, ReturnType<typeof createAltField>>();

  function createRow(image: ImageOnPage): HTMLElement {
    const { key, shown, element } = image;
    const thumbnail = options.session.thumbnail(shown.layout && shown.id, '', shown.kind);
    const about = [
      String(shown.id),
      ...(shown.kind ? [kindNames[shown.kind]] : []),
      ...(shown.place ? [describePlace(shown.place)] : []),
      ...(sizeOnPage({ element }) ? [] : ['hidden']),
    ];
    const button = createButton('', () => options.onSelect(key), 'image');
    button.append(
      createElement('span', { class: 'thumbnail' }, thumbnail),
      createElement(
        'span',
        { class: 'text' },
        createElement('span', { class: 'name' }, shown.name ?? `Image ${shown.id}`),
        createElement('span', { class: 'quiet' }, about.join(' · ')),
        ...shown.problems.map((problem) => createElement('span', { class: 'problem' }, problem)),
      ),
    );
    buttons.set(key, button);
    if (shown.kind) return createElement('li', {}, button);
    const field = createAltField(image, options.alts);
    fields.set(image.draftKey, field);
    return createElement('li', {}, button, field.element);
  }

  /** What's missing is the first thing to mend. */
  function showLacking(images: readonly ImageOnPage[]): void {
    const [first, ...others] = images.filter(({ shown }) => lacksAlt(shown));
    lacking.replaceChildren();
    if (!first) return;
    const text = others.length > 0 ? `${others.length + 1} images have` : 'One image has';
    const write = createButton('Write it', () => fields.get(first.draftKey)?.focus());
    lacking.append(createElement('div', { class: 'notice' }, `${text} no alt text.`, write));
  }

  return {
    element,
    show(images: readonly ImageOnPage[]) {
      const root = element.getRootNode() as ShadowRoot | Document;
      const [focused] = [...buttons].find(([, button]) => button === root.activeElement) ?? [];
      buttons = new Map();
      fields = new Map();
      list.replaceChildren(...images.map(createRow));
      list.hidden = images.length === 0;
      empty.hidden = images.length > 0;
      showLacking(images);
      if (focused !== undefined) this.focus(focused);
    },
    /** Focuses the alt text that was being typed. */
    focusField: (key = '') => fields.get(key)?.focus(),
    focus(key: string | undefined) {
      const [first] = buttons.values();
      ((key !== undefined && buttons.get(key)) || first || title).focus();
    },
  };
}
