import { extname } from 'node:path';
import type { Found, SourceText } from './found-place.ts';
import { changeAddress, propsOfAddress } from './media-address-text.ts';
import { loadMarkdownParser, nodesOf, type SyntaxNode } from './site-parsers.ts';
import { applyEdits, ComputedProp, type Edit } from './text-edits.ts';

/**
 * The Markdown images with a `media:` address. A place's text is the whole image: `![alt](media:4711)`.
 *
 * @throws `source-unreadable`
 */
export async function markdownPlaces({ path, text }: SourceText, root: string): Promise<Found[]> {
  if (!/\]\(\s*<?media:/i.test(text)) return [];
  const parser = await loadMarkdownParser(root, path);
  const tree = extname(path) === '.mdx' ? parser.mdxToMdast(text) : parser.markdownToMdast(text);
  return [...nodesOf(tree)].flatMap((node) => toPlace(node, text));
}

function toPlace(node: SyntaxNode, source: string): Found[] {
  const position = node.position as
    | { start: { offset: number; line: number }; end: { offset: number } }
    | undefined;
  const props = node.type === 'image' ? propsOfAddress(node.url) : undefined;
  if (!props || !position) return [];
  const { start, end } = position;
  const text = source.slice(start.offset, end.offset);
  // The parser resolves escapes and entities. An address with them can't be changed as text.
  const address = [...text.matchAll(/\]\(\s*<?(media:[^\s)>]*)/gi)].findLast(([, written = '']) =>
    sameAddress(written, String(node.url)),
  );
  if (!address) return [];
  const middle = address.index;
  const written = address[1] ?? '';
  const addressStart = middle + address[0].length - written.length;
  const alt = String(node.alt ?? '');
  return [
    {
      kind: 'markdown',
      start: start.offset,
      text,
      props: { ...props, alt },
      computed: [],
      change(change) {
        const edits: Edit[] = [
          {
            start: addressStart,
            end: addressStart + written.length,
            text: changeAddress(written, change),
          },
        ];
        if (change.alt !== undefined && change.alt !== alt) {
          if (/\n\s*\n/.test(change.alt)) throw new ComputedProp('alt');
          edits.push({ start: 2, end: middle, text: escapeAlt(change.alt) });
        }
        return applyEdits(text, edits);
      },
    },
  ];
}

function sameAddress(written: string, parsed: string): boolean {
  return written === parsed || decode(written) === decode(parsed);
}

function decode(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}

/** Markdown reads these characters as syntax. */
function escapeAlt(alt: string): string {
  return alt.replaceAll(/[\\[\]`*_<>&!]/g, '\\$&').replaceAll(/\s*\n\s*/g, ' ');
}
