import { createButton, createElement } from '../../crop-editor/create-element.ts';
import { describePlace } from './describe.ts';
import type { Thumbnails } from './library/thumbnails.ts';
import { type PageImage, sizeOnPage } from './page-images.ts';

/** The list of the page's images, hidden ones included. */
export function createPageList(options: { thumbnails: Thumbnails; onSelect(key: string): void }) {
  const list = createElement('ul', { class: 'images' });
  const empty = createElement('p', { class: 'empty' }, 'No media assets on this page');
  const title = createElement('h2', { tabindex: '-1' }, 'Images on this page');
  const element = createElement('div', { class: 'view' }, title, empty, list);
  let buttons = new Map<string, HTMLButtonElement>();

  function createRow({ key, shown, element }: PageImage): HTMLElement {
    const image = createElement('img', { alt: '' });
    if (shown.layout) options.thumbnails.watch(image, shown.id);
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
    show(images: readonly PageImage[]) {
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
