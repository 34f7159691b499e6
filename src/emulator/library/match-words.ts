/**
 * Normalizes text for a search: ignores accents, case and Unicode form. `Ångström`, `ÅNGSTRÖM` and
 * `angstrom` are equal, and so are `Straße` and `STRASSE`.
 */
function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ');
}

export function wordsOf(query: string): string[] {
  return foldText(query)
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Whether each word appears in one of the texts, also inside a longer word. */
export function matchWords(words: readonly string[], texts: readonly string[]): boolean {
  const folded = foldText(texts.join('\n'));
  return words.every((word) => folded.includes(word));
}
