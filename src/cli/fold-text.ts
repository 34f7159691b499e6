import { stripVTControlCharacters } from 'node:util';
import { displayWidth } from './table.ts';

/**
 * A text for people in lines of at most `width` columns, broken between words. A word that is longer
 * than a line, such as an address, stays whole.
 *
 * @param width `undefined` where no terminal shows it: then it stays as it is
 * @param indent what further lines of a line begin with; its own white space unless given
 */
export function foldText(
  text: string,
  { width, indent }: { width: number | undefined; indent?: string },
): string {
  if (width === undefined) return text;
  return text
    .split('\n')
    .map((line) => foldLine(line, { width, indent: indent ?? /^ */.exec(line)?.[0] ?? '' }))
    .join('\n');
}

function foldLine(line: string, { width, indent }: { width: number; indent: string }): string {
  const widthOf = (part: string) => displayWidth(stripVTControlCharacters(part));
  const lead = /^ */.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let last = lead;
  let isEmpty = true;
  for (const word of line.slice(lead.length).split(' ')) {
    if (!isEmpty && widthOf(last) + 1 + widthOf(word) > width) {
      lines.push(last);
      last = indent;
      isEmpty = true;
    }
    last += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, last].join('\n');
}
