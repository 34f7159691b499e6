import { fileURLToPath } from 'node:url';
import type { AstroConfig } from 'astro';
import type { Element } from 'hast';
import { isMediaAddress } from '../../assets/request/media-address.ts';
import type { BlockNode, MarkBlocks } from './markdown-blocks.ts';
import type { ChangeNode, RawNode } from './markdown-nodes.ts';

type UpdateConfig = (config: { markdown: Record<string, unknown[]> }) => void;

/** A processor of Astro 6.4 and later. Astro reads its lists when it renders the first text. */
interface Processor {
  readonly name?: unknown;
  readonly options?: { readonly [list: string]: unknown };
}

/** What the plugins do. Both are known once the site is open. */
interface Work {
  readonly change: ChangeNode;
  /** Nothing in builds. */
  marker(): MarkBlocks | undefined;
}

export function createMarkdownPlugins(work: Work) {
  const satteri = satteriPlugins(work);
  const rehype = rehypePlugin(work.change);
  const remark = remarkPlugin(work.marker);
  const installed = new WeakSet<object>();
  // Astro compares its config, where functions are invisible, but names and options aren't.
  const mark = { name: 'astro-media-asset/state' };

  function installIn({ name, options = {} }: Processor): void {
    const lists: Record<string, [string, unknown[]][]> = {
      satteri: [
        ['mdastPlugins', satteri.mdast],
        ['hastPlugins', [mark, satteri.hast]],
      ],
      unified: [
        ['remarkPlugins', [remark]],
        ['rehypePlugins', [[rehype, mark]]],
      ],
    };
    const wanted = typeof name === 'string' ? lists[name] : undefined;
    if (!wanted?.every(([list]) => Array.isArray(options[list])) || installed.has(options)) return;
    for (const [list, plugins] of wanted) (options[list] as unknown[]).push(...plugins);
    installed.add(options);
  }

  return {
    /** Adds the plugins to the processor, once per processor, and none to an unknown one. */
    install(config: AstroConfig, updateConfig?: UpdateConfig): void {
      const processor = config.markdown.processor as Processor | undefined;
      if (processor) installIn(processor);
      else
        updateConfig?.({ markdown: { remarkPlugins: [remark], rehypePlugins: [[rehype, mark]] } });
    },
    /**
     * Sets the state that the rendered HTML depends on, as a part of Astro's config. Astro keeps the HTML
     * of content collections, and of pages in incremental builds, until its config changes.
     */
    setState(state: string): void {
      mark.name = `astro-media-asset/${state}`;
    },
  };
}

interface Tree extends Omit<BlockNode, 'data'> {
  url?: unknown;
  data?: BlockNode['data'];
  properties?: object;
  children?: Tree[];
}

interface File {
  readonly path?: string | undefined;
  toString(): string;
}

function rehypePlugin(change: ChangeNode) {
  return () => async (tree: Tree, file: File) => {
    const text = { file: file.path, text: String(file) };
    for (const parent of withChildren(tree)) {
      for (const [index, child] of (parent.children ?? []).entries()) {
        const changed = isChangeable(child) ? await change(child, () => text) : undefined;
        if (changed) parent.children?.splice(index, 1, changed as Tree);
      }
    }
  };
}

/** A remark plugin that runs before Astro collects images, because Astro fails at a lone `%`. */
function remarkPlugin(marker: Work['marker']) {
  return () => async (tree: Tree, file: File) => {
    for (const parent of withChildren(tree)) {
      for (const child of parent.children ?? []) {
        if (isMediaAddress(child.url)) child.url = encodePercent(child.url);
      }
    }
    const mark = await marker()?.({ file: file.path, text: String(file) });
    for (const block of tree.children ?? []) {
      const data = mark?.(block);
      if (data) block.data = data;
    }
  };
}

function isChangeable(node: { type: string }): node is Element | RawNode {
  return node.type === 'element' || node.type === 'raw';
}

function withChildren(node: Tree): Tree[] {
  return node.children ? [node, ...node.children.flatMap(withChildren)] : [];
}

interface Context {
  readonly fileURL?: URL | undefined;
  readonly source: string;
}

interface EditContext extends Context {
  setProperty(node: object, name: string, value: unknown): void;
}

/** The plugins only run for texts with this scheme. */
const scheme = /media:/i;

/** Plugins for Sätteri, Astro's default processor since version 7. */
function satteriPlugins({ change, marker }: Work) {
  const textOf = ({ fileURL, source }: Context) => {
    return { file: fileURL && fileURLToPath(fileURL), text: source };
  };
  const visit = (node: Readonly<Element> | RawNode, context: Context) =>
    change(node, () => textOf(context));
  const assets = {
    name: 'astro-media-asset',
    options: { position: true },
    element: { filter: ['img', 'a'], visit },
    raw: visit,
  };
  const encode = (node: { readonly url: string }, context: EditContext) => {
    const url = isMediaAddress(node.url) ? encodePercent(node.url) : node.url;
    if (url !== node.url) context.setProperty(node, 'url', url);
  };
  const name = 'astro-media-asset/percents';
  const percents = { name, image: encode, link: encode, definition: encode };
  const blocks = {
    name: 'astro-media-asset/blocks',
    options: { position: true },
    // Sätteri before 0.10 hasn't this hook, and counts its offsets in bytes.
    async before({ children }: { readonly children: readonly BlockNode[] }, context: EditContext) {
      const mark = await marker()?.(textOf(context));
      for (const block of children) {
        const data = mark?.(block);
        if (data) context.setProperty(block, 'data', data);
      }
    },
  };
  const forTexts = <Plugin>(plugin: Plugin) => {
    return (context?: Context) =>
      context === undefined || scheme.test(context.source) ? plugin : false;
  };
  const mdast = [forTexts(percents), () => (marker() ? blocks : false)];
  return { hast: forTexts(assets), mdast };
}

/** Escapes every `%` in a URL that processors couldn't decode otherwise. */
function encodePercent(url: string): string {
  try {
    decodeURI(url);
    return url;
  } catch {
    return url.replaceAll('%', '%25');
  }
}
