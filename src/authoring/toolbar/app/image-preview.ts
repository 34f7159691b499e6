import type { Point, Rectangle } from '../../../assets/geometry/rectangle.ts';
import { createButton, createElement } from '../../crop-editor/create-element.ts';
import { wholeImage } from '../../crop-editor/crop-geometry.ts';
import { partOf, pixelsOf } from '../../crop-editor/crop-state.ts';
import { createFailure } from '../../library/describe.ts';
import type { Session } from '../../library/session.ts';
import type { ShownAsset, Size } from '../protocol.ts';

/** The whole image of the page, with its crop and focus point on it. It's shown larger on request. */
export function createImagePreview(session: Session, shown: ShownAsset): HTMLElement {
  const { id, name = `Asset ${id}`, kind, layout, original } = shown;
  if (!layout || !original) return session.thumbnail(layout && id, 'preview', kind);
  const frame = createFrame(session.thumbnail(id), shown, original);
  const button = createButton('', () => void zoom(), 'preview');
  button.setAttribute('aria-label', `Show ${name} larger`);
  button.append(frame);

  async function zoom(): Promise<void> {
    const image = createElement('img', { alt: '' });
    const loading = new AbortController();
    const close = createButton('Close', () => dialog.close());
    const larger = createFrame(image, shown, original as Size);
    const dialog = createElement('dialog', { class: 'zoomed', 'aria-label': name }, larger, close);
    larger.addEventListener('click', () => dialog.close());
    // Escape closes the dialog alone.
    dialog.addEventListener('keydown', (event) => event.stopPropagation());
    dialog.addEventListener('close', () => {
      loading.abort();
      URL.revokeObjectURL(image.src);
      dialog.remove();
    });
    button.after(dialog);
    dialog.showModal();
    try {
      image.src = await session.image(id, 1600, loading.signal);
    } catch (error) {
      larger.replaceWith(createFailure(error));
    }
  }
  return button;
}

/**
 * The part of an image that its props show, in pixels of the original; `undefined` for all of it. Without
 * a point, the build chooses what an aspect cuts off, and the crop is what may be shown.
 */
export function shownPart({ props, original }: ShownAsset): Rectangle | undefined {
  const { crop, aspect, focus } = props;
  const isPoint = typeof focus === 'object';
  return original && partOf(isPoint ? { crop, aspect, focus } : { crop }, original);
}

function createFrame(image: HTMLElement, shown: ShownAsset, original: Size): HTMLElement {
  const { crop, focus } = shown.props;
  const part = shownPart(shown);
  const frame = createElement('span', { class: 'frame' }, image);
  frame.style.setProperty('--ratio', String(original.width / original.height));
  const mark = (className: string, { x, y }: Point, { width, height }: Size) => {
    const element = createElement('span', { class: className });
    const share = (length: number, whole: number) => `${(100 * length) / whole}%`;
    element.style.left = share(x, original.width);
    element.style.top = share(y, original.height);
    element.style.width = share(width, original.width);
    element.style.height = share(height, original.height);
    frame.append(element);
  };
  if (part) mark('part', part, part);
  if (typeof focus !== 'object') return frame;
  const area = shownPart({ ...shown, props: { crop } }) ?? wholeImage(original);
  mark('point', pixelsOf(focus, area), { width: 0, height: 0 });
  return frame;
}
