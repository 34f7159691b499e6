import { longestUnused } from './asset-store.ts';
import {
  type CatalogueData,
  type CataloguedEntry,
  catalogueVersion,
  digest,
} from './catalogue-data.ts';

/**
 * Joins what this process knows with what others have written since it read the file.
 *
 * @param epochRead the epoch of the file as this process read it
 * @param dropped whether an asset was withdrawn in this run: it doesn't come back
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
  dropped: (service: string, id: number) => boolean;
  /** Milliseconds since the epoch. */
  now: number;
}): CatalogueData {
  const oldest = now - longestUnused;
  const isKept = ({
    source: {
      reference: { service, id },
    },
    lastUsed,
  }: CataloguedEntry) => lastUsed >= oldest && !dropped(service, id);
  const isAssetKept = (time: number, key: string) => {
    const separator = key.lastIndexOf('|');
    const [service, id] = [key.slice(0, separator), Number(key.slice(separator + 1))];
    return time >= oldest && !dropped(service, id);
  };
  return {
    version: catalogueVersion,
    ...mergeEpochs(file, epochRead, ours),
    lastBuild: Math.max(file.lastBuild, ours.lastBuild),
    checks: keep(
      mergeNewest(file.checks, ours.checks, (time) => time),
      isAssetKept,
    ),
    renditions: keep(
      mergeNewest(file.renditions, ours.renditions, ({ lastUsed }) => lastUsed),
      isKept,
    ),
    links: keep(
      mergeNewest(file.links, ours.links, ({ lastUsed }) => lastUsed),
      isKept,
    ),
    files: keep(
      mergeNewest(file.files, ours.files, ({ lastUsed }) => lastUsed),
      isKept,
    ),
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
  file: Readonly<Record<string, T>>,
  ours: Readonly<Record<string, T>>,
  timeOf: (value: T) => number,
): Record<string, T> {
  const merged = { ...file };
  for (const [key, value] of Object.entries(ours)) {
    const other = merged[key];
    if (other === undefined || timeOf(value) >= timeOf(other)) merged[key] = value;
  }
  return merged;
}

function keep<T>(
  entries: Readonly<Record<string, T>>,
  isKept: (value: NoInfer<T>, key: string) => boolean,
): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).filter(([key, value]) => isKept(value, key)));
}
