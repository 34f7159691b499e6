import { posix } from 'node:path';
import { defineMdastPlugin, type MdastPluginDefinition } from 'satteri';
import { pathInDocs } from './docs-folder.ts';

interface Website {
  /** The path of its first page, with a slash at its end. */
  readonly base: string;
  readonly repository: string | undefined;
}

/**
 * Links between the Markdown files of `docs/` become links between pages. Links to other files lead to
 * the repository.
 */
export function docsLinks({ base, repository }: Website) {
  return ({ fileURL }: { fileURL: URL | undefined }): MdastPluginDefinition | undefined => {
    const file = pathInDocs(fileURL);
    if (!file) return undefined;
    const toPage = (url: string): string | undefined => {
      const [, path, rest = ''] = /^([^:#?]+)(.*)$/.exec(url) ?? [];
      if (!path || path.startsWith('/')) return undefined;
      const target = posix.join(posix.dirname(file), path);
      if (target.startsWith('../')) {
        return repository && `${repository}/blob/main/${target.slice(3)}${rest}`;
      }
      return target.endsWith('.md') ? `${base}${target.slice(0, -3)}/${rest}` : undefined;
    };
    return defineMdastPlugin({
      name: 'docs-links',
      link(node, context) {
        const url = toPage(node.url);
        if (url) context.setProperty(node, 'url', url);
      },
      definition(node, context) {
        const url = toPage(node.url);
        if (url) context.setProperty(node, 'url', url);
      },
      // A wide table scrolls, so it can be focused.
      table(node, context) {
        context.setProperty(node, 'data', { hProperties: { tabindex: 0 } });
      },
      // A terminal is wider than a phone. Its text stays readable, and its scroller can be focused.
      image(node, context) {
        const parent = context.parent(node);
        if (!node.url.endsWith('.svg') || parent?.type !== 'paragraph') return;
        const hProperties = {
          ...{ class: 'terminal', tabindex: 0, role: 'group' },
          'aria-label': node.alt ?? '',
        };
        context.setProperty(parent, 'data', { hProperties });
      },
    });
  };
}
