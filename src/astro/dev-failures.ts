import type { Finding } from '../errors.ts';

/** What goes wrong with the assets of pages that go on nevertheless. */
export interface DevFailures {
  /** Notes that a page was rendered without an asset. */
  failed(failure: Finding & { readonly id: number }): void;
  /** Notes that a page shows an asset. */
  shown(place: string, id: number): void;
  /** What a browser that has just opened a page should show over it; once. */
  take(): OverlayError | undefined;
}

/** What Astro's error overlay shows. */
export interface OverlayError {
  readonly name: string;
  readonly title: string;
  readonly message: string;
  readonly hint: string;
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
  let waiting: { readonly failure: Finding; readonly at: number }[] = [];
  return {
    failed({ id, ...failure }) {
      waiting = waiting.filter(({ at }) => at >= clock() - patience);
      if (!waiting.some(({ failure: { message } }) => message === failure.message)) {
        waiting.push({ failure, at: clock() });
      }
      const key = `${id} ${failure.place}`;
      if (logged.get(key) !== failure.message) log(failure);
      logged.set(key, failure.message);
    },
    shown(place, id) {
      logged.delete(`${id} ${place}`);
    },
    take() {
      const found = waiting.filter(({ at }) => at >= clock() - patience);
      waiting = [];
      const [first] = found;
      if (!first) return undefined;
      const message = found.map(({ failure }) => failure.message).join('\n\n');
      const { code, hint } = first.failure;
      return {
        name: code,
        title: 'The page is shown without an asset.',
        message,
        hint,
        stack: message,
      };
    },
  };
}
