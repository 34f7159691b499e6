import { join } from 'node:path';

/** A site as its dev server knows it. */
interface DevSite {
  /** The project's folder. */
  readonly root: string;
  readonly base: string;
  /** In the order in which Astro tries them. */
  readonly routes: readonly PageRoute[];
}

/** The part of a route of Astro that is used. */
export interface PageRoute {
  readonly type: string;
  readonly patternRegex: RegExp;
  /** The file of its page, relative to the project or absolute. */
  readonly entrypoint: string;
}

/**
 * The source file of a page. Astro's error overlay shows it instead of the line of this package that
 * threw.
 *
 * @param page the page's path with the base, or any other text
 */
export function pageFile(page: string, { root, base, routes }: DevSite): string | undefined {
  const prefix = base.replace(/\/$/, '');
  if (!page.startsWith(`${prefix}/`)) return undefined;
  const path = page.slice(prefix.length);
  const route = routes.find(({ type, patternRegex }) => type === 'page' && patternRegex.test(path));
  if (!route) return undefined;
  const { entrypoint } = route;
  return entrypoint.startsWith(root) ? entrypoint : join(root, entrypoint);
}
