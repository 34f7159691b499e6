import type { Rectangle, Size } from '../../assets/geometry/rectangle.ts';
import { createElement } from './create-element.ts';
import { ratioText } from './crop-geometry.ts';
import type { PresetShapes } from './crop-state.ts';

/** In screen pixels, with room for a scroll bar next to it. */
const most: Size = { width: 256, height: 220 };

interface Whole {
  readonly image: string;
  readonly original: Size;
}

/** Gives an element the size of a part of an image at a scale, and that part as its background. */
export function paintPart(
  { style }: HTMLElement,
  part: Rectangle,
  { image, original, scale }: Whole & { readonly scale: number },
): void {
  const px = (...lengths: number[]) => lengths.map((one) => `${one * scale}px`).join(' ');
  style.width = `max(1px, ${px(part.width)})`;
  style.height = `max(1px, ${px(part.height)})`;
  style.background = `url("${image}") ${px(-part.x, -part.y)} / ${px(original.width, original.height)}`;
}

/** Shows a part of an image as the page does, scaled down to fit. */
export function createPreview(whole: Whole) {
  const shown = createElement('div', { class: 'preview-image' });
  const cropSize = createElement('p');
  const pageSize = createElement('p');
  const shapeNote = createElement('p', { class: 'note' });
  const note = createElement('p', { class: 'note' });
  return {
    element: createElement(
      'section',
      { class: 'preview' },
      createElement('h3', {}, 'Preview'),
      createElement('div', { class: 'preview-ground' }, shown),
      createElement('div', { class: 'preview-sizes' }, cropSize, pageSize),
      note,
      shapeNote,
    ),
    /** @param layout the page's size of the image, and its published widths; `undefined` if unknown */
    show(part: Rectangle, layout: (Size & { readonly widths: readonly number[] }) | undefined) {
      const width = layout?.width ?? part.width;
      const height = (width * part.height) / part.width;
      const fit = Math.min(1, most.width / width, most.height / height);
      paintPart(shown, part, { ...whole, scale: (width * fit) / part.width });
      cropSize.textContent = `Crop: ${sizeText(part)}`;
      const scaled = fit < 1 ? `, here at ${Math.max(1, Math.round(fit * 100))}%` : '';
      pageSize.hidden = layout === undefined;
      pageSize.textContent = `On the page: ${sizeText({ width, height })}${scaled}`;
      shapeNote.hidden = layout === undefined || Math.abs(height - layout.height) <= 1;
      shapeNote.textContent = `Until now, the page showed ${sizeText(layout ?? part)}. If it sets both width and height, it cuts the crop to that shape.`;
      const largest = Math.max(0, ...(layout?.widths ?? []));
      note.hidden = largest <= part.width;
      note.textContent = `The largest file is ${pixels(largest)} px wide; this crop has ${pixels(part.width)} px.`;
    },
  };
}

/** Shows the part that an image has in the shapes of presets, side by side. */
export function createShapeList(presets: PresetShapes, whole: Whole) {
  const items = Object.entries(presets).flatMap(([name, shape]) => {
    if (shape.aspect === undefined) return [];
    const picture = createElement('i', { class: 'part-image' });
    const size = createElement('span', { class: 'hint' });
    return { shape, picture, size, element: createElement('li', {}, picture, `${name} `, size) };
  });
  const list = createElement('ul', {}, ...items.map(({ element }) => element));
  const title = createElement('h3', {}, 'In other shapes');
  return {
    element: createElement('section', { class: 'shape-list' }, title, list),
    isEmpty: items.length === 0,
    /** @param partIn the part that a shape shows */
    show(partIn: (shape: PresetShapes[string]) => Rectangle) {
      for (const { shape, picture, size } of items) {
        const part = partIn(shape);
        const { width, height } = part;
        const { aspect } = shape;
        // A number can have any digits.
        const ratio = typeof aspect === 'number' ? ratioText(part) : aspect;
        paintPart(picture, part, { ...whole, scale: 80 / Math.max(width, height) });
        size.textContent = `${ratio}, ${pixels(width)} by ${pixels(height)} pixels`;
      }
    },
  };
}

function sizeText({ width, height }: Size): string {
  return `${pixels(width)} × ${pixels(Math.max(1, Math.round(height)))} px`;
}

/** A number of pixels with separators: `1,200`. */
export function pixels(count: number): string {
  return count.toLocaleString('en-US');
}
