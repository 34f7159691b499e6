import { join } from 'node:path';
import { z } from 'zod';
import { digest } from '../../storage/digest.ts';
import { pixelVersion } from '../formats/rendition-url.ts';
import { assetVersion, type SourceKind } from '../formats/source.ts';
import { type Issued, kindOf, outcomeSchema } from './asset-facts.ts';
import { serviceFolder, serviceFolders } from './asset-folder.ts';
import type { AssetStore } from './asset-store.ts';
import { readCachedJson, writeCachedJson } from './cached-json.ts';

/** What the pages of a build depend on in an asset. */
const dependenceSchema = z.object({
  kind: z.enum(['original', 'file']),
  /** The hashes of the versions that pages show. More than one if it changed during the build. */
  shown: z.array(z.string()),
  /** By language, what they depend on in its record. */
  outcomes: z.record(z.string(), outcomeSchema).optional(),
});
type Dependence = z.output<typeof dependenceSchema>;

/** The content of `last-build.json` in a service's folder. */
const lastBuildSchema = z.object({
  version: z.literal(2),
  service: z.string(),
  /** In milliseconds since the epoch. */
  savedAt: z.number(),
  /** Changes when pages were rendered with something that the service no longer has. */
  epoch: z.string(),
  /** A digest of the last changes that renewed the epoch. */
  changes: z.string(),
  /** The version of the pixels that it made. */
  pixels: z.number().optional(),
  /** By asset ID. */
  assets: z.record(z.string(), dependenceSchema),
});

/** Opens the list of the last build's assets. One that's missing or damaged begins a new epoch. */
export function openLastBuild(place: {
  cacheDir: string;
  service: string;
  store: Pick<AssetStore, 'facts'>;
  clock: () => number;
}) {
  const { cacheDir, service, store, clock } = place;
  const path = join(serviceFolder(cacheDir, service), fileName);
  const found = readCachedJson(path, lastBuildSchema) ?? {
    ...{ version: 2 as const, service, savedAt: clock() },
    ...{ epoch: digest(['begun', clock()]), changes: '', assets: {} },
  };
  let { epoch, changes } = found;

  function dependence([id, issued]: readonly [number, readonly Issued[]]): [number, Dependence] {
    const shown = [...new Set(issued.map(({ source }) => assetVersion(source)))].sort();
    return [id, { kind: kindOf(issued), shown, outcomes: store.facts(id).record?.outcomes }];
  }

  return {
    /** By ID. */
    assets: new Map(Object.entries(found.assets).map(([id, one]) => [Number(id), one])),
    pixels: found.pixels,
    /** Changes whenever pages of an earlier build may show an outdated version. */
    epoch: () => epoch,
    renewEpoch(): void {
      epoch = digest([epoch, clock()]);
    },
    /**
     * Renews the epoch if assets have changed since the last build. The same changes renew it once:
     * otherwise a page that isn't rendered again would renew it each time.
     */
    compare(versionOf: (id: number, kind: SourceKind) => string | undefined): void {
      const changed = Object.entries(found.assets).flatMap(
        ([id, { kind, shown, outcomes = {} }]) => {
          const present = versionOf(Number(id), kind) ?? 'absent';
          const others = shown.filter((version) => version !== present);
          const { record } = store.facts(Number(id));
          const reworded = Object.entries(outcomes).flatMap(([locale, outcome]) => {
            const now = record?.outcomes[locale]?.digest;
            return now === outcome.digest ? [] : `${locale} ${now}`;
          });
          return others.length + reworded.length > 0 ? [[id, others, present, reworded]] : [];
        },
      );
      const before = changes;
      changes = changed.length === 0 ? '' : digest(changed);
      if (changes === '' || changes === before) return;
      epoch = digest([epoch, changes]);
    },
    /** Until `save`, the next build begins a new epoch: pages of this one can name what no one remembers. */
    begin: () => writeCachedJson(path, { ...found, epoch: digest([epoch, clock()]) }),
    /** @param used what the pages of this build name, by asset */
    save(used: ReadonlyMap<number, readonly Issued[]>): Promise<void> {
      const assets = Object.fromEntries(Array.from(used, dependence));
      const own = { epoch, changes, pixels: pixelVersion, assets, savedAt: clock() };
      return writeCachedJson(path, { ...found, ...own });
    },
  };
}

/** The service of the last build; `undefined` if none is known. */
export function lastService(cacheDir: string): string | undefined {
  try {
    const saved = serviceFolders(cacheDir).flatMap(
      (folder) => readCachedJson(join(folder, fileName), lastBuildSchema) ?? [],
    );
    return saved.sort((one, other) => other.savedAt - one.savedAt)[0]?.service;
  } catch {
    // Using the cache reports what is wrong with it.
    return undefined;
  }
}

const fileName = 'last-build.json';
