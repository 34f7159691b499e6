import { isDeepStrictEqual } from 'node:util';
import { type Finding, mediaAssetError } from '../errors/errors.ts';
import { createRecordReader } from '../service/read-records.ts';
import type { MediaService } from '../service/types.ts';
import type { FileRules } from './files/file-rules.ts';
import { fileOf, originalOf } from './formats/source.ts';
import { type RecordRule, type RightsRule, readKnownRecord } from './records/records.ts';
import type { Verdict } from './records/verdict.ts';
import { isAssetFailure } from './sources/asset-errors.ts';
import { settleAll } from './sources/check-used.ts';
import { createCircuitBreaker } from './sources/circuit-breaker.ts';
import { createSourceFetcher } from './sources/fetch-source.ts';
import { createRefusals } from './sources/refusals.ts';
import { openAssetStore } from './store/asset-store.ts';
import { openCatalogue } from './store/catalogue.ts';
import { type CatalogueData, type CataloguedRecord, checkKey } from './store/catalogue-data.ts';
import { knownFolders, readCatalogueData } from './store/read-catalogue.ts';

/** Why the site should be built again. */
export interface AssetChange {
  readonly id: number;
  readonly name: string | undefined;
  readonly reason: 'replaced' | 'withdrawn' | 'reworded' | 'forbidden' | 'ending' | 'allowed';
  /** The fields that were reworded, the last day of the rights, or what is wrong. */
  readonly detail: string | undefined;
}

export interface WatchedAssets {
  /** The number of assets that were compared. */
  readonly assets: number;
  /** Assets whose original isn't in the cache, so that it can't be compared. */
  readonly uncached: readonly number[];
  /** When the last build started, in ms since the epoch. */
  readonly builtAt: number;
  /** Sorted by asset. */
  readonly changes: readonly AssetChange[];
}

/**
 * Compares the service with what the last build has seen: one conditional request for each asset, and
 * the records with as few requests as a build needs. New originals enter the cache. The catalogue
 * stays as the build left it, so the changes are found again until the site was built.
 *
 * @throws `build-unknown`; `service-refuses-all`; `record-invalid`; `catalogue-broken`; errors of the
 * service
 */
export async function watchAssets(
  service: MediaService,
  options: {
    readonly cacheDir: string;
    /** How the site reads records. @default records aren't compared */
    readonly record?: RecordRule | undefined;
    readonly rights: Pick<RightsRule, 'unknown' | 'warnDays'>;
    readonly files?: FileRules | undefined;
    readonly clock: () => number;
    readonly onFinding: (finding: Finding) => void;
    readonly onProgress: (done: number, total: number) => void;
  },
): Promise<WatchedAssets> {
  const { cacheDir, clock, onFinding, onProgress, files = {} } = options;
  const { baseUrl } = service;
  const data = readCatalogueData(cacheDir);
  const catalogue = openCatalogue({ cacheDir, clock, onFinding });
  const used = catalogue.usedByLastBuild(baseUrl);
  if (!data || data.lastBuild === 0) throw mediaAssetError('build-unknown', { path: cacheDir });
  const store = openAssetStore(cacheDir, 'build');
  const refusals = createRefusals({ service, holds: Number.POSITIVE_INFINITY, clock });
  const breaker = createCircuitBreaker(1);
  const fetcher = createSourceFetcher({
    ...{ service, store, catalogue, clock, files, breaker, refusals },
  });
  const versions = new Map<number, string>();
  /** Assets whose new version can't be used, with the reason. */
  const broken = new Map<number, string>();
  const uncached: number[] = [];
  let done = 0;

  async function check(id: number): Promise<void> {
    const cached =
      (await store.find(originalOf(baseUrl, id))) ?? (await store.find(fileOf(baseUrl, id)));
    if (!cached) {
      uncached.push(id);
    } else {
      if (breaker.failure) throw breaker.failure;
      const fetched = fetcher.fetch(cached.reference, { cached, signal: breaker.signal });
      const found = await fetched.catch((thrown: unknown) => {
        if (refusals.get(id)) return;
        if (!isAssetFailure(thrown)) throw thrown;
        broken.set(id, thrown.message);
      });
      if (found) versions.set(id, found.hash);
    }
    done += 1;
    onProgress(done, used.size);
  }

  const [records] = await Promise.all([
    changedRecords(service, { ...options, data, used }),
    settleAll([...used.keys()], check),
  ]);
  const withdrawn = await refusals.confirmWithdrawals({ isOnly: true });
  const replaced = catalogue.noteVersions(baseUrl, ({ reference }) => versions.get(reference.id));
  const names = store.names();
  const changes = [
    ...withdrawn.map((id) => ({ id, reason: 'withdrawn' as const })),
    ...replaced.map((id) => ({ id, reason: 'replaced' as const })),
    ...Array.from(broken, ([id, detail]) => ({ id, reason: 'replaced' as const, detail })),
    ...records.filter(({ id }) => !withdrawn.includes(id)),
  ];
  return {
    assets: used.size - uncached.length,
    uncached,
    builtAt: data.lastBuild,
    changes: changes
      .map((change) => ({ name: names[change.id], detail: undefined, ...change }))
      .sort((one, other) => one.id - other.id),
  };
}

