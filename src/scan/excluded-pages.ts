import picomatch from 'picomatch';
import { pagePath } from './page-name.ts';
import { basePath } from './page-url.ts';

/**
 * A test for pages that globs leave out. A glob is matched on the page's path, decoded, both as
 * visitors see it and without the site's base; a slash at the end makes no difference.
 */
export function excludedPages({
  exclude,
  base,
}: {
  exclude: readonly string[];
  base: string;
}): (page: string) => boolean {
  if (exclude.length === 0) return () => false;
  const matches = picomatch(
    exclude.map((glob) => withoutSlash(glob.startsWith('/') ? glob : `/${glob}`)),
    { dot: true },
  );
  const root = basePath(base);
  return (page) => {
    const path = pagePath(page);
    const below = path.startsWith(`${root}/`) ? path.slice(root.length) : path;
    return matches(withoutSlash(path)) || matches(withoutSlash(below));
  };
}

function withoutSlash(path: string): string {
  return path.replace(/(?<=.)\/+$/, '');
}
