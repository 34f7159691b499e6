import { oneLine } from '../errors/wording.ts';
import { byteText } from './byte-text.ts';
import { cutTo } from './table.ts';
import type { Terminal } from './terminal.ts';

/** A line that says how far a file has come on its way. */
export interface ByteProgress {
  /** @param size undefined where it is not known */
  show(done: number, size: number | undefined): void;
  /** Takes the line away. May be called again. */
  end(): void;
}

/** Milliseconds between two drawings. */
const pause = 100;
/** Milliseconds that a rate is measured over. */
const memory = 5000;

/**
 * Shows a person who is watching how far a file has come, how fast, and for how long still.
 *
 * @param clock in milliseconds, and never set back
 */
export function byteProgress(
  title: string,
  { redraw, noteWidth = 80 }: Pick<Terminal, 'redraw' | 'noteWidth'>,
  clock: () => number,
): ByteProgress {
  const samples: { at: number; done: number }[] = [];
  let drawn: number | undefined;
  return {
    show(done, size) {
      if (!redraw) return;
      const at = clock();
      if (drawn !== undefined && at - drawn < pause) return;
      // An upload that is tried again begins anew.
      if (done < (samples.at(-1)?.done ?? 0)) samples.length = 0;
      samples.push({ at, done });
      while ((samples[0]?.at ?? at) < at - memory) samples.shift();
      const [first] = samples;
      const spent = at - (first?.at ?? at);
      const rate = spent > 0 ? ((done - (first?.done ?? 0)) * 1000) / spent : undefined;
      redraw(cutTo(progressText(oneLine(title), { done, size, rate }), noteWidth - 1));
      drawn = at;
    },
    end() {
      if (drawn !== undefined) redraw?.('');
      drawn = undefined;
    },
  };
}

/** @param progress `done` and `size` in bytes, `rate` in bytes a second */
export function progressText(
  title: string,
  progress: {
    readonly done: number;
    readonly size: number | undefined;
    readonly rate: number | undefined;
  },
): string {
  const { done, size, rate } = progress;
  const speed = rate === undefined ? [] : [`${byteText(rate)}/s`];
  if (size === undefined) return [title, byteText(done), ...speed].join('  ');
  const share = size === 0 ? 1 : Math.min(1, done / size);
  const full = Math.round(share * 20);
  const bar = `${'█'.repeat(full)}${'░'.repeat(20 - full)} ${Math.floor(share * 100)} %`;
  const left = rate && done < size ? [`${durationText((size - done) / rate)} left`] : [];
  return [`${title}`, bar, `${byteText(done)} of ${byteText(size)}`, ...speed, ...left].join('  ');
}

function durationText(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  if (seconds < 3600) return `${Math.ceil(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
