import { decodePath } from '../errors/decode-path.ts';

/** The settings of an Astro config that decide page URLs. */
export interface AddressRules {
  /** The site's absolute URL. Only its origin counts, as in Astro: a path belongs in `base`. */
  readonly site: string;
  /** The site's path, with or without slashes around it. */
  readonly base: string;
  readonly format: 'directory' | 'file' | 'preserve';
  readonly trailingSlash: 'always' | 'never' | 'ignore';
}

/** What decides which pages count, and which assets they show. */
export interface ScanRules extends AddressRules {
  readonly exclude: readonly string[];
  /** Astro's `build.assetsPrefix` for stylesheets. */
  readonly assetsPrefix?: string | undefined;
  /** The service's base URL, also with a path. */
  readonly service?: string | undefined;
}

/**
 * Returns a function from built HTML files to absolute URLs, as `Astro.url` has them in the build.
 * One case differs: for an `index.html` of a rest route with `preserve`, Astro says `/index.html` and
 * this says `/`.
 *
 * Files are relative to the output folder, with `/` or `\` as separator. A file from `public/` that
 * doesn't follow the format keeps its name in the URL.
 */
export function pageUrls({ site, base, format, trailingSlash }: AddressRules) {
  const { origin } = new URL(site);
  const root = basePath(base);
  const slash = trailingSlash === 'never' ? '' : '/';

  return (file: string): string => {
    const path = file.replaceAll('\\', '/');
    const folder = /^(?:(.*)\/)?index\.html$/.exec(path);
    const errorPage = /^(404|500)\.html$/.exec(path)?.[1];
    if (format !== 'file' && folder)
      return toUrl(origin, `${root}${folder[1] === undefined ? '' : `/${folder[1]}`}${slash}`);
    if (format === 'directory' && errorPage) return toUrl(origin, `${root}/${errorPage}${slash}`);
    return toUrl(origin, `${root}/${path}`);
  };
}

/** The decoded path of a page's URL. */
export function pagePath(page: string): string {
  return decodePath(new URL(page).pathname);
}

/** The site's path with a leading slash and no trailing slash. Empty for the root. */
export function basePath(base: string): string {
  return `/${base}`.replace(/\/+/g, '/').replace(/\/$/, '');
}

function toUrl(origin: string, path: string): string {
  // Most paths need no escaping. Parsing them all is slow on a large site.
  if (/^(?:\/[\w-]+)+\/?(?:[\w-]+\.html)?$/.test(path)) return origin + path;
  // Keep escapes in file names: Astro escapes `?` and `#` of a route.
  const escaped = path.replaceAll('?', '%3F').replaceAll('#', '%23');
  return new URL(escaped || '/', origin).href;
}
