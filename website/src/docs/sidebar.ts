import fastGlob from 'fast-glob';
import { docsFolder } from './docs-folder.ts';

interface Group {
  readonly label: string;
  /** In this order. */
  readonly pages: readonly string[];
  /** All other pages whose path begins like this are in the group too, by name. */
  readonly others?: string;
}

const groups: readonly Group[] = [
  {
    label: 'Images and files',
    pages: [
      ...['guides/images', 'guides/markdown', 'guides/css-open-graph-feeds', 'guides/collections'],
      ...['guides/files-and-video', 'guides/records', 'guides/toolbar', 'guides/cms'],
      'guides/from-astro-assets',
    ],
    others: 'guides/',
  },
  {
    label: 'Usages',
    pages: ['guides/reporting', 'guides/takedown', 'guides/offline', 'guides/other-generators'],
  },
  {
    label: 'CI and hosts',
    pages: ['guides/ci-github', 'guides/ci-gitlab', 'reference/hosts'],
    others: 'guides/ci-',
  },
  {
    label: 'Reference',
    pages: ['reference/components', 'reference/options', 'reference/commands', 'reference/errors'],
    others: 'reference/',
  },
  { label: 'Background', pages: ['background/ledger'], others: 'background/' },
  { label: 'For other readers', pages: ['editors', 'agents'], others: '' },
];

/** The navigation. A new page of the docs is in it without a change here. */
export function sidebar() {
  const all = fastGlob
    .sync('**/*.md', { cwd: docsFolder })
    .map((path) => path.replace(/\.md$/, ''));
  const named = new Set(['tutorial', ...groups.flatMap(({ pages }) => pages)]);
  const others = Object.groupBy(all.filter((page) => !named.has(page)).sort(), groupOf);
  return [
    'tutorial',
    { label: 'Examples', link: '/examples/' },
    ...groups.map(({ label, pages }) => ({
      label,
      items: [...pages.filter((page) => all.includes(page)), ...(others[label] ?? [])],
    })),
  ];
}

/** The group with the longest beginning that fits. */
function groupOf(page: string): string {
  const fitting = groups.filter(({ others }) => others !== undefined && page.startsWith(others));
  return fitting.reduce((a, b) => ((a.others ?? '') < (b.others ?? '') ? b : a)).label;
}
