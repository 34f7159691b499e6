import { oneLine } from '../../errors/wording.ts';
import type { Terminal } from './terminal.ts';

/** Returns what shows progress, on a terminal only. The next output removes the line. */
export function progressLine(
  title: string,
  { redraw, noteWidth = 80 }: Pick<Terminal, 'redraw' | 'noteWidth'>,
): (progress: { done: number; total: number | undefined }) => void {
  let shown = '';
  const toText = (done: number, total: number | undefined) => {
    if (total === undefined) return String(done);
    // Redraw only when the percentage changes, not for each of thousands of pages.
    const percent = total === 0 ? 100 : Math.min(100, Math.floor((done / total) * 100));
    const full = Math.round(percent / 5);
    return `${'█'.repeat(full)}${'░'.repeat(20 - full)} ${percent} %  (${total})`;
  };
  return ({ done, total }) => {
    // A line that wraps can't be redrawn.
    const text = `${oneLine(title)}  ${toText(done, total)}`.slice(0, noteWidth - 1);
    if (text !== shown) redraw?.(text);
    shown = text;
  };
}
