import { mkdirSync } from 'node:fs';
import writeFileAtomic from 'write-file-atomic';
import { type Finding, finding, isMediaAssetError, mediaAssetError } from '../errors.ts';
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
import { lockCatalogue } from './lock-catalogue.ts';
import { mergeCatalogues } from './merge-catalogues.ts';
import {
  type CatalogueItem,
  catalogueItems,
  cataloguePath,
  readCatalogueData,
} from './read-catalogue.ts';
import type { RenditionSource } from './rendition.ts';
import { assetVersion, type SourceReference, sourceKey } from './source.ts';

export { readCatalogue } from './read-catalogue.ts';

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
  /** Forgets a withdrawn asset. */
  drop(service: string, id: number): void;
  /**
   * Takes in which of the last build's assets have another version now.
   *
   * @param versionOf the present version of a source's asset; `undefined` if it isn't known
   */
  noteVersions(service: string, versionOf: (source: RenditionSource) => string | undefined): void;
  /** Changes whenever pages of an earlier build may show a version that is out of date. */
  epoch(): string;
  renewEpoch(): void;
  items(): CatalogueItem[];
  /** What builds of the last 30 days have used, by the keys of renditions and the URLs of links. */
  entries(): [key: string, entry: CataloguedEntry][];
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
  const path = cataloguePath(cacheDir);
  const startedAt = clock();
  const dropped = new Set<string>();
  let data = readOrBegin(onFinding);
  let epochRead = data.epoch;
  // This build's pages may ask for assets before their versions are noted.
  const leftByLastBuild = entries()
    .map(([, entry]) => entry)
    .filter(({ lastUsed }) => lastUsed >= data.lastBuild);

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

  function entries(): [string, CataloguedEntry][] {
    return [data.renditions, data.links, data.files].flatMap((kind) => Object.entries(kind));
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

  /** The same changes count once: a page that stays as it is must not renew all others each time. */
  function noteChanges(changes: readonly string[]): void {
    const noted = digest(changes);
    if (changes.length === 0 || noted === data.changes) return;
    data.epoch = digest([data.epoch, noted]);
    data.changes = noted;
  }

  /** Takes in what others have written. */
  function takeInOthers(): void {
    data = mergeCatalogues({
      file: readOrBegin(() => {}),
      epochRead,
      ours: data,
      dropped: (service, id) => dropped.has(checkKey(service, id)),
      now: clock(),
    });
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
      dropped.delete(checkKey(service, id));
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
    items: () => catalogueItems(data),
    entries,
    async save() {
      const problem = await lockCatalogue({ path, clock }, async (isOurs) => {
        takeInOthers();
        const text = formatCatalogue(data);
        const { epoch } = data;
        if (!(await isOurs())) return false;
        try {
          mkdirSync(cacheDir, { recursive: true });
          await outlastHold(() => writeFileAtomic(path, text));
        } catch (cause) {
          throw mediaAssetError('cache-unusable', { path }, { cause });
        }
        epochRead = epoch;
        return true;
      });
      if (problem) onFinding(finding('warning', 'catalogue-unlocked', path, { path, problem }));
    },
  };
}
