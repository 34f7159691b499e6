export interface SourceFile {
  /** From the project's folder, with `/`. */
  readonly file: string;
  readonly text: string;
}

/** In UTF-16 code units of the whole text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Edit extends Range {
  readonly text: string;
}

export function applyEdits(text: string, edits: readonly Edit[]): string {
  const ordered = edits.toSorted((one, other) => other.start - one.start);
  return ordered.reduce(
    (result, edit) => result.slice(0, edit.start) + edit.text + result.slice(edit.end),
    text,
  );
}

/** MDX too. */
export function isMarkdown(file: string): boolean {
  return /\.mdx?$/i.test(file);
}

export function isMdx(file: string): boolean {
  return /\.mdx$/i.test(file);
}

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
