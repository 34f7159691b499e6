import { createElement } from '../../../crop-editor/create-element.ts';
import type { Session } from '../session.ts';

export type Thumbnails = ReturnType<typeof createThumbnails>;

/** Images of assets, which load while they're in view. */
export function createThumbnails(session: Session) {
  const ids = new WeakMap<Element, number>();
  const urls = new Map<number, string>();
  const loading = new WeakMap<Element, AbortController>();

  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) void load(target as HTMLImageElement);
      else loading.get(target)?.abort();
    }
  });

  async function load(element: HTMLImageElement): Promise<void> {
    const id = ids.get(element) as number;
    const control = new AbortController();
    loading.set(element, control);
    try {
      const url = urls.get(id) ?? (await session.image(id, 320, control.signal));
      urls.set(id, url);
      element.src = url;
      observer.unobserve(element);
    } catch {
      // It stays empty, and is loaded again when it comes back into view.
    }
  }

  return {
    /** @param id `undefined` for an image that can't be loaded */
    create(id: number | undefined, className = '') {
      const element = createElement('img', { alt: '', class: className });
      if (id !== undefined) {
        ids.set(element, id);
        observer.observe(element);
      }
      return element;
    },
  };
}
