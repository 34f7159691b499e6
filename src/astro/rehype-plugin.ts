import type { Element } from 'hast';
import { isMediaAddress } from '../images/media-address.ts';
import { encodePercent, type JsxNode, type RawNode, type ReplaceNode } from './markdown-nodes.ts';

interface Tree {
  type: string;
  url?: unknown;
  children?: Tree[];
}

interface File {
  readonly path?: string | undefined;
  toString(): string;
}

/** A plugin for rehype. */
export function rehypePlugin(replace: ReplaceNode) {
  return () => async (tree: Tree, file: File) => {
    const text = { file: file.path, text: String(file) };
    for (const parent of withChildren(tree)) {
      for (const [index, child] of (parent.children ?? []).entries()) {
        const replacement = isReplaceable(child) && (await replace(child, text));
        if (replacement) parent.children?.splice(index, 1, replacement as Tree);
      }
    }
  };
}

/** A plugin for remark, before Astro's own collector of images, which fails at a lone `%`. */
export function remarkPlugin() {
  return (tree: Tree) => {
    for (const parent of withChildren(tree)) {
      for (const child of parent.children ?? []) {
        if (isMediaAddress(child.url)) child.url = encodePercent(child.url);
      }
    }
  };
}

function isReplaceable(node: { type: string }): node is Element | RawNode | JsxNode {
  return ['element', 'raw', 'mdxJsxFlowElement', 'mdxJsxTextElement'].includes(node.type);
}

function withChildren(tree: Tree): Tree[] {
  const parents: Tree[] = [];
  const pending = [tree];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (!node.children) continue;
    parents.push(node);
    pending.push(...node.children);
  }
  return parents;
}
