import { createElement } from '../../crop-editor/create-element.ts';
import type { InsertRequest, MarkdownBlock } from '../protocol.ts';
import { describePlace } from './describe.ts';
import type { Outline } from './outlines.ts';

/** A place for a new image: before or after a top-level block of Markdown. */
export type Gap = Omit<InsertRequest, 'image'>;

const attribute = 'data-media-asset-block';
const longestExcerpt = 40;

/** In CSS pixels. */
const stripHeight = 24;
const farthest = 16;

/** A strip before each block of Markdown on the page, and one after it if another thing follows. */
export function outlineGaps(onChoose: (gap: Gap) => void): Outline[] {
  const elements = [...document.querySelectorAll(`[${attribute}]`)];
  const blocks = elements.map((one): MarkdownBlock => {
    return JSON.parse(one.getAttribute(attribute) ?? '');
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
    const hasNext = element.nextElementSibling?.hasAttribute(attribute);
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
