import { fileURLToPath } from 'node:url';
import type { Element } from 'hast';
import { isMediaAddress } from '../../assets/request/media-address.ts';
import { type ChangeNode, encodePercent, type JsxNode, type RawNode } from './markdown-nodes.ts';

interface Context {
  readonly fileURL?: URL | undefined;
  readonly source: string;
}

interface EditContext extends Context {
  setProperty(node: object, name: string, value: unknown): void;
}

/** What a text must hold for its plugins to run; the others are not slowed down. */
const scheme = /media:/i;

/** Plugins for Sätteri, Astro's default processor from version 7 on. */
export function satteriPlugins(change: ChangeNode) {
  const visit = async (node: Readonly<Element> | RawNode | JsxNode, context: EditContext) => {
    const { fileURL, source } = context;
    const file = fileURL && fileURLToPath(fileURL);
    const changed = await change(node, { file, text: source });
    if (changed?.kind === 'node') return changed.node;
    for (const [name, value] of Object.entries(changed?.properties ?? {})) {
      context.setProperty(node, name, value);
    }
    return undefined;
  };
  const assets = {
    name: 'astro-media-asset',
    options: { position: true },
    element: { filter: ['img', 'a'], visit },
    mdxJsxFlowElement: { filter: ['img'], visit },
    mdxJsxTextElement: { filter: ['img'], visit },
    raw: visit,
  };
  const encode = (node: { readonly url: string }, context: EditContext) => {
    const url = isMediaAddress(node.url) ? encodePercent(node.url) : node.url;
    if (url !== node.url) context.setProperty(node, 'url', url);
  };
  const percents = {
    name: 'astro-media-asset/percents',
    image: encode,
    link: encode,
    definition: encode,
  };
  return {
    hast: (context?: Context) =>
      context === undefined || scheme.test(context.source) ? assets : false,
    mdast: (context?: Context) =>
      context === undefined || scheme.test(context.source) ? percents : false,
  };
}
