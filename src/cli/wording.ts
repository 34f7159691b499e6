export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Names come from pages, and may hold what moves a terminal's cursor. */
export function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}
