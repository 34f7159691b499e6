import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import pLimit from 'p-limit';
import { fileDigest, parseRenditionUrl } from '../../assets/formats/rendition-url.ts';
import { basePath } from '../../scan/page-url.ts';
import type { SiteScan } from '../../scan/scan-site.ts';
import type { BuildRules } from '../build-rules.ts';
import type { Publication, PublishedUrl } from './publication-history.ts';

const filesAtOnce = 8;

/** Hexadecimal digits of a hash. */
const hashLength = 32;

/**
 * Finds what a build publishes: each of our files in its output, at all URLs that a host can serve it
 * from, and every URL on its pages that names an asset.
 *
 * @param dir the output folder, absolute
 * @param scan of the same folder
 */
export async function readPublication(
  dir: string,
  { site, base, assetsPrefixes = [], stamp, startedAt }: BuildRules,
  { pages, links }: Pick<SiteScan, 'pages' | 'links'>,
): Promise<Publication> {
  const roots = [basePath(base), ...assetsPrefixes].map(
    (root) => new URL(`${root.replace(/\/+$/, '')}/`, site).href,
  );
  const pattern = ['**/media-asset/**', ...(stamp ? [fastGlob.escapePath(stamp)] : [])];
  const found = await fastGlob(pattern, { cwd: dir, dot: true, followSymbolicLinks: false });
  const files = await pLimit(filesAtOnce).map(found.sort(), async (file) => {
    const address = parseRenditionUrl(file);
    if (!address && file !== stamp) return [];
    // A file that is published unchanged can be large, and its URL already has a part of its hash.
    const hash =
      address?.digest === fileDigest
        ? address.sourceHash
        : createHash('sha256')
            .update(await readFile(join(dir, file)))
            .digest('hex')
            .slice(0, hashLength);
    const [kind, id] = address ? (['file', address.id] as const) : (['stamp', 0] as const);
    const path = encodeURI(file).replace(/[?#]/g, encodeURIComponent);
    return roots.map((root) => ({ kind, url: root + path, id, hash }));
  });
  const linked = Array.from(
    links,
    ([url, id]): PublishedUrl => ({ kind: 'file', url, id, hash: '' }),
  );
  const shown = pages.flatMap(({ page, assets }) =>
    assets.map((id): PublishedUrl => ({ kind: 'page', url: page, id, hash: '' })),
  );
  const build = new Date(startedAt ?? Date.now()).toISOString();
  // A link to one of the files has no hash.
  return { build, urls: [...linked, ...files.flat(), ...shown] };
}
