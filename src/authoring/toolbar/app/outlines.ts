import { createElement } from '../../crop-editor/create-element.ts';
import { describePlace, kindNames } from '../../library/describe.ts';
import type { InsertRequest, MarkdownBlock } from '../protocol.ts';
import type { ImageOnPage } from './page-images.ts';

export interface Outline {
  readonly key: string;
  readonly button: HTMLButtonElement;
  /** Its place in the window, in CSS pixels. */
  box(): Pick<DOMRect, 'x' | 'y' | 'width' | 'height'>;
}

export function createOutlines() {
  const element = createElement('div', { class: 'outlines', role: 'group' });
  let outlined: (Outline & { last: string })[] = [];
  let frame = 0;
  let selected: string | undefined;
  element.addEventListener('dragover', (event) => event.preventDefault());
  element.addEventListener('drop', (event) => {
    event.preventDefault();
    (event.target as Element).closest('button')?.click();
  });

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
  { shown, key, element }: ImageOnPage,
  onSelect: (key: string) => void,
): Outline {
  const hasProblems = shown.problems.length > 0;
  const label = createElement(
    'span',
    { class: 'label' },
    hasProblems && createElement('span', { class: 'warning' }, '!'),
    createElement('b', {}, String(shown.id)),
    shown.name && ` ${shown.name}`,
  );
  const name = [
    `${kindNames[shown.kind ?? 'image']} ${shown.id}`,
    shown.name,
    shown.problems.join(' '),
  ]
    .filter(Boolean)
    .join(', ');
  const button = createElement('button', { type: 'button', 'aria-label': name }, label);
  if (hasProblems) button.classList.add('has-problems');
  button.addEventListener('click', () => onSelect(key));
  return { key, button, box: () => element.getBoundingClientRect() };
}

/** A place for a new image: before or after a top-level block of Markdown. */
export type FreePlace = Omit<InsertRequest, 'images'>;

const blockAttribute = 'data-media-asset-block';
const longestExcerpt = 40;

/** In CSS pixels. */
const stripHeight = 24;
const farthest = 16;

/** A strip before each block of Markdown on the page, and one after it if another thing follows. */
export function outlineGaps(onChoose: (gap: FreePlace) => void): Outline[] {
  const elements = [...document.querySelectorAll(`[${blockAttribute}]`)];
  const blocks = elements.map((one): MarkdownBlock => {
    return JSON.parse(one.getAttribute(blockAttribute) ?? '');
  });
  return elements.flatMap((element, index) => {
    const block = blocks[index] as MarkdownBlock;
    const outline = (isAfter: boolean): Outline => {
      const isOuter = blocks[index + (isAfter ? 1 : -1)]?.file !== block.file;
      const side = isAfter ? 'after' : 'before';
      const place = `${isOuter ? `At the ${isAfter ? 'end' : 'start'}, ` : ''}${side}`;
      const name = `${place[0]?.toUpperCase()}${place.slice(1)} ${excerptOf(element)}`;
      const button = createElement(
        'button',
        { type: 'button', class: 'gap', 'aria-label': name },
        createElement('span', { class: 'label' }, `${name} · ${describePlace(block)}`),
      );
      button.addEventListener('click', () => onChoose({ block, isAfter }));
      button.addEventListener('focus', () => element.scrollIntoView({ block: 'nearest' }));
      return { key: `${index}/${side}`, button, box: () => boxOf(element, isAfter) };
    };
    const hasNext = element.nextElementSibling?.hasAttribute(blockAttribute);
    return [outline(false), ...(hasNext ? [] : [outline(true)])];
  });
}

function excerptOf(element: Element): string {
  const image = element.querySelector('img');
  const text = (element.textContent.trim() || image?.alt || '').replaceAll(/\s+/g, ' ');
  if (text === '') return image ? 'an image' : 'a line';
  if (text.length <= longestExcerpt) return `“${text}”`;
  return `“${text.slice(0, longestExcerpt).replace(/\s*\S*$/, '')} …”`;
}

/** The middle between a block and what's next to it. */
function boxOf(element: Element, isAfter: boolean) {
  const { x, width, top, bottom } = element.getBoundingClientRect();
  const other = isAfter ? element.nextElementSibling : element.previousElementSibling;
  const next = other?.getBoundingClientRect();
  const edge = isAfter ? bottom : top;
  const half = next ? ((isAfter ? next.top : next.bottom) - edge) / 2 : 0;
  const y = edge + Math.max(-farthest, Math.min(farthest, half)) - stripHeight / 2;
  return { x, y, width, height: width && stripHeight };
}
