import type { Range } from './range.ts';

/** The YAML between the `---` lines at the start of a text; `undefined` if there's none. */
export function frontmatterRange(text: string): Range | undefined {
  const found = /^(---[ \t]*\r?\n)([\s\S]*?)^---[ \t]*$/m.exec(text);
  if (found?.index !== 0) return undefined;
  const end = found[0].lastIndexOf('---');
  return { start: end - (found[2]?.length ?? 0), end };
}

/** The text with spaces instead of its frontmatter, so that all offsets stay. */
export function blankFrontmatter(text: string): string {
  const range = frontmatterRange(text);
  if (!range) return text;
  const end = range.end + '---'.length;
  return text.slice(0, end).replace(/[^\r\n]/g, ' ') + text.slice(end);
}
