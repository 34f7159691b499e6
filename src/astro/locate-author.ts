import { join } from 'node:path';

/** A place in the site's own source, in the shape that Astro's error overlay takes. */
export interface AuthorPlace {
  readonly file: string;
  /** Both from 1; without them the whole file is meant. */
  readonly line?: number;
  readonly column?: number;
}

/** What is needed of a route of Astro. */
export interface PageRoute {
  readonly type: string;
  readonly patternRegex: RegExp;
  /** The file of its page, relative to the project or absolute. */
  readonly entrypoint: string;
}

/** A site as its dev server knows it. */
export interface AuthorSite {
  /** The project's folder. */
  readonly root: string;
  readonly base: string;
  /** In the order in which Astro tries them. */
  readonly routes: readonly PageRoute[];
  /** `undefined` for a file that cannot be read. */
  readonly read: (file: string) => string | undefined;
}

/**
 * Where the site's author has asked for an asset. A function's call stands in the stack. Astro
 * renders a component after the page that uses it, which is on no stack then: it is found by its
 * path, and in it the tag where only one has the id.
 *
 * @param asked.page the page's path with the base, or any other text
 * @param asked.stack of the call
 */
export function locateAuthor(
  { page, id, stack }: { page: string; id: unknown; stack: string },
  site: AuthorSite,
): AuthorPlace | undefined {
  const called = findInStack(stack, site.root);
  if (called) return called;
  const file = findPageFile(page, site);
  const source = file === undefined ? undefined : site.read(file);
  if (file === undefined || source === undefined) return undefined;
  return { file, ...findTag(source, id) };
}

/**
 * The uppermost call that stands in the project itself, and in no package. What only waits for it
 * (`async`), such as a middleware, has not made it.
 */
function findInStack(stack: string, root: string): AuthorPlace | undefined {
  const folder = `${slashed(root)}/`;
  for (const call of stack.split('\n')) {
    const [, raw = '', line, column] =
      /^ +at (?!async )(?:.*? \()?(.+?):(\d+):(\d+)\)?$/.exec(call) ?? [];
    const path = slashed(raw.replace(/^file:\/\/(?:\/(?=[a-z]:))?/i, ''));
    // Vite encodes a path that has no scheme, too.
    const file = [path, decoded(path)].find((one) => one.startsWith(folder));
    if (file === undefined || file.includes('/node_modules/')) continue;
    return { file, line: Number(line), column: Number(column) };
  }
  return undefined;
}

function findPageFile(page: string, { root, base, routes }: AuthorSite): string | undefined {
  const prefix = base.replace(/\/$/, '');
  if (!page.startsWith(`${prefix}/`)) return undefined;
  const path = decoded(page.slice(prefix.length));
  const route = routes.find(({ type, patternRegex }) => type === 'page' && patternRegex.test(path));
  if (!route) return undefined;
  const { entrypoint } = route;
  return slashed(entrypoint).startsWith(`${slashed(root)}/`) ? entrypoint : join(root, entrypoint);
}

function findTag(source: string, id: unknown): { line: number; column: number } | undefined {
  if (typeof id !== 'number' && typeof id !== 'string') return undefined;
  const value = String(id).replace(/\W/g, '\\$&');
  const tag = new RegExp(
    `<[A-Z][\\w.]*\\s(?:[^<]*?\\s)?id=(?:\\{\\s*)?["'\`]?${value}(?!\\w)`,
    'g',
  );
  const [found, ...others] = source.matchAll(tag);
  if (!found || others.length > 0) return undefined;
  const before = source.slice(0, found.index).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Paths with slashes on every system, as Vite writes them. */
function slashed(path: string): string {
  return path.replaceAll('\\', '/').replace(/\/$/, '');
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
