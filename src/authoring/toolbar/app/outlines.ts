import { createElement } from '../../crop-editor/create-element.ts';
import type { PageImage } from './page-images.ts';

/** A button over the page. */
export interface Outline {
  readonly key: string;
  readonly button: HTMLButtonElement;
  /** Its place in the window, in CSS pixels. */
  box(): Pick<DOMRect, 'x' | 'y' | 'width' | 'height'>;
}

/** Buttons over the page, which follow its elements. */
export function createOutlines() {
  const element = createElement('div', { class: 'outlines', role: 'group' });
  let outlined: (Outline & { last: string })[] = [];
  let frame = 0;
  let selected: string | undefined;

  // Layouts change without an event, for example in an animation, so each frame is measured.
  function follow(): void {
    const boxes = outlined.map((one) => one.box());
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

  const mark = () => {
    for (const { key, button } of outlined)
      button.setAttribute('aria-pressed', String(key === selected));
  };
  return {
    element,
    show(label: string, outlines: readonly Outline[]) {
      element.ariaLabel = label;
      const root = element.getRootNode() as ShadowRoot | Document;
      const focused = outlined.find(({ button }) => button === root.activeElement)?.key;
      outlined = outlines.map((one) => ({ ...one, last: '' }));
      element.replaceChildren(...outlined.map(({ button }) => button));
      mark();
      outlined.find(({ key }) => key === focused)?.button.focus({ preventScroll: true });
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

/** The outline of an image, with its ID, name and problems. */
export function outlineImage(
  { shown, key, element }: PageImage,
  onSelect: (key: string) => void,
): Outline {
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
  return { key, button, box: () => element.getBoundingClientRect() };
}
