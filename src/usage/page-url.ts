/** The settings of a site that its pages' URLs follow, as in an Astro config. */
export interface AddressRules {
  /** The site's absolute URL. As with Astro, only its origin counts: a path belongs in `base`. */
  readonly site: string;
  /** The path that the site lies below, with or without slashes around it. */
  readonly base: string;
  readonly format: 'directory' | 'file' | 'preserve';
  readonly trailingSlash: 'always' | 'never' | 'ignore';
}

/**
 * The absolute URL of a built HTML file, as `Astro.url` gives it in the build. One case cannot be
 * told from the file: with `preserve`, where a rest route made an `index.html`, Astro says
 * `/index.html` and this says `/`.
 *
 * `file` is relative to the folder of the built site, with `/` or `\` between its parts. A file
 * whose name does not follow the format (from `public/`) keeps its name in the URL.
 */
export function pageUrl(rules: AddressRules, file: string): string {
  const { site, base, format, trailingSlash } = rules;
  const slash = trailingSlash === 'never' ? '' : '/';
  const path = file.replaceAll('\\', '/');
  const folder = /^(?:(.*)\/)?index\.html$/.exec(path);
  const errorPage = /^(404|500)\.html$/.exec(path)?.[1];

  if (format !== 'file' && folder) return toUrl(site, `${join(base, folder[1] ?? '')}${slash}`);
  if (format === 'directory' && errorPage) return toUrl(site, `${join(base, errorPage)}${slash}`);
  return toUrl(site, join(base, path));
}

/** The path that a site lies below: with a slash before it and none after it, empty for the root. */
export function basePath(base: string): string {
  return join(base, '');
}

function join(base: string, path: string): string {
  return [...base.split('/'), path]
    .filter((part) => part !== '')
    .map((part) => `/${part}`)
    .join('');
}

function toUrl(site: string, path: string): string {
  // Escapes that are in a file's name stay: Astro writes `?` and `#` of a route as such.
  const escaped = path.replaceAll('?', '%3F').replaceAll('#', '%23');
  return new URL(escaped || '/', new URL(site).origin).href;
}
