import { fileURLToPath } from 'node:url';
import type { Element } from 'hast';
import { isMediaAddress } from '../images/media-address.ts';
import { encodePercent, type JsxNode, type RawNode, type ReplaceNode } from './markdown-nodes.ts';

interface Context {
  readonly fileURL?: URL | undefined;
  readonly source: string;
}

interface ImageContext extends Context {
  setProperty(node: object, name: string, value: unknown): void;
}

/** What a text must hold for its plugins to run; the others are not slowed down. */
const scheme = /media:/i;

/** Plugins for Sätteri, Astro's default processor from version 7 on. */
export function satteriPlugins(replace: ReplaceNode) {
  const visit = (node: Readonly<Element> | RawNode | JsxNode, { fileURL, source }: Context) =>
    replace(node, { file: fileURL && fileURLToPath(fileURL), text: source });
  const images = {
    name: 'astro-media-asset',
    options: { position: true },
    element: { filter: ['img'], visit },
    mdxJsxFlowElement: { filter: ['img'], visit },
    mdxJsxTextElement: { filter: ['img'], visit },
    raw: visit,
  };
  const percents = {
    name: 'astro-media-asset/percents',
    image(node: { readonly url: string }, context: ImageContext) {
      const url = isMediaAddress(node.url) ? encodePercent(node.url) : node.url;
      if (url !== node.url) context.setProperty(node, 'url', url);
    },
  };
  return {
    hast: (context?: Context) =>
      context === undefined || scheme.test(context.source) ? images : false,
    mdast: (context?: Context) =>
      context === undefined || scheme.test(context.source) ? percents : false,
  };
}
