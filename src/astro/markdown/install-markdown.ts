import type { AstroConfig } from 'astro';
import type { ChangeNode } from './markdown-nodes.ts';
import { rehypePlugin, remarkPlugin } from './rehype-plugin.ts';
import { satteriPlugins } from './satteri-plugin.ts';

/** Our part of a site's processor of Markdown. */
export interface MarkdownPlugins {
  /**
   * Adds the plugins to the processor, once for each. `false` for a processor that nobody knows.
   *
   * @param updateConfig for versions of Astro that have no `markdown.processor`
   */
  install(config: AstroConfig, updateConfig?: UpdateConfig): boolean;
  /**
   * Names what the rendered HTML depends on. Astro keeps the HTML of content collections, and of
   * pages in incremental builds, until its config changes, and this is a part of it.
   */
  setState(state: string): void;
}

export type UpdateConfig = (config: { markdown: Record<string, unknown[]> }) => void;

/** A processor of Astro 6.4 and later. Its lists are read when the first text is rendered. */
interface Processor {
  readonly name?: unknown;
  readonly options?: { readonly [list: string]: unknown };
}

export function createMarkdownPlugins(change: ChangeNode): MarkdownPlugins {
  const satteri = satteriPlugins(change);
  const rehype = rehypePlugin(change);
  const installed = new WeakSet<object>();
  // Functions leave no trace in the config that Astro compares; a name and options do.
  const mark = { name: 'astro-media-asset/state' };

  function installIn({ name, options = {} }: Processor): boolean {
    const lists: Record<string, [string, unknown[]][]> = {
      satteri: [
        ['mdastPlugins', [satteri.mdast]],
        ['hastPlugins', [mark, satteri.hast]],
      ],
      unified: [
        ['remarkPlugins', [remarkPlugin]],
        ['rehypePlugins', [[rehype, mark]]],
      ],
    };
    const wanted = typeof name === 'string' ? lists[name] : undefined;
    if (!wanted?.every(([list]) => Array.isArray(options[list]))) return false;
    if (!installed.has(options)) {
      for (const [list, plugins] of wanted) (options[list] as unknown[]).push(...plugins);
    }
    installed.add(options);
    return true;
  }

  return {
    install(config, updateConfig) {
      const processor = config.markdown.processor as Processor | undefined;
      if (processor) return installIn(processor);
      updateConfig?.({
        markdown: { remarkPlugins: [remarkPlugin], rehypePlugins: [[rehype, mark]] },
      });
      return true;
    },
    setState(state) {
      mark.name = `astro-media-asset/${state}`;
    },
  };
}
