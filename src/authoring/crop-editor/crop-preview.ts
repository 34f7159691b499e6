import type { Rectangle, Size } from '../../assets/formats/rendition.ts';
import { createElement } from './create-element.ts';

/** In screen pixels, with room for a scroll bar next to it. */
const most: Size = { width: 256, height: 220 };

/** Shows a part of an image as the page does, scaled down to fit. */
export function createPreview({ image, original }: { image: string; original: Size }) {
  const imageElement = createElement('img', { src: image, alt: '', draggable: 'false' });
  const shown = createElement('div', { class: 'preview-image' }, imageElement);
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
      const scale = (width * fit) / part.width;
      shown.style.width = `${Math.max(1, width * fit)}px`;
      shown.style.height = `${Math.max(1, height * fit)}px`;
      imageElement.style.width = `${original.width * scale}px`;
      imageElement.style.height = `${original.height * scale}px`;
      imageElement.style.translate = `${-part.x * scale}px ${-part.y * scale}px`;
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

function sizeText({ width, height }: Size): string {
  return `${pixels(width)} × ${pixels(Math.max(1, Math.round(height)))} px`;
}

/** A number of pixels with separators: `1,200`. */
export function pixels(count: number): string {
  return count.toLocaleString('en-US');
}
