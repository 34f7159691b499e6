import { mediaAssetError } from '../errors/errors.ts';
import type { assetUrlReader } from './extract/asset-url.ts';
import { type Marker, pageMarkers } from './extract/page-markers.ts';
import { readPage } from './read/read-page.ts';
import { scanPage } from './scan-page.ts';

/** Of the element that `<MediaCredits>` renders. A minifier leaves it out. */
const endTag = '</li>';

/**
 * Fills in the lists of credits on a page. Nothing else changes finished HTML. Then the page is read
 * again: it must show what it showed.
 *
 * @param asked.page its absolute URL
 * @throws `credits-unfilled` for any other page
 */
export async function editPage(
  bytes: Buffer,
  asked: {
    page: string;
    assetUrls: ReturnType<typeof assetUrlReader>;
    fill: (list: Marker) => Promise<string>;
  },
): Promise<Buffer> {
  const { page, assetUrls, fill } = asked;
  const unfilled = (problem: string) => mediaAssetError('credits-unfilled', { page, problem });
  const readLists = (content: Buffer) => {
    const read = readPage(content, page);
    const found = { ...read, elements: read.elements() };
    const lists = pageMarkers(found.elements).filter(({ kind }) => kind === 'credits');
    return { ...found, lists, usage: scanPage({ ...found, page, assetUrls })?.usage };
  };
  const { text, isUtf8, lists, usage } = readLists(bytes);
  if (!isUtf8) throw unfilled("the page isn't UTF-8, or contains U+001B");
  // The decoder has left out a byte order mark.
  let edited = bytes.toString('utf8', 0, 3) === '\uFEFF' ? '\uFEFF' : '';
  let last = 0;
  // A parser can move elements.
  for (const list of lists.sort((one, other) => (one.at?.[0] ?? 0) - (other.at?.[0] ?? 0))) {
    if (!list.at) throw unfilled('the list is in an attribute');
    edited += text.slice(last, list.at[0]) + (await fill(list));
    last = list.at[1] + (text.startsWith(endTag, list.at[1]) ? endTag.length : 0);
  }
  const written = Buffer.from(edited + text.slice(last));
  const after = readLists(written);
  if (after.lists.length > 0 || JSON.stringify(after.usage) !== JSON.stringify(usage)) {
    throw unfilled('the page would be read differently afterwards');
  }
  return written;
}
