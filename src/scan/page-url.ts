/** The settings of a site that its pages' URLs follow, as in an Astro config. */
export interface AddressRules {
  /** The site's absolute URL. As with Astro, only its origin counts: a path belongs in `base`. */
  readonly site: string;
  /** The path that the site lies below, with or without slashes around it. */
  readonly base: string;
  readonly format: 'directory' | 'file' | 'preserve';
  readonly trailingSlash: 'always' | 'never' | 'ignore';
}

/** The absolute URL of one built HTML file: see {@link pageUrls}. */
export function pageUrl(rules: AddressRules, file: string): string {
  return pageUrls(rules)(file);
}

/**
 * Gives the absolute URLs of built HTML files, as `Astro.url` gives them in the build. One case
 * cannot be told from the file: with `preserve`, where a rest route made an `index.html`, Astro says
 * `/index.html` and this says `/`.
 *
 * A file is relative to the folder of the built site, with `/` or `\` between its parts. One whose
 * name does not follow the format (from `public/`) keeps its name in the URL.
 */
export function pageUrls({ site, base, format, trailingSlash }: AddressRules) {
  const { origin } = new URL(site);
  const root = basePath(base);
  const slash = trailingSlash === 'never' ? '' : '/';

  return (file: string): string => {
    const path = file.replaceAll('\\', '/');
    const folder = /^(?:(.*)\/)?index\.html$/.exec(path);
    const errorPage = /^(404|500)\.html$/.exec(path)?.[1];
    if (format !== 'file' && folder) return toUrl(origin, `${below(root, folder[1])}${slash}`);
    if (format === 'directory' && errorPage) return toUrl(origin, `${root}/${errorPage}${slash}`);
    return toUrl(origin, `${root}/${path}`);
  };
}

/** The path that a site lies below: with a slash before it and none after it, empty for the root. */
export function basePath(base: string): string {
  return base
    .split('/')
    .filter((part) => part !== '')
    .map((part) => `/${part}`)
    .join('');
}

function below(root: string, folder: string | undefined): string {
  return folder === undefined ? root : `${root}/${folder}`;
}

function toUrl(origin: string, path: string): string {
  // Most paths stay as they are; on a large site, parsing them all takes time and memory.
  if (/^(?:\/[\w-]+)+\/?(?:[\w-]+\.html)?$/.test(path)) return origin + path;
  // Escapes that are in a file's name stay: Astro writes `?` and `#` of a route as such.
  const escaped = path.replaceAll('?', '%3F').replaceAll('#', '%23');
  return new URL(escaped || '/', origin).href;
}
