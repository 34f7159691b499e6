import { describe, type Finding, finding, MediaAssetError } from '../../errors/errors.ts';
import { type AssetRecord, noRecord } from './asset-record.ts';
import type { KnownRecord, Records } from './records.ts';
import type { RightsState } from './rights-state.ts';

/** What happens to assets on pages that may not be shown, or whose rights are unknown or end soon. */
export interface RightsRule {
  /** `warn` shows forbidden assets. `fail` and `hide` leave them out, and the build decides. */
  readonly forbidden: 'fail' | 'hide' | 'warn';
  readonly unknown: 'allow' | 'warn' | 'forbid';
  /** Days before the end of an asset's rights at which builds start to warn. */
  readonly warnDays: number;
}

/** An asset on pages, and what its record says. */
export interface AssetRights {
  readonly id: number;
  readonly state: RightsState;
  /** The last day on which it may be shown, in UTC: `2026-12-31`. */
  readonly until: string | undefined;
  /** Why pages may not show it, if the record doesn't simply forbid it: `rights ended on 2026-01-31`. */
  readonly reason: string | undefined;
  /** Whether the service lists the asset. */
  readonly isListed: boolean;
  readonly pages: readonly string[];
}

interface RecordRequest {
  readonly id: number;
  readonly page: string;
  readonly locale?: string | undefined;
}

/** The error of an asset that pages must not show. */
export class ForbiddenAsset extends MediaAssetError {
  readonly reason: string | undefined;

  constructor(rights: AssetRights) {
    super('asset-forbidden', describe('asset-forbidden', { assets: [rights] }));
    this.reason = rights.reason;
  }
}

export interface DescribedRecord {
  readonly record: AssetRecord;
  readonly rights: AssetRights;
  readonly isForbidden: boolean;
  /** Whether someone should know about its rights. */
  readonly isNoted: boolean;
}

/** Lets pages show assets only as far as their records allow it. */
export interface RightsGuard {
  /**
   * The record of an asset that a page shows; `undefined` if the site reads no records.
   *
   * @throws `asset-forbidden`, `record-invalid`, and as `Records.find` does
   */
  show(request: RecordRequest): Promise<KnownRecord | undefined>;
  /** The record for a placeholder, with an empty `alt` if there's no other. */
  orEmpty(request: RecordRequest): Promise<KnownRecord | undefined>;
  /** What the records say about the assets of built pages. @throws as `Records.find` does */
  check(pages: ReadonlyMap<number, readonly string[]>): Promise<AssetRights[]>;
  /** Whether pages must not show the asset. */
  forbids(rights: Pick<AssetRights, 'state'>): boolean;
  /** What an asset's record says, for people; `undefined` if it isn't known. */
  describe(request: RecordRequest): Promise<DescribedRecord | undefined>;
  /** What someone should know about an asset that pages show. */
  finding(rights: AssetRights): Finding | undefined;
}

export function createRightsGuard({
  records,
  rule,
  mode,
  onFinding,
}: {
  records: Records | undefined;
  rule: RightsRule;
  mode: 'build' | 'dev';
  /** In dev, called once for each asset. A build asks for its findings. */
  onFinding: (finding: Finding) => void;
}): RightsGuard {
  const noted = new Map<number, RightsState>();

  const forbids = (rights: Pick<AssetRights, 'state'>) =>
    rule.forbidden !== 'warn' && isForbidden(rights, rule);

  function findingOf(rights: AssetRights): Finding | undefined {
    const { state, until, pages } = rights;
    const place = pages.join(', ');
    if (isForbidden(rights, rule))
      return finding('warning', 'asset-forbidden', place, {
        assets: [rights],
        isShown: true,
      });
    if (state === 'unknown' && rule.unknown === 'warn')
      return finding('warning', 'rights-unknown', place, rights);
    if (state === 'ending' && until !== undefined)
      return finding('warning', 'rights-ending', place, { ...rights, until });
    return undefined;
  }

  function noteInDev(rights: AssetRights): void {
    if (noted.get(rights.id) === rights.state) return;
    noted.set(rights.id, rights.state);
    const found = findingOf(rights);
    if (found) onFinding(found);
  }

  return {
    async show({ id, page, locale }) {
      if (!records) return undefined;
      const known = await records.find(id, locale);
      if (!known) return empty;
      const rights = rightsOf(id, known, [page]);
      if (forbids(rights)) throw new ForbiddenAsset(rights);
      if (mode === 'dev') noteInDev(rights);
      return known;
    },
    async orEmpty({ id, locale }) {
      if (!records) return undefined;
      const known = (await records.find(id, locale).catch(() => undefined)) ?? empty;
      return { ...known, record: { ...known.record, alt: known.record.alt ?? '' } };
    },
    async check(pages) {
      if (!records) return [];
      const found = await Promise.all(
        Array.from(pages, async ([id, named]) => {
          const known = await records.find(id);
          return known && rightsOf(id, known, named);
        }),
      );
      return found.filter((one) => one !== undefined);
    },
    async describe({ id, page, locale }) {
      const known = await records?.find(id, locale).catch(() => undefined);
      if (!known) return undefined;
      const rights = rightsOf(id, known, [page]);
      return {
        record: known.record,
        rights,
        isForbidden: isForbidden(rights, rule),
        isNoted: findingOf(rights) !== undefined,
      };
    },
    forbids,
    finding: findingOf,
  };
}

/** The record of an asset that no one has asked the service about. */
const empty: KnownRecord = {
  record: { ...noRecord, alt: '' },
  embedded: undefined,
  state: 'allowed',
  isListed: true,
};

export function isForbidden(
  { state }: Pick<AssetRights, 'state'>,
  { unknown }: Pick<RightsRule, 'unknown'>,
): boolean {
  return state === 'forbidden' || (state === 'unknown' && unknown === 'forbid');
}

export function rightsOf(
  id: number,
  { record, state, isListed }: KnownRecord,
  pages: readonly string[],
): AssetRights {
  return { id, state, until: record.until, reason: reasonOf(record, state), isListed, pages };
}

function reasonOf({ rights, until }: AssetRecord, state: RightsState): string | undefined {
  if (state === 'unknown') return 'rights unknown';
  return state === 'forbidden' && rights !== 'forbidden' ? `rights ended on ${until}` : undefined;
}
