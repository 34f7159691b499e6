import { readFile } from 'node:fs/promises';
import { relative, sep } from 'node:path';

/** A text of Markdown that is being rendered. */
export interface MarkdownText {
  /** The absolute path of its file; a loader can render a text that has none. */
  readonly file: string | undefined;
  /** What the processor was given: often without the file's frontmatter. */
  readonly text: string;
}

/**
 * Names a line of a Markdown text: `src/content/notes/rope.md:12`. Without the line where the text
 * is not found in its file.
 *
 * @param line of the text, from 1
 */
export async function markdownPlace(
  { file, text }: MarkdownText,
  { root, line }: { root: string; line: number | undefined },
): Promise<string> {
  if (file === undefined) return 'Markdown without a file';
  const name = relative(root, file).replaceAll(sep, '/');
  const before = line === undefined ? undefined : linesBefore(await readText(file), text);
  return line === undefined || before === undefined ? name : `${name}:${before + line}`;
}

/** How many lines of a file lie before a text of it; `undefined` where it has no such text. */
function linesBefore(whole: string | undefined, text: string): number | undefined {
  const body = text.trim();
  const at = whole?.indexOf(body) ?? -1;
  if (whole === undefined || at < 0) return undefined;
  return countLines(whole.slice(0, at)) - countLines(text.slice(0, text.indexOf(body)));
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}

/** The line is an addition to a message, which is there without it. */
async function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
