import { createElement } from '../../crop-editor/create-element.ts';
import type { PageImage } from './page-images.ts';

/** Buttons around the page's images, which follow them. */
export function createOutlines(onSelect: (key: string) => void) {
  const element = createElement('div', {
    class: 'outlines',
    role: 'group',
    'aria-label': 'Images on this page',
  });
  let outlined: { image: PageImage; button: HTMLButtonElement; last: string }[] = [];
  let frame = 0;
  let selected: string | undefined;

  // Layouts change without an event, for example in an animation, so each frame is measured.
  function follow(): void {
    const boxes = outlined.map(({ image }) => image.element.getBoundingClientRect());
    outlined.forEach((one, index) => {
      const { x, y, width, height } = boxes[index] as DOMRect;
      const now = `${x},${y},${width},${height}`;
      if (now === one.last) return;
      one.last = now;
      one.button.hidden = width === 0 || height === 0;
      const { style } = one.button;
      style.transform = `translate(${x}px, ${y}px)`;
      style.width = `${width}px`;
      style.height = `${height}px`;
    });
    frame = requestAnimationFrame(follow);
  }

  function create(image: PageImage) {
    const { shown, key } = image;
    const hasProblems = shown.problems.length > 0;
    const label = createElement(
      'span',
      { class: 'label' },
      ...(hasProblems ? [createElement('span', { class: 'warning' }, '!')] : []),
      createElement('b', {}, String(shown.id)),
      ...(shown.name ? [` ${shown.name}`] : []),
    );
    const name = [`Image ${shown.id}`, shown.name, shown.problems.join(' ')]
      .filter(Boolean)
      .join(', ');
    const button = createElement('button', { type: 'button', 'aria-label': name }, label);
    if (hasProblems) button.classList.add('has-problems');
    button.addEventListener('click', () => onSelect(key));
    return { image, button, last: '' };
  }

  const mark = () => {
    for (const { image, button } of outlined)
      button.setAttribute('aria-pressed', String(image.key === selected));
  };
  return {
    element,
    show(images: readonly PageImage[]) {
      const root = element.getRootNode() as ShadowRoot | Document;
      const focused = outlined.find(({ button }) => button === root.activeElement)?.image.key;
      outlined = images.map(create);
      element.replaceChildren(...outlined.map(({ button }) => button));
      mark();
      outlined.find(({ image }) => image.key === focused)?.button.focus({ preventScroll: true });
    },
    select(key: string | undefined) {
      selected = key;
      mark();
    },
    start() {
      cancelAnimationFrame(frame);
      follow();
    },
    stop: () => cancelAnimationFrame(frame),
  };
}
