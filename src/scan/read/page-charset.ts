import { attribute, type PageElement, words } from './page-element.ts';

export interface PageText {
  readonly text: string;
  /** UTF-16 is known by its byte order mark. `unknown` isn't valid UTF-8. */
  readonly charset: 'utf-8' | 'utf-16le' | 'utf-16be' | 'unknown';
}

/** Decodes a page without its byte order mark. Invalid UTF-8 becomes U+FFFD. */
export function decodePage(bytes: Uint8Array): PageText {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decodeAs('utf-16le', bytes);
  if (first === 0xfe && second === 0xff) return decodeAs('utf-16be', bytes);
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), charset: 'utf-8' };
  } catch {
    return { text: new TextDecoder().decode(bytes), charset: 'unknown' };
  }
}

/** The charset that a page declares, unless it's UTF-8. */
export function otherCharset(elements: readonly PageElement[]): string | undefined {
  for (const { element, live } of elements) {
    if (!live || element.tagName !== 'meta') continue;
    const label = attribute(element, 'charSet') ?? contentTypeCharset(element);
    if (label !== undefined) return isUtf8(label) ? undefined : label.trim();
  }
  return undefined;
}

function decodeAs(charset: 'utf-16le' | 'utf-16be', bytes: Uint8Array): PageText {
  return { text: new TextDecoder(charset).decode(bytes), charset };
}

function contentTypeCharset(element: PageElement['element']): string | undefined {
  if (words(element, 'httpEquiv').join(' ') !== 'content-type') return undefined;
  const match = /charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;]+))/i.exec(
    attribute(element, 'content') ?? '',
  );
  return match?.[1] ?? match?.[2] ?? match?.[3];
}

function isUtf8(label: string): boolean {
  if (label === 'utf-8') return true;
  try {
    return new TextDecoder(label).encoding === 'utf-8';
  } catch {
    // An unknown label.
    return false;
  }
}
