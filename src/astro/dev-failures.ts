import type { Finding } from '../errors.ts';
import { escapeHtml } from './picture-element.ts';

/** What goes wrong with the assets of pages that go on nevertheless. */
export interface DevFailures {
  /** Notes that a page was rendered without an asset. */
  failed(failure: Finding & { readonly id: number }): void;
  /** Notes that a page shows an asset. */
  shown(place: string, id: number): void;
  /**
   * What a browser that has just opened a page should show over it. Each failure once, until the page
   * shows the asset again: after a reload the page is seen with what stands in its place.
   */
  take(): OverlayError | undefined;
}

/** What Astro's error overlay shows. */
interface OverlayError {
  readonly name: string;
  readonly title: string;
  /** HTML, as is `hint`. */
  readonly message: string;
  readonly hint: string;
  /** Text. */
  readonly stack: string;
}

/** A page that was rendered longer ago than this, in ms, is no longer about to be opened. */
const patience = 10_000;

/**
 * @param log told of each failure once, until the page shows the asset again
 * @param clock in milliseconds, and never set back
 */
export function createDevFailures(
  log: (finding: Finding) => void,
  clock: () => number,
): DevFailures {
  const logged = new Map<string, string>();
  const taken = new Map<string, string>();
  let waiting: { readonly key: string; readonly failure: Finding; readonly at: number }[] = [];
  return {
    failed({ id, ...failure }) {
      const { message } = failure;
      const key = `${id} ${failure.place}`;
      waiting = waiting.filter(({ at }) => at >= clock() - patience);
      const isWaiting = waiting.some((one) => one.failure.message === message);
      if (taken.get(key) !== message && !isWaiting) waiting.push({ key, failure, at: clock() });
      if (logged.get(key) !== message) log(failure);
      logged.set(key, message);
    },
    shown(place, id) {
      const key = `${id} ${place}`;
      logged.delete(key);
      taken.delete(key);
    },
    take() {
      const found = waiting.filter(({ at }) => at >= clock() - patience);
      waiting = [];
      const [first] = found;
      if (!first) return undefined;
      for (const { key, failure } of found) taken.set(key, failure.message);
      const hints = [...new Set(found.map(({ failure }) => failure.hint))];
      // Astro's overlay has room for one hint: of several, each stands with what it is about.
      const texts = found.map(({ failure: { message, hint } }) =>
        hints.length > 1 ? `${message}\n${hint}` : message,
      );
      const message = texts.join('\n\n');
      return {
        name: first.failure.code,
        title: `The page is shown without ${found.length === 1 ? 'an asset' : 'some assets'}.`,
        message: escapeHtml(message),
        hint: escapeHtml([...(hints.length > 1 ? [] : hints), 'Escape closes this.'].join('\n')),
        stack: message,
      };
    },
  };
}

/** Runs in the browser: Astro's overlay has no way to close it. */
export const closeOnEscape = `addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  for (const overlay of document.querySelectorAll('vite-error-overlay')) overlay.remove();
});`;
