import { isUtf8 } from 'node:buffer';
import { isBelowAsset } from './asset-url.ts';
import { decodePage, type PageText } from './page-charset.ts';
import type { PageElement } from './page-element.ts';
import { plainElements } from './plain-elements.ts';

/** A page as a scan needs it. */
export interface PageReading {
  /** In the page's order; those that name no asset and say nothing about the page may be left out. */
  readonly elements: readonly PageElement[];
  /** Of the page's bytes. */
  readonly charset: PageText['charset'];
}

/**
 * Reads a page's elements from its tags where these alone say what a browser makes of them, which
 * takes a twentieth of the time; from the tree that an HTML parser makes of it where they don't.
 *
 * @param page its absolute public URL
 * @throws `page-too-deep`
 */
export async function readPage(bytes: Buffer, page: string): Promise<PageReading> {
  if (isUtf8(bytes) && !bytes.includes(0) && !isBelowAsset(page)) {
    const elements = plainElements(bytes);
    if (elements) return { elements, charset: 'utf-8' };
  }
  // Not before it is needed: loading it takes as long as reading a thousand plain pages.
  const { pageElements } = await import('./page-elements.ts');
  const { text, charset } = decodePage(bytes);
  return { elements: pageElements({ html: text, page }), charset };
}
