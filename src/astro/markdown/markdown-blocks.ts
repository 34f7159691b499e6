import { relative, sep } from 'node:path';
import type { MarkdownBlock } from '../../authoring/toolbar/protocol.ts';
import { ignoreOurs } from '../../errors/errors.ts';
import { type MarkdownText, textShift } from './markdown-renderer.ts';

/** A node of the Markdown tree. A plugin can have added nodes without a position. */
export interface BlockNode {
  readonly type: string;
  readonly position?: { readonly start: { readonly line: number; readonly offset?: number } };
  readonly data?: { readonly hProperties?: object } | undefined;
}

/** The `data` of a top-level node with its place, or `undefined` for one that can't have any. */
type MarkBlock = (node: BlockNode) => BlockNode['data'];

/** Marks the top-level blocks of a text; `undefined` in builds, and for a text whose file is unknown. */
export type MarkBlocks = (text: MarkdownText) => Promise<MarkBlock | undefined>;

/** Code isn't one of them: its highlighting replaces the element. */
const marked = /^(?:paragraph|heading|list|blockquote|table|thematicBreak)$/;

/** Gives top-level blocks their place in the source, as data for the toolbar. */
export function blockMarker(root: string): MarkBlocks {
  return async ({ file: path, text }) => {
    if (path === undefined) return undefined;
    const { readSourceFile } = await import('../../authoring/source/source-file.ts');
    const file = relative(root, path).replaceAll(sep, '/');
    const source = await readSourceFile(root, file).catch(ignoreOurs);
    // A loader can render a part of a file, or what it has made of it.
    const shift = source?.text.trimEnd().endsWith(text.trim()) && textShift(source.text, text);
    if (!source || !shift) return undefined;
    return ({ type, position, data }) => {
      const { line, offset } = position?.start ?? {};
      if (!marked.test(type) || line === undefined || offset === undefined) return undefined;
      const block: MarkdownBlock = {
        ...{ file, line: line + shift.lines, start: offset + shift.characters, hash: source.hash },
      };
      const attribute = { 'data-media-asset-block': JSON.stringify(block) };
      return { ...data, hProperties: { ...data?.hProperties, ...attribute } };
    };
  };
}
