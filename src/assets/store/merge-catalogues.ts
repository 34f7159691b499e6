import { longestUnused } from './asset-store.ts';
import {
  type CatalogueData,
  type CataloguedEntry,
  catalogueVersion,
  checkKey,
  digest,
} from './catalogue-data.ts';

/**
 * Merges this process's catalogue with entries that others have written since it read the file.
 *
 * @param epochRead the file's epoch when this process read it
 * @param dropped keys of assets that were withdrawn in this run and must not come back
 * @param now in milliseconds since the epoch
 */
export function mergeCatalogues({
  file,
  epochRead,
  ours,
  dropped,
  now,
}: {
  file: CatalogueData;
  epochRead: string;
  ours: CatalogueData;
  dropped: ReadonlySet<string>;
  now: number;
}): CatalogueData {
  const oldest = now - longestUnused;
  const isEntryKept = ({ source: { reference }, lastUsed }: CataloguedEntry) =>
    lastUsed >= oldest && !dropped.has(checkKey(reference.service, reference.id));
  const mergeEntries = <T extends CataloguedEntry>(
    pick: (data: CatalogueData) => Record<string, T>,
  ) =>
    mergeNewest([pick(file), pick(ours)], {
      timeOf: ({ lastUsed }) => lastUsed,
      isKept: isEntryKept,
    });
  return {
    version: catalogueVersion,
    ...mergeEpochs(file, epochRead, ours),
    lastBuild: Math.max(file.lastBuild, ours.lastBuild),
    checks: mergeNewest([file.checks, ours.checks], {
      timeOf: (time) => time,
      isKept: (time, key) => time >= oldest && !dropped.has(key),
    }),
    renditions: mergeEntries((data) => data.renditions),
    links: mergeEntries((data) => data.links),
    files: mergeEntries((data) => data.files),
    records: mergeNewest([file.records, ours.records], {
      timeOf: ({ checkedAt }) => checkedAt,
      isKept: ({ checkedAt }, key) => checkedAt >= oldest && !dropped.has(key),
    }),
  };
}

function mergeEpochs(
  file: CatalogueData,
  epochRead: string,
  ours: CatalogueData,
): Pick<CatalogueData, 'epoch' | 'changes'> {
  if (ours.epoch === file.epoch || file.epoch === epochRead) return pickEpoch(ours);
  if (ours.epoch === epochRead) return pickEpoch(file);
  return {
    epoch: digest([file.epoch, ours.epoch].sort()),
    changes: digest([file.changes, ours.changes].sort()),
  };
}

function pickEpoch({ epoch, changes }: CatalogueData) {
  return { epoch, changes };
}

function mergeNewest<T>(
  [file, ours]: readonly [file: Readonly<Record<string, T>>, ours: Readonly<Record<string, T>>],
  {
    timeOf,
    isKept,
  }: {
    timeOf: (value: NoInfer<T>) => number;
    isKept: (value: NoInfer<T>, key: string) => boolean;
  },
): Record<string, T> {
  const merged = new Map(Object.entries(file));
  for (const [key, value] of Object.entries(ours)) {
    const other = merged.get(key);
    if (other === undefined || timeOf(value) >= timeOf(other)) merged.set(key, value);
  }
  return Object.fromEntries([...merged].filter(([key, value]) => isKept(value, key)));
}
