import { posix, resolve } from 'node:path';
import fastGlob from 'fast-glob';
import { parseRenditionUrl } from '../../assets/formats/rendition-url.ts';
import { issuedAddresses } from '../../assets/store/read-catalogue.ts';
import type { Manifest } from '../../scan/manifest.ts';
import type { BuildRules } from '../../usage/build-rules.ts';
import type { Ledger } from '../../usage/ledger/ledger.ts';

/** Pages that show an asset, and URLs that give out its bytes, or did so earlier. */
export interface PublishedAsset {
  readonly pages: readonly PublishedPage[];
  /** Absolute and sorted. */
  readonly urls: readonly string[];
}

interface PublishedPage {
  readonly page: string;
  /** `build`: the last build's files show the asset. `ledger`: the service was told so. */
  readonly from: readonly ('build' | 'ledger')[];
}

/** Astro's default for `build.assets`. */
const defaultAssets = '_astro';

/**
 * Finds every page and URL of an asset that this machine knows of: in the catalogue, the ledger and
 * the output.
 *
 * @param known.manifest `undefined` without an output folder
 * @throws `catalogue-broken`
 */
export async function findPublished(
  id: number,
  known: {
    readonly rules: BuildRules;
    readonly service: string;
    readonly cacheDir: string;
    /** The absolute path of the output folder. */
    readonly output: string | undefined;
    readonly manifest: Pick<Manifest, 'pages'> | undefined;
    readonly ledger: Pick<Ledger, 'pages'>;
  },
): Promise<PublishedAsset> {
  const { rules, output, cacheDir, service } = known;
  const folders = assetFolders(rules);
  const issued = issuedAddresses(cacheDir, service, id).flatMap((address) =>
    URL.canParse(address) ? [address] : folders.map((folder) => `${folder}/${address}`),
  );
  const files = output === undefined ? [] : await filesOf(id, output);
  const site = below(rules.site, rules.base);
  const urls = [...issued, ...files.map((file) => `${site}/${file}`)];
  return { pages: pagesOf(id, known), urls: [...new Set(urls)].sort() };
}

/** The URLs of the folders with the site's images, without a slash at the end. */
function assetFolders({ site, base, stamp, assetsPrefixes = [] }: BuildRules): string[] {
  // The stamp lies in the same folder.
  const assets = stamp ? posix.dirname(stamp) : defaultAssets;
  return [below(site, base), ...assetsPrefixes.map((prefix) => below(site, prefix))].map(
    (url) => `${url}/${assets}`,
  );
}

/** An absolute URL without a slash at the end. */
function below(site: string, path: string): string {
  return new URL(path, site).href.replace(/\/+$/, '');
}

/** Relative to the output folder, with forward slashes. */
async function filesOf(id: number, output: string): Promise<string[]> {
  const pattern = `**/${posix.join('media-asset', `${id}-*`, '*')}`;
  const files = await fastGlob(pattern, { cwd: output, dot: true, followSymbolicLinks: false });
  return files.filter((file) => parseRenditionUrl(file)?.id === id);
}

function pagesOf(
  id: number,
  { manifest, ledger }: Parameters<typeof findPublished>[1],
): PublishedPage[] {
  const shown = manifest?.pages.filter(({ assets }) => assets.some((asset) => asset.id === id));
  const built = new Set(shown?.map(({ page }) => page));
  const known = Array.from(ledger.pages).filter(([, records]) =>
    records.some(({ ids, state }) => ids.includes(id) && state !== 'unsent'),
  );
  const reported = new Set(known.map(([page]) => page));
  return [...new Set([...built, ...reported])].sort().map((page) => ({
    page,
    from: [
      ...(built.has(page) ? (['build'] as const) : []),
      ...(reported.has(page) ? (['ledger'] as const) : []),
    ],
  }));
}

/** The folder of the last build's pages, if it's there. */
export function outputFolder({ output }: BuildRules, directory: string): string | undefined {
  return output === undefined ? undefined : resolve(directory, output);
}
