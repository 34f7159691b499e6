import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastGlob from 'fast-glob';

/** A code block of the docs. */
export interface DocBlock {
  /** Its page: `README`, `tutorial`, `guides/images`. */
  readonly page: string;
  readonly line: number;
  /** The heading that it follows, empty at the top of the page. */
  readonly section: string;
  /** Empty if it has none. */
  readonly language: string;
  /** The file that a comment on its first line names. */
  readonly file: string | undefined;
  /** For a diff, the code after the change. */
  readonly text: string;
}

/**
 * The test of a guide's block:
 *
 * - `host`: `e2e/docs-recipes.test.ts` runs it as its CI host would
 * - `site`: `e2e/guides.test.ts` builds it
 * - `command`: `e2e/guides.test.ts` runs it in the built site
 * - `options`: `docs/blocks.test.ts` reads it as options
 * - `named`: a test takes it with `blockOf`
 */
type Runner = 'host' | 'site' | 'command' | 'options' | 'named';

/** The blocks that tests take by name, in the order of their page. */
export const blockNames = {
  README: ['add', 'example', 'create', 'start', 'init', 'config', 'variables'],
  tutorial: ['create', 'service', 'env', 'config', 'ignored', 'page', 'dev', 'build', 'again'],
  'guides/cms': [
    ...['value', 'decap config', 'keystatic config', 'astro config', 'markdoc config'],
    ...[
      'media config',
      'media integration',
      'media handler',
      'netlify',
      'vercel',
      'vercel rewrite',
    ],
    ...['worker', 'wrangler', 'node', 'endpoint'],
  ],
  'guides/css-open-graph-feeds': ['host image'],
  'guides/files-and-video': ['link'],
  'guides/images': ['unavailable', 'styles'],
  'guides/markdown': ['address', 'mistake'],
  'guides/takedown': ['withdraw', 'github', 'gitlab', 'site rules'],
  'guides/other-generators': [
    ...['page', 'commands', 'variables'],
    ...['hugo shortcode', 'hugo content', 'hugo commands'],
    ...['new hugo site', 'hugo service', 'hugo layout', 'hugo page'],
    ...['eleventy config', 'eleventy content', 'eleventy commands'],
    ...['next config', 'next component', 'next page', 'next commands'],
  ],
} as const;

type Names = typeof blockNames;

const root = fileURLToPath(new URL('../../..', import.meta.url));
const paths = await fastGlob(['README.md', 'docs/**/*.md'], { cwd: root });

export const docBlocks: readonly DocBlock[] = (
  await Promise.all(paths.sort().map(readBlocks))
).flat();

/** The blocks of these pages depend on each other. */
const stories = ['README', 'tutorial', 'guides/other-generators'];

function runnerOf({ page, language, file, text }: DocBlock): Runner {
  if (stories.includes(page)) return 'named';
  if (page.startsWith('guides/ci-')) return 'host';
  if (['astro', 'md', 'mdx'].includes(language) || file?.startsWith('src/')) return 'site';
  if (language === 'sh') return 'command';
  return text.startsWith('mediaAsset(') ? 'options' : 'named';
}

/** The blocks with this runner on pages whose names start with `pages`. */
export function blocksRunBy(runner: Runner, pages: string): DocBlock[] {
  return docBlocks.filter((block) => block.page.startsWith(pages) && runnerOf(block) === runner);
}

export function blockOf<Page extends keyof Names>(page: Page, name: Names[Page][number]): string {
  const blocks = blocksRunBy('named', page);
  const block = blocks[(blockNames[page] as readonly string[]).indexOf(name)];
  if (!block) throw new Error(`${page} has no block for “${name}”.`);
  return block.text;
}

async function readBlocks(path: string): Promise<DocBlock[]> {
  const page = await readFile(join(root, path), 'utf8');
  return Array.from(
    page.matchAll(/^( *)```([\w-]*)\n(.*?)^ *```$/gms),
    ({ 1: indent = '', 2: language = '', 3: code = '', index }) => {
      const plain = code.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
      const text = language === 'diff' ? plain.replace(/^-.*\n|^[ +]/gm, '') : plain;
      return {
        page: path.replace(/^docs\//, '').replace('.md', ''),
        line: page.slice(0, index).split('\n').length,
        section:
          page
            .slice(0, index)
            .match(/^## .*$/gm)
            ?.at(-1) ?? '',
        language,
        file: /^(?:---\n)?(?:\/\/|#|<!--) (\S*\.\w+)(?: -->)?\n/.exec(text)?.[1],
        text,
      };
    },
  );
}
