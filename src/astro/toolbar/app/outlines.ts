import { createElement } from './create-element.ts';
import { labelOf, type PageImage } from './page-images.ts';

export interface Outlines {
  readonly element: HTMLElement;
  /** Draws the outlines of these images. */
  show(images: readonly PageImage[], selected: PageImage | undefined): void;
  hide(): void;
}

/** Buttons over the images of the page. They follow their images while they're shown. */
export function createOutlines(onSelect: (image: PageImage) => void): Outlines {
  const element = createElement('div', { class: 'media-asset-outlines' });
  let pairs: { image: PageImage; button: HTMLButtonElement }[] = [];
  let frame = 0;

  function follow(): void {
    for (const { image, button } of pairs) {
      const box = image.element.getBoundingClientRect();
      button.hidden = box.width < 1 || box.height < 1;
      button.style.left = `${box.left}px`;
      button.style.top = `${box.top}px`;
      button.style.width = `${box.width}px`;
      button.style.height = `${box.height}px`;
    }
    frame = requestAnimationFrame(follow);
  }

  function hide(): void {
    cancelAnimationFrame(frame);
    element.replaceChildren();
    pairs = [];
  }

  return {
    element,
    show(images, selected) {
      hide();
      pairs = images.map((image) => {
        const sign = image.problems.length > 0 ? '⚠ ' : '';
        const label = createElement('span', { class: 'label' }, `${sign}${labelOf(image.shown)}`);
        const button = createElement('button', { class: 'outline', type: 'button' }, label);
        button.setAttribute('aria-pressed', String(image.element === selected?.element));
        button.setAttribute('aria-label', `Select ${labelOf(image.shown)}${problemText(image)}`);
        button.addEventListener('click', () => onSelect(image));
        return { image, button };
      });
      element.append(...pairs.map(({ button }) => button));
      follow();
    },
    hide,
  };
}

function problemText({ problems }: PageImage): string {
  return problems.map(({ message }) => `. ${message}`).join('');
}
