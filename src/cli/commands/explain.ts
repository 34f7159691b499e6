import { readFile } from 'node:fs/promises';
import { errorPage } from '../../errors/homepage.ts';
import { didYouMean } from '../../errors/wording.ts';
import { showArgument, wrong } from '../command-options.ts';
import type { Command } from '../terminal/terminal.ts';

/** Prints what the errors page, which is part of the package, says about a code. */
export const explain: Command<object, [code: string]> = async (_, terminal, code) => {
  const path = new URL('../../../docs/reference/errors.md', import.meta.url);
  const [, ...sections] = (await readFile(path, 'utf8')).split(/^### /m);
  const codes = sections.map((section) => section.split('\n', 1)[0] ?? '');
  const section = sections[codes.indexOf(code)];
  if (section === undefined) wrong(`Unknown code ${showArgument(code)}.${didYouMean(code, codes)}`);
  const text = toPlainText(section.slice(code.length));
  const url = errorPage(code);
  terminal.print({ code, text, url }, () => [text, ...(url ? [url] : [])].join('\n\n'));
};

/** A section without the Markdown that the page has. The heading of the next group may follow it. */
function toPlainText(section: string): string {
  return section
    .replace(/^## .*/m, '')
    .replace(/^ {4}/gm, '')
    .replace(/^\*\*Details:.*/m, '')
    .replace('**Fix:**', 'Fix:')
    .replaceAll('&lt;', '<')
    .trim();
}
