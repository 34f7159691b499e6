import { cutTo } from './table.ts';
import type { Terminal } from './terminal.ts';

/** A line that says how far long work has come. */
export interface ProgressLine {
  show(progress: { done: number; total: number }): void;
  /** Takes the line away. May be called again. */
  end(): void;
}

/** Shows progress to a person who is watching, and nothing to a program. */
export function progressLine(title: string, terminal: Terminal): ProgressLine {
  let shown = '';
  const draw = (text: string) => {
    if (!terminal.redraw || text === shown) return;
    terminal.redraw(text);
    shown = text;
  };
  return {
    show({ done, total }) {
      // A redraw for each per cent: thousands of pages must not mean thousands of writes.
      const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
      const text = `${title}  ${bar(percent)} ${percent} %  (${total})`;
      // A line that wraps could not be drawn over.
      draw(cutTo(text, (terminal.noteWidth ?? 80) - 1));
    },
    end: () => draw(''),
  };
}

function bar(percent: number): string {
  const full = Math.round(percent / 5);
  return '█'.repeat(full) + '░'.repeat(20 - full);
}
