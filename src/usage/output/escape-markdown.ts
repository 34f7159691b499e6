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
