import type { Element } from 'hast';
import { isMediaAddress } from '../../assets/request/media-address.ts';
import { type ChangeNode, encodePercent, type JsxNode, type RawNode } from './markdown-nodes.ts';

interface Tree {
  type: string;
  url?: unknown;
  properties?: object;
  children?: Tree[];
}

interface File {
  readonly path?: string | undefined;
  toString(): string;
}

/** A plugin for rehype. */
export function rehypePlugin(change: ChangeNode) {
  return () => async (tree: Tree, file: File) => {
    const text = { file: file.path, text: String(file) };
    for (const parent of withChildren(tree)) {
      for (const [index, child] of (parent.children ?? []).entries()) {
        const changed = isChangeable(child) ? await change(child, text) : undefined;
        if (changed?.kind === 'node') parent.children?.splice(index, 1, changed.node as Tree);
        else if (changed) Object.assign(child.properties ?? {}, changed.properties);
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

function isChangeable(node: { type: string }): node is Element | RawNode | JsxNode {
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
