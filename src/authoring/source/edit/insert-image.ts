import { isDeepStrictEqual } from 'node:util';
import { formatMediaAddress } from '../../../assets/request/media-address.ts';
import type { InsertRequest } from '../../toolbar/protocol.ts';
import { parseMarkdown } from '../markdown-places.ts';
import { applyEdits, positionOf, type SourceFile } from '../source-text.ts';
import { bare, unsafe } from './assert-only-changed.ts';
import { escapeLabel } from './edit-address.ts';
import { lineEnd } from './write-value.ts';

/** A top-level node of the Markdown tree. Offsets are in UTF-16 code units. */
interface Block {
  readonly type: string;
  readonly position: { start: { offset: number }; end: { offset: number } };
  readonly children?: readonly object[];
}

/**
 * Inserts an image as a paragraph of its own, before or after a top-level block of a Markdown or MDX
 * file. The changed text is parsed again: it must have that paragraph, and all other blocks as before.
 *
 * @throws `source-unsafe` if no top-level block starts there, or another block would change
 */
export async function insertImage(
  file: SourceFile,
  { block, isAfter, image }: InsertRequest,
): Promise<{ text: string; line: number }> {
  const { path, text } = file;
  const refuse = (cause?: unknown) => unsafe({ file: path, line: block.line }, cause);
  if (!/\.mdx?$/i.test(path)) throw refuse();
  const blocks = await topLevel(file);
  const number = blocks.findIndex(({ position }) => position.start.offset === block.start);
  const found = blocks[number];
  if (!found) throw refuse();
  const { alt = '', ...props } = image;
  const url = formatMediaAddress({ ...props, decoration: image.alt === '' });
  const written = `![${escapeLabel(alt, { mdx: /x$/i.test(path) })}](${url})`;
  const { start, end } = found.position;
  const newLine = lineEnd(text);
  const at = isAfter
    ? end.offset + text.slice(end.offset).search(/\r?\n|$/)
    : text.lastIndexOf('\n', start.offset - 1) + 1;
  const isFree = isAfter
    ? /^(?:$|\r?\n[ \t]*(?:\r?\n|$))/.test(text.slice(at))
    : /^$|(?:^|\n)[ \t]*\r?\n$/.test(text.slice(0, at));
  const spaces = [isFree ? '' : newLine, newLine + newLine];
  const [space = '', rest] = isAfter ? spaces.toReversed() : spaces;
  const edit = { start: at, end: at, text: `${space}${written}${rest}` };
  const changed = applyEdits(text, [edit]);
  const now = await topLevel({ path, text: changed }).catch((cause: unknown) => {
    throw refuse(cause);
  });
  const index = isAfter ? number + 1 : number;
  const added = { type: 'paragraph', children: [{ type: 'image', url, alt, title: null }] };
  const isOnlyAdded =
    // UTF-8 has no halves of a surrogate pair, and Markdown no NUL.
    changed.isWellFormed() &&
    !changed.includes('\0') &&
    isDeepStrictEqual(bare(now), bare(blocks.toSpliced(index, 0, added as never)));
  if (!isOnlyAdded) throw refuse();
  return { text: changed, line: positionOf(changed, at + space.length).line };
}

async function topLevel(file: SourceFile): Promise<readonly Block[]> {
  return ((await parseMarkdown(file)) as { children: readonly Block[] }).children;
}
