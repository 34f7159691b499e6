import { resolve } from 'node:path';
import { basePath } from '../page-url.ts';
import { decodePage } from '../read/page-charset.ts';
import { isBelow, readSiteFile } from '../read/site-files.ts';
import { stylesheetUrl } from '../scan-page.ts';
import { assetUrlReader } from './asset-url.ts';
import { cssUrls } from './css-urls.ts';

/** Gives the assets that a stylesheet of the site names, in what it imports too. */
export type StylesheetReader = (url: string) => Promise<readonly number[]>;

interface Stylesheet {
  readonly ids: readonly number[];
  /** Absolute URLs. */
  readonly imports: readonly string[];
}

/**
 * A reader for the stylesheets that are files of the site; each file is read once. Stylesheets of
 * other hosts, and missing ones, name no asset.
 *
 * `assetsPrefix` is Astro's `build.assetsPrefix` for stylesheets, where it is set.
 *
 * @throws `scan-unreadable` (the reader)
 */
export function stylesheetReader({
  dir,
  site,
  base,
  assetsPrefix,
  serviceOrigins,
}: {
  dir: string;
  site: string;
  base: string;
  assetsPrefix: string | undefined;
  serviceOrigins: readonly string[];
}): StylesheetReader {
  const { origin } = new URL(site);
  const roots = [`${basePath(base)}/`, ...(assetsPrefix ? [withSlash(assetsPrefix)] : [])];
  const rootUrls = roots.map((root) => new URL(root, origin).href);
  const idOf = assetUrlReader(serviceOrigins);
  const known = new Map<string, Promise<Stylesheet>>();

  const load = async (url: string): Promise<Stylesheet> => {
    const file = localFile(url);
    const bytes = file && (await readSiteFile(file));
    if (!bytes) return { ids: [], imports: [] };
    const { urls, imports } = cssUrls(decodePage(bytes).text);
    return {
      ids: urls.flatMap((named) => idOf(named, url) ?? []),
      imports: imports.flatMap((named) => stylesheetUrl(named, url) ?? []),
    };
  };

  const localFile = (url: string): string | undefined => {
    const { origin, pathname } = new URL(url);
    const root = rootUrls.find((candidate) => `${origin}${pathname}`.startsWith(candidate));
    if (root === undefined) return undefined;
    const file = resolve(dir, decode(`${origin}${pathname}`.slice(root.length)));
    return isBelow(resolve(dir), file) ? file : undefined;
  };

  return async (url) => {
    const ids = new Set<number>();
    const seen = new Set([url]);
    for (const next of seen) {
      const loaded = known.get(next) ?? load(next);
      known.set(next, loaded);
      const stylesheet = await loaded;
      for (const id of stylesheet.ids) ids.add(id);
      for (const imported of stylesheet.imports) seen.add(imported);
    }
    return [...ids];
  };
}

function withSlash(url: string): string {
  return url.endsWith('/') ? url : `${url}/`;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A `%` that begins no escape stays as it is.
    return path;
  }
}
