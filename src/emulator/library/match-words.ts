/**
 * Text as it is compared in a search: without accents and case, whichever way Unicode writes it.
 * `Ångström`, `ÅNGSTRÖM` and `angstrom` are one; so are `Straße` and `STRASSE`.
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

/** Whether each word stands in one of the texts; a word can be a part of a longer one. */
export function matchWords(words: readonly string[], texts: readonly string[]): boolean {
  const folded = foldText(texts.join('\n'));
  return words.every((word) => folded.includes(word));
}
