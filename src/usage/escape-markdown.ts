import { oneLine } from '../errors/wording.ts';

/** A space of no width. */
const apart = '\u200b';

/**
 * A text that stands in GitHub's and GitLab's Markdown as it is, in a table too: no markup, no HTML,
 * no line break, and no one is notified by it.
 */
export function escapeMarkdown(text: string): string {
  return oneLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_{}[\]()#+\-!|~$]/g, '\\$&')
    .replace(/[@#](?=\S)|:\/\/|\bwww\./g, `$&${apart}`);
}

/** A link whose text is a name of the site's own. */
export function markdownLink(text: string, url: string): string {
  return `[${escapeMarkdown(text.trim() || url)}](<${url.replace(/[\s<>|\\`\p{Cc}]/gu, encodeURIComponent)}>)`;
}
