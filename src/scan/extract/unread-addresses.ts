import { isPage } from '../read/site-files.ts';

/** The `media:` addresses that are left in a page or a feed. */
export function unreadAddresses(file: string, text: string): string[] {
  const isFeed = file.endsWith('.json') ? text.includes('jsonfeed.org/version') : isXml.test(file);
  const pattern = isPage(file) ? unreadInHtml : isFeed ? unreadInFeed : null;
  const found = pattern === null ? [] : text.matchAll(pattern);
  return [...new Set(Array.from(found, ([, address = '']) => address))];
}

/** An attribute with a `media:` address. */
const unreadInHtml = /\s(?:src|href|srcset|poster)=["']?\s*(media:-?\d[^"'\s>]*)/gi;

/** The same in the escaped HTML of a feed, and in Markdown itself. */
const unreadInFeed =
  /(?:(?:src|href|srcset|poster)=(?:\\?["']|&(?:quot|apos|#34|#39);)|\]\((?:<|&lt;)?)(media:-?\d(?:[\w?=,.:/-]|&amp;|&(?=\w+=))*)/gi;

export const isXml = /\.(?:xml|rss|atom)$/;
