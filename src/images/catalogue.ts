import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { type Finding, isMediaAssetError, mediaAssetError } from '../errors.ts';
import { outlastHold } from '../storage/outlast-hold.ts';
import {
  type CatalogueData,
  type CataloguedEntry,
  type CataloguedFile,
  type CataloguedLink,
  type CataloguedRendition,
  checkKey,
  digest,
  emptyCatalogue,
  formatCatalogue,
} from './catalogue-data.ts';
import { mergeCatalogues } from './merge-catalogues.ts';
import {
  type CatalogueItem,
  catalogueItems,
  cataloguePath,
  readCatalogueData,
} from './read-catalogue.ts';
import { type SourceReference, sourceKey } from './source.ts';

export { type CatalogueItem, readCatalogue } from './read-catalogue.ts';

/** The renditions that components have issued, with what each was made from. */
export interface Catalogue {
  issueRendition(key: string, rendition: Omit<CataloguedRendition, 'lastUsed'>): void;
  issueLink(url: string, link: Omit<CataloguedLink, 'lastUsed'>): void;
  /** @param key of a rendition, or the URL where the service delivers */
  issueFile(key: string, file: Omit<CataloguedFile, 'lastUsed'>): void;
  rendition(key: string): CataloguedRendition | undefined;
  file(key: string): CataloguedFile | undefined;
  /** What pages may carry for an asset by addresses of the service. */
  links(service: string, id: number): (CataloguedLink | CataloguedFile)[];
  /** Notes that a built file names a rendition or a file. */
  markUsed(key: string): void;
  /** Notes that a built file carries addresses of the service for an asset. */
  markLinksUsed(service: string, id: number): void;
  /** Notes that what is in use now is what this build shows. */
  endBuild(): void;
  /** The sources that the last build's pages were made from, by asset. */
  usedByLastBuild(service: string): Map<number, SourceReference[]>;
  /** When an asset was last checked with the service; milliseconds since the epoch. */
  checkedAt(service: string, id: number): number | undefined;
  setChecked(service: string, id: number): void;
  /** Whether the crops of a service and setting are known to be right. */
  isProven(key: string): boolean;
  setProven(key: string): void;
  /** Forgets a withdrawn asset, for good in this run. */
  drop(service: string, id: number): void;
  /**
   * Takes in which versions of the last build's sources are no longer the service's.
   *
   * @param hashOf the hash of the version in the cache; `undefined` where there is none
   */
  noteVersions(service: string, hashOf: (reference: SourceReference) => string | undefined): void;
  /** Changes whenever pages of an earlier build may show a version that is out of date. */
  epoch(): string;
  renewEpoch(): void;
  items(): CatalogueItem[];
  /** @throws `cache-unusable` */
  save(): Promise<void>;
}

/** The catalogue of a cache folder. One that cannot be read is begun anew, which is said. */
export function openCatalogue({
  cacheDir,
  clock,
  onFinding,
}: {
  cacheDir: string;
  clock: () => number;
  onFinding: (finding: Finding) => void;
}): Catalogue {
  const startedAt = clock();
  const dropped = new Set<string>();
  let read = readOrBegin(onFinding);
  let data: CatalogueData = structuredClone(read);

  function readOrBegin(report: (finding: Finding) => void): CatalogueData {
    try {
      return readCatalogueData(cacheDir) ?? emptyCatalogue(startedAt);
    } catch (thrown) {
      if (!isMediaAssetError(thrown, 'catalogue-broken')) throw thrown;
      const { code, message, hint } = thrown;
      report({ code, severity: 'warning', place: cataloguePath(cacheDir), message, hint });
      return emptyCatalogue(startedAt);
    }
  }

  function issued(): CataloguedEntry[] {
    return [data.renditions, data.links, data.files].flatMap((entries) => Object.values(entries));
  }

  function linksOf(service: string, id: number): (CataloguedLink | CataloguedFile)[] {
    const files = Object.values(data.files).filter(({ path }) => path === null);
    return [...Object.values(data.links), ...files].filter(
      ({ source: { reference } }) => reference.service === service && reference.id === id,
    );
  }

  function lastBuilt(service: string) {
    return issued().filter(
      ({ source, lastUsed }) => lastUsed >= data.lastBuild && source.reference.service === service,
    );
  }

  /** The same changes count once: a page that stays as it is must not renew all others each time. */
  function noteChanges(changes: readonly string[]): void {
    const noted = digest(changes);
    if (changes.length === 0 || noted === data.changes) return;
    data.epoch = digest([data.epoch, noted]);
    data.changes = noted;
  }

  return {
    issueRendition(key, rendition) {
      data.renditions[key] = { ...rendition, lastUsed: clock() };
    },
    issueLink(url, link) {
      data.links[url] = { ...link, lastUsed: clock() };
    },
    issueFile(key, file) {
      data.files[key] = { ...file, lastUsed: clock() };
    },
    rendition: (key) => (Object.hasOwn(data.renditions, key) ? data.renditions[key] : undefined),
    file: (key) => (Object.hasOwn(data.files, key) ? data.files[key] : undefined),
    links: linksOf,
    markUsed(key) {
      const entry = data.renditions[key] ?? data.files[key];
      if (entry) entry.lastUsed = clock();
    },
    markLinksUsed(service, id) {
      for (const link of linksOf(service, id)) link.lastUsed = clock();
    },
    endBuild() {
      data.lastBuild = startedAt;
    },
    usedByLastBuild(service) {
      const references = lastBuilt(service).map(({ source }) => source.reference);
      const distinct = new Map(references.map((one) => [sourceKey(one), one]));
      return Map.groupBy(distinct.values(), ({ id }) => id);
    },
    checkedAt: (service, id) => data.checks[checkKey(service, id)],
    setChecked(service, id) {
      data.checks[checkKey(service, id)] = clock();
    },
    isProven: (key) => Object.hasOwn(data.crops, key),
    setProven(key) {
      data.crops[key] = clock();
    },
    drop(service, id) {
      dropped.add(checkKey(service, id));
      delete data.checks[checkKey(service, id)];
      const withdrawn: string[] = [];
      for (const entries of [data.renditions, data.links, data.files])
        for (const [key, { source }] of Object.entries(entries)) {
          const { reference } = source;
          if (reference.service !== service || reference.id !== id) continue;
          delete entries[key];
          withdrawn.push(`${key} withdrawn`);
        }
      noteChanges(withdrawn.sort());
    },
    noteVersions(service, hashOf) {
      const changes = lastBuilt(service)
        .map(({ source }) => [sourceKey(source.reference), source.hash, hashOf(source.reference)])
        .filter(([, shown, current]) => current !== undefined && current !== shown)
        .map((change) => change.join(' '))
        .sort();
      noteChanges(changes);
    },
    epoch: () => data.epoch,
    renewEpoch() {
      data.epoch = digest([data.epoch, clock()]);
    },
    items: () => catalogueItems(data),
    async save() {
      const path = cataloguePath(cacheDir);
      const file = readOrBegin(() => {});
      const ours = data;
      data = mergeCatalogues({
        file,
        read,
        ours,
        dropped: (service, id) => dropped.has(checkKey(service, id)),
        now: clock(),
      });
      read = structuredClone(data);
      try {
        mkdirSync(dirname(path), { recursive: true });
        const text = formatCatalogue(data);
        await outlastHold(() => writeFileAtomic(path, text));
      } catch (cause) {
        throw mediaAssetError('cache-unusable', { path }, { cause });
      }
    },
  };
}
