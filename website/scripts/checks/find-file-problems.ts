import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { decodeHTML } from 'entities';
import fastGlob from 'fast-glob';
import { catalogue } from '../../../src/errors/error-catalogue.ts';
import { errorPage } from '../../../src/errors/homepage.ts';

interface Built {
  readonly dist: string;
  readonly docs: string;
  /** The path of the first page, with a slash at its end. */
  readonly base: string;
}

/** Checks the built files: links, headings, a page for each code, and the texts for assistants. */
export async function findFileProblems({ dist, docs, base }: Built): Promise<string[]> {
  const problems: string[] = [];
  const paths = await fastGlob('**', { cwd: dist });
  const files = new Set(paths);
  const pages = new Map<string, { html: string; ids: ReadonlySet<string> }>();
  for (const path of paths.filter((one) => one.endsWith('.html'))) {
    const html = await readFile(join(dist, path), 'utf8');
    pages.set(path, { html, ids: new Set(attributes(html, /\sid="([^"]*)"/g)) });
  }

  for (const [path, { html }] of pages) {
    for (const link of attributes(html, /<(?:a|link|img|script)\s[^>]*?(?:href|src)="([^"]*)"/g)) {
      const { origin, pathname, hash } = new URL(link, `http://site${base}${path}`);
      if (origin !== 'http://site') continue;
      const inside = pathname.startsWith(base) && decodeURIComponent(pathname.slice(base.length));
      const target =
        inside === false
          ? ''
          : posix.join(inside, inside.endsWith('/') || !inside ? 'index.html' : '');
      const isThere = files.has(target) && (!hash || pages.get(target)?.ids.has(hash.slice(1)));
      if (!isThere) problems.push(`${path} links to ${link}.`);
    }
  }

  const first = decodeHTML((pages.get('index.html')?.html ?? '').replace(/<[^>]*>/g, ''));
  for (const sentence of [
    /The original has \d+\u00a0kB, and visitors get \d+ to \d+\u00a0kB\./,
    /this website's build has reported this page and Examples\./,
  ]) {
    if (!sentence.test(first)) problems.push(`The first page lacks ${sentence}.`);
  }

  const [llms, whole] = await Promise.all(
    ['llms.txt', 'llms-full.txt'].map((name) => readFile(join(dist, name), 'utf8')),
  );
  for (const path of await fastGlob('**/*.md', { cwd: docs })) {
    const text = await readFile(join(docs, path), 'utf8');
    const page = pages.get(path.replace(/\.md$/, '/index.html'));
    for (const id of gitHubAnchors(text)) {
      if (!page?.ids.has(id)) problems.push(`${path} has no heading with the ID ${id}.`);
    }
    if (!llms?.includes(`${base}${path})`)) problems.push(`llms.txt doesn't name ${path}.`);
    if (!whole?.includes(text.trimEnd())) problems.push(`llms-full.txt doesn't contain ${path}.`);
    if (!files.has(path)) problems.push(`There is no ${path}.`);
  }

  const [, ...sections] = (await readFile(join(docs, 'reference/errors.md'), 'utf8')).split(
    /^### /m,
  );
  for (const code of Object.keys(catalogue)) {
    const address = errorPage(code, 'http://site') ?? '';
    const html = pages.get(`${address.slice('http://site/'.length)}index.html`)?.html ?? '';
    const text = decodeHTML(html.replace(/<[^>]*>/g, ''));
    const section = sections.find((one) => one.startsWith(`${code}\n`)) ?? '';
    const message = section.match(/^ {4}.*$/gm)?.map((line) => line.slice(4)) ?? ['no message'];
    for (const line of message) {
      if (!text.includes(line)) problems.push(`The page of ${code} lacks: ${line}`);
    }
  }
  return problems;
}

function attributes(html: string, pattern: RegExp): string[] {
  return Array.from(html.matchAll(pattern), ([, value = '']) => decodeHTML(value));
}

/** The IDs that GitHub gives to a page's headings, except for its title. */
function gitHubAnchors(markdown: string): string[] {
  const counts = new Map<string, number>();
  const headings = markdown.replace(/^```.*?^```/gms, '').matchAll(/^##+ (.*)$/gm);
  return Array.from(headings, ([, heading = '']) => {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('&lt;', '<');
    const id = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  });
}
