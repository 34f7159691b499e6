import {
  type InLanguages,
  type Language,
  onNoPage,
  type SiteLanguages,
} from '../../config/languages.ts';
import {
  describe,
  type Finding,
  finding,
  isMediaAssetError,
  MediaAssetError,
} from '../../errors/errors.ts';
import type { AssetSubject, Subject } from '../../errors/place.ts';
import type { UnavailableAsset } from '../../errors/wording.ts';
import type { Asking } from '../request/asking.ts';
import type { KnownRecord, Records } from './records.ts';
import type { RightsRule, Verdict } from './verdict.ts';

/** The verdict on an asset for some of its pages. */
export interface AssetRights extends Verdict {
  readonly id: number;
  readonly pages: readonly string[];
}

/** The languages in which a built file shows assets. All must allow them. */
export type LanguagesOfFile = (file: string) => readonly [Language, ...Language[]];

export class ForbiddenAsset extends MediaAssetError {
  readonly reason: string | undefined;

  constructor(subject: AssetSubject, { reason }: Verdict) {
    const assets = [{ id: subject.id, reason, asked: [subject] }];
    super('asset-forbidden', describe('asset-forbidden', { assets }));
    this.reason = reason;
  }
}

type RightsGuard = ReturnType<typeof createRightsGuard>;
export type DescribedRecord = NonNullable<Awaited<ReturnType<RightsGuard['describe']>>>;

/** Lets pages show assets only as far as their records allow it. */
export function createRightsGuard(site: {
  records: Records | undefined;
  rule: RightsRule;
  languages: SiteLanguages;
  mode: 'build' | 'dev';
  /** In dev, called once for each asset. A build asks for its findings. */
  onFinding: (finding: Finding) => void;
}) {
  const { records, rule, languages, mode, onFinding } = site;
  const noted = new Map<number, Verdict['state']>();

  const forbids = ({ state }: Pick<Verdict, 'state'>) =>
    rule.forbidden !== 'warn' && state === 'forbidden';

  function findingOf(
    id: number,
    { state, until, reason }: Verdict,
    asked: readonly Subject[],
  ): Finding | undefined {
    if (state === 'forbidden') {
      const details = { assets: [{ id, reason, asked }], isShown: true };
      return finding('warning', 'asset-forbidden', details);
    }
    if (state === 'unknown' && rule.unknown === 'warn')
      return finding('warning', 'rights-unknown', { id, reason, asked });
    if (state === 'ending' && until !== undefined)
      return finding('warning', 'rights-ending', { id, until, reason, asked });
    return undefined;
  }

  function noteInDev(subject: AssetSubject, verdict: Verdict): void {
    if (noted.get(subject.id) === verdict.state) return;
    noted.set(subject.id, verdict.state);
    const found = findingOf(subject.id, verdict, [subject]);
    if (found) onFinding(found);
  }

  return {
    /**
     * The record of an asset that a page shows; `undefined` if the site reads no records.
     *
     * @param isInline nothing judges it again when it's published, because it has no URL. So for a page that
     * isn't known, all languages must allow it
     */
    async show(asking: Asking, isInline = false): Promise<KnownRecord | undefined> {
      if (!records) return undefined;
      const isOpen = isInline && asking.shownIn === onNoPage;
      const use = isOpen ? { ...asking, shownIn: languages.all } : asking;
      const known = await records.find(asking.id, use);
      if (!known) return empty;
      if (forbids(known.verdict)) throw new ForbiddenAsset(asking, known.verdict);
      if (mode === 'dev') noteInDev(asking, known.verdict);
      return known;
    },
    /** The record for a placeholder, with an empty `alt` if there's no other. */
    async orEmpty(asking: Asking): Promise<KnownRecord | undefined> {
      if (!records) return undefined;
      const known = (await records.find(asking.id, asking).catch(() => undefined)) ?? empty;
      return { ...known, record: { ...known.record, alt: known.record?.alt ?? '' } };
    },
    /**
     * The binding verdicts on the assets of built files, with the files that each holds for. Who asked in
     * which language doesn't count. Without credentials, an asset that isn't published needs no record.
     */
    async check(
      files: ReadonlyMap<number, readonly string[]>,
      languagesOf: LanguagesOfFile,
      isPublished: (id: number) => boolean = () => true,
    ): Promise<AssetRights[]> {
      if (!records) return [];
      await records.settle();
      const judge = async (id: number, page: string) => {
        const shownIn = languagesOf(page);
        const known = await records.find(id, { shownIn, texts: shownIn[0] }).catch((thrown) => {
          const isNeeded = isPublished(id) || !isMediaAssetError(thrown, 'service-not-configured');
          if (isNeeded) throw thrown;
          return undefined;
        });
        return { page, verdict: known?.verdict };
      };
      const judged = Array.from(files, async ([id, pages]) =>
        joinPages(id, await Promise.all(pages.map((page) => judge(id, page)))),
      );
      return (await Promise.all(judged)).flat();
    },
    /**
     * What an asset's record says, for people; `undefined` if it isn't known.
     *
     * @param isUse whether a page depends on it
     */
    async describe(id: number, use: InLanguages, isUse = true) {
      const known = await records?.find(id, use, isUse).catch(() => undefined);
      if (!known) return undefined;
      const { record, verdict } = known;
      /** Whether someone should know about its rights. */
      const isNoted = findingOf(id, verdict, []) !== undefined;
      return { record, verdict, isNoted };
    },
    forbids,
    /** What someone should know about an asset that pages show. */
    finding: ({ id, pages, ...verdict }: AssetRights) => findingOf(id, verdict, onPages(pages)),
  };
}

/** The record of an asset that dev can't ask the service about. */
const empty: KnownRecord = {
  record: { alt: '' },
  embedded: undefined,
  verdict: { state: 'unknown', until: undefined, reason: 'no record' },
};

/** An asset that files contain although the site may not show it. */
export function forbiddenOn({ id, reason, pages }: AssetRights): UnavailableAsset {
  return { id, reason, asked: onPages(pages) };
}

const onPages = (pages: readonly string[]): Subject[] => pages.map((page) => ({ page }));

/** Pages with the same verdict together. */
export function joinPages(
  id: number,
  judged: readonly { readonly page: string; readonly verdict: Verdict | undefined }[],
): AssetRights[] {
  const groups = Map.groupBy(judged, ({ verdict }) => JSON.stringify(verdict));
  return [...groups.values()].flatMap((group) => {
    const verdict = group[0]?.verdict;
    return verdict ? { ...verdict, id, pages: group.map(({ page }) => page) } : [];
  });
}
