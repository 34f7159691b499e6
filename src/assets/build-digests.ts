import type { SourceKind } from './formats/source.ts';
import type { Records } from './records/records.ts';
import { type CheckContext, checkAsset, presentVersion } from './sources/check-asset.ts';
import { settleAll } from './sources/settle-all.ts';
import type { RecordOutcome } from './store/asset-facts.ts';

/** What pages depend on, by asset ID. A build leaves it, and `media-asset watch` compares it. */
export interface AssetDigests {
  readonly [id: string]: {
    /** The kind and the hash of the asset that pages show, or `refused`. */
    readonly source?: { readonly kind: SourceKind; readonly version: string } | undefined;
    /** What pages depend on in its record, by language. */
    readonly record?: Readonly<Record<string, RecordOutcome>> | undefined;
  };
}

/** Changes of records, the gravest first. */
const recordChanges = ['forbidden', 'allowed', 'ending', 'reworded'] as const;

/** Why pages that show the asset are out of date. */
export interface ChangedAsset {
  readonly id: number;
  readonly reason: 'replaced' | 'withdrawn' | 'returned' | (typeof recordChanges)[number];
  /** Why it may not be shown, or until when. */
  readonly detail: string | undefined;
}

/**
 * Digests what the pages of a build depend on. Sends no request.
 *
 * @param assets how pages use each asset; `undefined` if they only use its record
 */
export function digestAssets(
  context: CheckContext,
  assets: ReadonlyMap<number, SourceKind | undefined>,
): AssetDigests {
  const digests = Array.from(assets, ([id, kind]) => {
    const version = kind && presentVersion(context, id, kind);
    const source = kind && version ? { kind, version } : undefined;
    return [id, { source, record: context.records?.outcomes(id) }] as const;
  });
  return Object.fromEntries(digests);
}

/** Checks the assets of a build as the next build would: bytes and records, each change once. */
export async function changesSince(
  context: CheckContext,
  built: AssetDigests,
  onProgress: (done: number, total: number) => void,
): Promise<ChangedAsset[]> {
  const { sources, records } = context;
  const changes: ChangedAsset[] = [];
  const assets = Object.entries(built).map(([id, digest]) => ({ id: Number(id), ...digest }));
  const checkBytes = async ({ id, source }: (typeof assets)[number]) => {
    if (!source) return;
    const { version, failure } = await checkAsset(context, id, source.kind);
    if (failure) throw failure;
    if (version === source.version) return;
    const other = source.version === 'refused' ? 'returned' : 'replaced';
    changes.push({ id, reason: version === 'refused' ? 'withdrawn' : other, detail: undefined });
  };
  await Promise.all([
    settleAll(assets, checkBytes, onProgress),
    records?.prepare(assets.filter(({ record }) => record).map(({ id }) => id)),
  ]);
  await sources.confirmWithdrawals();
  const outage = sources.outage() ?? records?.outage();
  if (outage) throw outage;
  for (const { id, source, record } of assets) {
    const isRefused = sources.refusal(id) !== undefined || source?.version === 'refused';
    if (isRefused || !records || !record) continue;
    const change = await recordChange(records, id, record);
    if (change) changes.push({ id, ...change });
  }
  return changes.sort((one, other) => one.id - other.id);
}

/** The gravest change among the languages. */
async function recordChange(
  records: Records,
  id: number,
  built: NonNullable<AssetDigests[string]['record']>,
): Promise<Pick<ChangedAsset, 'reason' | 'detail'> | undefined> {
  const changes = Object.entries(built).map(async ([locale, before]) => {
    // An error that the build has met in a language that no page asks for isn't new.
    const known = await records.findAgain(id, locale).catch((thrown: unknown) => {
      if (records.outcomes(id)?.[locale]?.digest !== before.digest) throw thrown;
    });
    if (!known || records.outcomes(id)?.[locale]?.digest === before.digest) return undefined;
    const { state, until, reason } = known.verdict;
    const mayShow = state !== 'forbidden';
    if (before.mayShow && !mayShow) return { reason: 'forbidden', detail: reason } as const;
    if (!before.mayShow && mayShow) return { reason: 'allowed', detail: undefined } as const;
    return state === 'ending' && until !== before.until
      ? ({ reason: 'ending', detail: until } as const)
      : ({ reason: 'reworded', detail: undefined } as const);
  });
  const found = (await Promise.all(changes)).filter((change) => change !== undefined);
  return recordChanges.flatMap((reason) => found.find((one) => one.reason === reason) ?? [])[0];
}
