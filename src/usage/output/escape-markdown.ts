import { oneLine } from '../../errors/wording.ts';

/** A zero-width space. */
const apart = '\u200b';

/**
 * Escapes a text for GitHub's and GitLab's Markdown, also in a table. The text can't add markup,
 * HTML or line breaks, and notifies no one.
 */
export function escapeMarkdown(text: string): string {
  return oneLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_{}[\]()#+\-!|~$]/g, '\\$&')
    .replace(/[@#](?=\S)|:\/\/|\bwww\./g, `$&${apart}`);
}

/** @param text the name of a page */
export function markdownLink(text: string, url: string): string {
  return `[${escapeMarkdown(text.trim() || url)}](<${url.replace(/[\s<>|\\`\p{Cc}]/gu, encodeURIComponent)}>)`;
}

export function markdownTable(titles: readonly string[], rows: readonly string[]): string {
  return [tableRow(titles), tableRow(titles.map(() => '---')), ...rows].join('\n');
}

export function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
