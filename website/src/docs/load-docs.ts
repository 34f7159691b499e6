import type { Loader, LoaderContext } from 'astro/loaders';
import { glob } from 'astro/loaders';
import { docsFolder, pathInDocs } from './docs-folder.ts';

/** How Astro reads a kind of file. It's in the context of each loader, but not in its type. */
interface EntryType {
  getEntryInfo(file: { contents: string; fileUrl: URL }): Promise<EntryInfo>;
}

interface EntryInfo {
  readonly body: string;
  readonly data: object;
}

type InternalContext = LoaderContext & { readonly entryTypes: ReadonlyMap<string, EntryType> };

/** The page that has a page of its own for each of its sections. */
export const errorsPath = 'reference/errors';

/** The Markdown files of `docs/` as they are. Their first heading is the title. */
export function loadDocs(): Loader {
  const { load } = glob({ base: docsFolder, pattern: '**/*.md' });
  return {
    name: 'docs',
    load(context) {
      const { entryTypes } = context as InternalContext;
      const titled = [...entryTypes].map(([name, type]) => [name, withTitle(type)] as const);
      const withTitles: InternalContext = { ...context, entryTypes: new Map(titled) };
      return load(withTitles);
    },
  };
}

/** Reads the title and the description from the text, which has no frontmatter. */
function withTitle(type: EntryType): EntryType {
  return {
    ...type,
    async getEntryInfo(file) {
      const info = await type.getEntryInfo(file);
      const path = pathInDocs(file.fileUrl);
      const [, title = '', body = ''] = /^# (.+)\n+([\s\S]*)$/.exec(info.body) ?? [];
      if (!path || !title) return info;
      // The links validator knows pages outside src/content/docs by their `slug`.
      const slug = path.replace(/\.md$/, '');
      const data = {
        ...{ title: plainText(title), heading: title, description: lead(body), slug },
        pagefind: slug !== errorsPath,
      };
      return { ...info, body, data: { ...data, ...info.data } };
    },
  };
}

/** The first paragraph. */
function lead(body: string): string | undefined {
  const paragraph = body.split(/\n{2,}/).find((part) => /^[\p{L}`*[]/u.test(part));
  return paragraph && plainText(paragraph.replaceAll('\n', ' '));
}

function plainText(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replaceAll('&lt;', '<');
}
