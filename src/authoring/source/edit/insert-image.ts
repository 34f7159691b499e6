import { isDeepStrictEqual } from 'node:util';
import { formatMediaAddress } from '../../../assets/request/media-address.ts';
import { placeAt } from '../../../errors/place.ts';
import type { InsertRequest } from '../../toolbar/protocol.ts';
import { parseMarkdown } from '../markdown-places.ts';
import { isMarkdown } from '../source-text.ts';
import { bare, isWritable, unsafe } from './assert-only-changed.ts';
import { escapeLabel, lineEnd } from './write-value.ts';

/**
 * Inserts an image as a paragraph of its own, or several as a list, before or after a top-level block of
 * a Markdown or MDX file. The changed text is parsed again: it must have that, and all other blocks as
 * before.
 *
 * @throws `source-unsafe` if no top-level block starts there, or another block would change
 */
export async function insertImage(
  text: string,
  { block, isAfter, images }: InsertRequest,
): Promise<{ text: string; line: number }> {
  const { file } = block;
  const refuse = (cause?: unknown) => unsafe(block, cause);
  if (!isMarkdown(file)) throw refuse();
  const topLevel = async (text: string) => (await parseMarkdown({ file, text })).children ?? [];
  const blocks = await topLevel(text);
  const number = blocks.findIndex(({ position }) => position.start.offset === block.start);
  const found = blocks[number];
  if (!found) throw refuse();
  const index = isAfter ? number + 1 : number;
  const paragraphs = images.map(({ alt = '', link, ...props }, at) => {
    const url = formatMediaAddress({ ...props, decoration: images[at]?.alt === '' });
    const written = `${link ? '' : '!'}[${escapeLabel(link ?? alt)}](${url})`;
    const label = link ? { children: [{ type: 'text', value: link }] } : { alt };
    const child = { type: link ? 'link' : 'image', url, title: null, ...label };
    return { written, type: 'paragraph', children: [child] };
  });
  const { start, end } = found.position;
  const newLine = lineEnd(text);
  // With the marker of a list next to it, it would be part of that.
  const near = [blocks[index - 1], blocks[index]].map(
    (one) => text[one?.position.start.offset ?? -1],
  );
  const marker = ['-', '*', '+'].find((one) => !near.includes(one));
  const isList = images.length > 1;
  const written = paragraphs
    .map((one) => (isList ? `${marker} ${one.written}` : one.written))
    .join(newLine);
  const at = isAfter
    ? end.offset + text.slice(end.offset).search(/\r?\n|$/)
    : text.lastIndexOf('\n', start.offset - 1) + 1;
  const isFree = isAfter
    ? /^(?:$|\r?\n[ \t]*(?:\r?\n|$))/.test(text.slice(at))
    : /^$|(?:^|\n)[ \t]*\r?\n$/.test(text.slice(0, at));
  const spaces = [isFree ? '' : newLine, newLine + newLine];
  const [space = '', rest] = isAfter ? spaces.toReversed() : spaces;
  const changed = `${text.slice(0, at)}${space}${written}${rest}${text.slice(at)}`;
  const now = await topLevel(changed).catch((cause: unknown) => {
    throw refuse(cause);
  });
  const nodes = paragraphs.map(({ written: _, ...node }) => node);
  const item = { type: 'listItem', spread: false, checked: null };
  const children = nodes.map((node) => ({ ...item, children: [node] }));
  const added = isList ? { type: 'list', ordered: false, spread: false, children } : nodes[0];
  const expected = blocks.toSpliced(index, 0, added as never);
  const isOnlyAdded = isWritable(changed) && isDeepStrictEqual(bare(now), bare(expected));
  if (!isOnlyAdded) throw refuse();
  return { text: changed, line: placeAt({ file, text: changed }, at + space.length).line };
}
