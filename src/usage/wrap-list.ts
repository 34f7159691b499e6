/**
 * A list with commas, and in brackets why, as lines of at most `width` characters: broken between
 * entries, and before the brackets, which are never broken. Without a width it is one line.
 */
export function wrapList(
  entries: readonly string[],
  { why, width = Number.POSITIVE_INFINITY }: { why: string; width?: number | undefined },
): string[] {
  const lines: string[] = [];
  let line = '';
  for (const [index, entry] of entries.entries()) {
    const text = index < entries.length - 1 ? `${entry},` : entry;
    if (line !== '' && line.length + 1 + text.length > width) {
      lines.push(line);
      line = text;
    } else {
      line = line === '' ? text : `${line} ${text}`;
    }
  }
  if (why === '') return [...lines, line];
  if (line.length + 2 + why.length <= width) return [...lines, `${line}  ${why}`];
  return [...lines, line, why];
}
