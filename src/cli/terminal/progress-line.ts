import { oneLine } from '../../errors/wording.ts';
import { cutTo } from './table.ts';
import type { Terminal } from './terminal.ts';

interface Progress {
  readonly done: number;
  readonly total: number | undefined;
}

/** Shows progress on a terminal only. `end` removes the line and can be called again. */
export function progressLine(
  title: string,
  { redraw, noteWidth = 80 }: Pick<Terminal, 'redraw' | 'noteWidth'>,
  amount: (number: number) => string = String,
): { show(progress: Progress): void; end(): void } {
  let shown = '';
  const draw = (text: string) => {
    if (!redraw || text === shown) return;
    redraw(text);
    shown = text;
  };
  const toText = (done: number, total: number | undefined) => {
    if (total === undefined) return amount(done);
    // Redraw only when the percentage changes, not for each of thousands of pages.
    const percent = total === 0 ? 100 : Math.min(100, Math.floor((done / total) * 100));
    return `${bar(percent)} ${percent} %  (${amount(total)})`;
  };
  return {
    // A line that wraps can't be redrawn.
    show: ({ done, total }) =>
      draw(cutTo(`${oneLine(title)}  ${toText(done, total)}`, noteWidth - 1)),
    end: () => draw(''),
  };
}

function bar(percent: number): string {
  const full = Math.round(percent / 5);
  return '█'.repeat(full) + '░'.repeat(20 - full);
}