/** Compares the records that the last build has read with those of today. */
async function changedRecords(
  service: MediaService,
  {
    data,
    used,
    cacheDir,
    record: rule,
    rights,
    clock,
  }: Pick<Parameters<typeof watchAssets>[1], 'cacheDir' | 'record' | 'rights' | 'clock'> & {
    data: CatalogueData;
    used: ReadonlyMap<number, unknown>;
  },
): Promise<Omit<AssetChange, 'name'>[]> {
  if (!rule) return [];
  const asked = rule.fields.join(',');
  const { baseUrl } = service;
  const read = Object.entries(data.records).flatMap(([key, record]) => {
    const id = Number(key.slice(baseUrl.length + 1));
    // Hidden assets aren't used. In an outage, a build uses records that it couldn't check.
    const isOfBuild = used.has(id) || record.checkedAt >= data.lastBuild;
    const isComparable = key === checkKey(baseUrl, id) && record.asked === asked;
    return isOfBuild && isComparable ? [{ id, fields: record.fields }] : [];
  });
  const reader = createRecordReader(service, {
    fields: rule.fields,
    folders: knownFolders(cacheDir, baseUrl),
  });
  const found = await reader.read(read.map(({ id }) => id));

  const stateOf = (id: number, fields: CataloguedRecord['fields'], now: number) =>
    readKnownRecord(rule, { id, fields, now, rights }).verdict;
  return read.flatMap(({ id, fields }): Omit<AssetChange, 'name'>[] => {
    const fresh = found.get(id)?.record.fields ?? null;
    const before = stateOf(id, fields, data.lastBuild);
    const after = stateOf(id, fresh, clock());
    const reason = stateChange(before.state, after.state);
    if (reason) return [{ id, reason, detail: reason === 'ending' ? after.until : after.reason }];
    const reworded = rewordedFields(fields, fresh);
    return reworded ? [{ id, reason: 'reworded', detail: reworded }] : [];
  });
}

function stateChange(before: Verdict['state'], after: Verdict['state']) {
  if (before === after) return undefined;
  if (after === 'forbidden' || after === 'ending') return after;
  return before === 'forbidden' ? ('allowed' as const) : undefined;
}

/** The names of the fields with other values. */
function rewordedFields(
  before: CataloguedRecord['fields'],
  after: CataloguedRecord['fields'],
): string | undefined {
  const names = new Set(Object.keys({ ...before, ...after }));
  const changed = [...names].filter((name) => !isDeepStrictEqual(before?.[name], after?.[name]));
  return changed.join(', ') || undefined;
}
