import type { Session } from '../session.ts';

export type Thumbnails = ReturnType<typeof createThumbnails>;

const mostAtOnce = 4;
const mostKept = 300;

/** Loads images of assets when they're in view. */
export function createThumbnails(session: Session) {
  const ids = new WeakMap<Element, number>();
  const kept = new Map<number, string>();
  const waiting = new Set<HTMLImageElement>();
  const running = new Map<HTMLImageElement, AbortController>();

  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const element = target as HTMLImageElement;
      if (isIntersecting) waiting.add(element);
      else drop(element);
    }
    next();
  });

  function drop(element: HTMLImageElement): void {
    waiting.delete(element);
    running.get(element)?.abort();
  }

  function next(): void {
    for (const element of waiting) {
      const id = ids.get(element) as number;
      const url = kept.get(id);
      if (url !== undefined) {
        waiting.delete(element);
        element.src = url;
      } else if (running.size < mostAtOnce && !running.has(element)) {
        waiting.delete(element);
        void load(element, id);
      }
    }
  }

  async function load(element: HTMLImageElement, id: number): Promise<void> {
    const control = new AbortController();
    running.set(element, control);
    try {
      const url = await session.image(id, 320, { signal: control.signal });
      keep(id, url);
      element.src = url;
    } catch {
      if (!control.signal.aborted) element.classList.add('missing');
    } finally {
      running.delete(element);
      next();
    }
  }

  function keep(id: number, url: string): void {
    const before = kept.get(id);
    if (before !== undefined) URL.revokeObjectURL(before);
    kept.set(id, url);
    const [oldest] = kept;
    if (kept.size <= mostKept || oldest === undefined) return;
    kept.delete(oldest[0]);
    URL.revokeObjectURL(oldest[1]);
  }

  return {
    watch(element: HTMLImageElement, id: number) {
      ids.set(element, id);
      observer.observe(element);
    },
  };
}
