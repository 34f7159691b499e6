import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { AstroConfig } from 'astro';
import type { EarlierBuild } from '../../assets/assets-options.ts';
import { fileDigest, parseRenditionUrl, renditionKey } from '../../assets/formats/rendition-url.ts';
import { type KeptFacts, keptFactsSchema } from '../../assets/store/asset-facts.ts';
import type { ResolvedOptions } from '../../config/options.ts';
import { type Finding, isMediaAssetError, toFinding } from '../../errors/errors.ts';
import { type Seal, seal, unseal } from '../../storage/seal.ts';
import { serviceName, siteUrl } from '../../usage/ledger/ledger-identity.ts';
import { openStateStore } from '../../usage/ledger/open-state-store.ts';
import { loadHistory, type PublicationHistory } from '../../usage/ledger/publication-history.ts';
import { assetsPrefixes } from './rendition-locations.ts';

/** Opens what a site's last reported build has left: facts of originals, and live renditions. */
export function openEarlierBuild(opened: {
  site: string;
  config: Pick<AstroConfig, 'root' | 'base'> & {
    build: Pick<AstroConfig['build'], 'assetsPrefix'>;
  };
  options: Pick<ResolvedOptions, 'report' | 'service'>;
  /** The base URL of the service. */
  service: string;
  onFinding: (finding: Finding) => void;
}): EarlierBuild {
  const { site, service, onFinding } = opened;
  const { root, base, build } = opened.config;
  const { report, service: access } = opened.options;
  const identity = { service, site, base };
  const own = siteUrl(identity);
  /** The URLs that pages link images below, each with a slash at its end. */
  const roots = Object.values(assetsPrefixes(build)).map(
    (prefix) => `${new URL(prefix || own, own).href.replace(/\/+$/, '')}/`,
  );

  async function load() {
    const place = { store: report.store, root: fileURLToPath(root), identity };
    const store = openStateStore({ ...place, kind: 'history' });
    const kept = await loadHistory(store, serviceName(service)).catch((error: unknown) => {
      if (!isMediaAssetError(error)) throw error;
      // A report fails with the same error. Until then, the build only takes longer.
      onFinding(toFinding('warning', error));
    });
    const { history = [], originals } = kept ?? {};
    const { sealed } = originals?.[own] ?? {};
    return { history, originals: await unsealOriginals(sealed, sealOf(access, service)) };
  }

  let loading: ReturnType<typeof load> | undefined;
  const loadOnce = () => {
    loading ??= load();
    return loading;
  };

  return {
    originals: async () => (await loadOnce()).originals,
    async renditions() {
      const { history, originals } = await loadOnce();
      const published = renditionsBelow(roots, history);
      const built = Object.values(originals).flatMap(({ renditions }) =>
        Object.entries(renditions),
      );
      // Another step may have compressed the file. If it's taken, that step compresses it again.
      const entries = built.flatMap(([key, hash]) => {
        const file = published.get(key);
        return file?.hash.startsWith(hash) ? [[key, file] as const] : [];
      });
      return new Map(entries);
    },
  };
}

/** The renditions below these URLs, by key. Of several names, the one that was published last. */
function renditionsBelow(roots: readonly string[], history: PublicationHistory) {
  const newest = new Map<string, PublicationHistory[number]>();
  for (const one of history) {
    const address = one.kind === 'file' && one.hash ? parseRenditionUrl(one.url) : undefined;
    if (!address || address.digest === fileDigest) continue;
    if (!roots.some((root) => one.url.startsWith(root))) continue;
    const key = renditionKey(address);
    const known = newest.get(key);
    if (!known || known.last < one.last) newest.set(key, one);
  }
  return newest;
}

type SealAccess = ResolvedOptions['service'];

const deflate = promisify<Uint8Array, Buffer>(deflateRaw);
const inflate = promisify<Uint8Array, Buffer>(inflateRaw);

/**
 * Seals what a build knew of originals, because anyone can read the caches of public repositories.
 * `undefined` without a secret that later builds have too.
 */
export async function sealOriginals(
  originals: KeptFacts,
  { access, service }: { access: SealAccess; service: string },
): Promise<string | undefined> {
  const own = sealOf(access, service);
  return own && seal(await deflate(Buffer.from(JSON.stringify(originals))), own);
}

/** Nothing if it was sealed with another secret, or by another version. */
async function unsealOriginals(
  sealed: string | undefined,
  own: Seal | undefined,
): Promise<KeptFacts> {
  if (sealed === undefined || !own) return {};
  const bytes = await unseal(sealed, own).catch(() => undefined);
  if (!bytes) return {};
  const { data } = keptFactsSchema.safeParse(JSON.parse(String(await inflate(bytes))));
  return data ?? {};
}

/** Another service's originals can't take the place of these. */
function sealOf({ clientSecret }: SealAccess, service: string): Seal | undefined {
  const purpose = `astro-media-asset originals 1 ${serviceName(service)}`;
  return clientSecret ? { secret: clientSecret, purpose } : undefined;
}
