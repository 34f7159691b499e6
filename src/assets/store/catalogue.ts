import writeFileAtomic from 'write-file-atomic';
import { type Finding, isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import { waitForLock } from '../../storage/file-lock.ts';
import { parseOwner } from '../../storage/lease-owner.ts';
import { retryLockedFile } from '../../storage/retry-locked-file.ts';
import type { RenditionSource } from '../formats/rendition.ts';
import { assetVersion, type SourceReference, sourceKey } from '../formats/source.ts';
import {
  type CatalogueData,
  type CataloguedEntry,
  type CataloguedFile,
  type CataloguedLink,
  type CataloguedRecord,
  type CataloguedRendition,
  checkKey,
  digest,
  emptyCatalogue,
  entriesOf,
  formatCatalogue,
} from './catalogue-data.ts';
import { mergeCatalogues } from './merge-catalogues.ts';
import { cataloguePath, readCatalogueData } from './read-catalogue.ts';

/** The renditions that components have issued, and the sources that they're made from. */
export interface Catalogue {
  issueRendition(key: string, rendition: Omit<CataloguedRendition, 'lastUsed'>): void;
  issueLink(url: string, link: Omit<CataloguedLink, 'lastUsed'>): void;
  /** @param key of a rendition, or the service's own URL with `delivery: 'service'` */
  issueFile(key: string, file: Omit<CataloguedFile, 'lastUsed'>): void;
  rendition(key: string): CataloguedRendition | undefined;
  file(key: string): CataloguedFile | undefined;
  /** The entries for the service's own URLs of an asset. */
  links(service: string, id: number): (CataloguedLink | CataloguedFile)[];
  /** Records that a built file names a rendition or a file. */
  markUsed(key: string): void;
  /** Records that a built file contains the service's own URLs of an asset. */
  markLinksUsed(service: string, id: number): void;
  /** Records that the entries in use now are those of this build. */
  endBuild(): void;
  /** The sources of the last build's pages, by asset. */
  usedByLastBuild(service: string): Map<number, SourceReference[]>;
  /** The sources of this build's pages, by asset. */
  usedByThisBuild(service: string): Map<number, SourceReference[]>;
  /** When an asset was last checked with the service, in milliseconds since the epoch. */
  checkedAt(service: string, id: number): number | undefined;
  setChecked(service: string, id: number): void;
  record(service: string, id: number): CataloguedRecord | undefined;
  /** Renews the epoch if pages depend on what has changed. */
  setRecord(service: string, id: number, record: CataloguedRecord): void;
  drop(service: string, id: number): void;
  /**
   * Renews the epoch if assets of the last build have new versions.
   *
   * @param versionOf the present version of a source's asset; `undefined` if unknown
   */
  noteVersions(service: string, versionOf: (source: RenditionSource) => string | undefined): void;
  /** Changes whenever pages of an earlier build may show an outdated version. */
  epoch(): string;
  renewEpoch(): void;
  /** The entries that builds of the last 30 days have used, by rendition key or URL. */
  entries(): [key: string, entry: CataloguedEntry][];
  /**
   * Writes the catalogue, merged with entries that other processes have saved in the meantime.
   *
   * @throws `cache-unusable`, `catalogue-locked`
   */
  save(): Promise<void>;
}

/** How long saving waits for other processes, in ms. Each holds the lock only briefly. */
const lockTimeout = 30_000;

/** A lock expires if it isn't renewed for this long, in ms. */
const lockExpiry = 10_000;

/** Opens the catalogue of a cache folder. Replaces an invalid one, and reports that as a finding. */
export function openCatalogue({
  cacheDir,
  clock,
  onFinding,
}: {
  cacheDir: string;
  clock: () => number;
  onFinding: (finding: Finding) => void;
}): Catalogue {
  const path = cataloguePath(cacheDir);
  const startedAt = clock();
  const dropped = new Set<string>();
  let data = readOrBegin(onFinding);
  let epochRead = data.epoch;
  // Pages of this build may request assets before the new versions are known.
  const leftByLastBuild = usedSince(data.lastBuild);

  function usedSince(time: number): CataloguedEntry[] {
    return entriesOf(data).flatMap(([, entry]) => (entry.lastUsed >= time ? [entry] : []));
  }

  function readOrBegin(report: (finding: Finding) => void): CatalogueData {
    try {
      return readCatalogueData(cacheDir) ?? emptyCatalogue(startedAt);
    } catch (thrown) {
      if (!isMediaAssetError(thrown, 'catalogue-broken')) throw thrown;
      const { code, message, hint } = thrown;
      report({ code, severity: 'warning', place: path, message, hint });
      return emptyCatalogue(startedAt);
    }
  }

  function linksOf(service: string, id: number): (CataloguedLink | CataloguedFile)[] {
    const files = Object.values(data.files).filter(({ path }) => path === null);
    return [...Object.values(data.links), ...files].filter(
      ({ source: { reference } }) => reference.service === service && reference.id === id,
    );
  }

  function lastBuilt(service: string) {
    return leftByLastBuild.filter(({ source }) => source.reference.service === service);
  }

  function referencesOf(entries: readonly CataloguedEntry[], service: string) {
    const references = entries.map(({ source }) => source.reference);
    const own = references.filter((reference) => reference.service === service);
    const distinct = new Map(own.map((one) => [sourceKey(one), one]));
    return Map.groupBy(distinct.values(), ({ id }) => id);
  }

  /** The same changes renew the epoch once. Otherwise a page that isn't rendered would renew it each time. */
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
    usedByLastBuild: (service) => referencesOf(leftByLastBuild, service),
    usedByThisBuild: (service) => referencesOf(usedSince(startedAt), service),
    checkedAt: (service, id) => data.checks[checkKey(service, id)],
    setChecked(service, id) {
      data.checks[checkKey(service, id)] = clock();
      dropped.delete(checkKey(service, id));
    },
    record(service, id) {
      const key = checkKey(service, id);
      return Object.hasOwn(data.records, key) ? data.records[key] : undefined;
    },
    setRecord(service, id, record) {
      const key = checkKey(service, id);
      const known = data.records[key];
      data.records[key] = record;
      const isChanged = ([locale, outcome]: [string, string]) =>
        record.outcomes[locale] !== outcome;
      if (known && Object.entries(known.outcomes).some(isChanged))
        data.epoch = digest([data.epoch, key, record.outcomes]);
    },
    drop(service, id) {
      dropped.add(checkKey(service, id));
      delete data.checks[checkKey(service, id)];
      delete data.records[checkKey(service, id)];
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
    noteVersions(service, versionOf) {
      const changes = lastBuilt(service).flatMap(({ source }) => {
        const [shown, present] = [assetVersion(source), versionOf(source)];
        if (present === undefined || present === shown) return [];
        return `${sourceKey(source.reference)} ${shown} ${present}`;
      });
      noteChanges([...new Set(changes)].sort());
    },
    epoch: () => data.epoch,
    renewEpoch() {
      data.epoch = digest([data.epoch, clock()]);
    },
    entries: () => entriesOf(data),
    async save() {
      const locked = (lock: string | undefined) =>
        mediaAssetError('catalogue-locked', { path, owner: ownerText(lock) });
      const unusable = (cause: unknown) => mediaAssetError('cache-unusable', { path }, { cause });
      const lock = await waitForLock(
        {
          ...{ path: `${path}.lock`, clock, expiry: lockExpiry },
          ...{ busy: locked, lost: locked, unwritable: unusable },
        },
        lockTimeout,
      );
      try {
        const file = readOrBegin(() => {});
        data = mergeCatalogues({ file, epochRead, ours: data, dropped, now: clock() });
        await lock.renew();
        await retryLockedFile(() => writeFileAtomic(path, formatCatalogue(data)));
        epochRead = data.epoch;
      } catch (thrown) {
        throw isMediaAssetError(thrown) ? thrown : unusable(thrown);
      } finally {
        await lock.release();
      }
    },
  };
}

function ownerText(lock: string | undefined): string {
  const owner = lock === undefined ? undefined : parseOwner(lock);
  return owner ? `process ${owner.pid} on ${owner.host} since ${owner.time}` : 'another process';
}
