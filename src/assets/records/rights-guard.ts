import {
  describe,
  type Finding,
  finding,
  isMediaAssetError,
  MediaAssetError,
} from '../../errors/errors.ts';
import type { AssetSubject, Subject } from '../../errors/place.ts';
import type { UnavailableAsset } from '../../errors/wording.ts';
import { emptyRecord } from './asset-record.ts';
import type { KnownRecord, Records, RightsRule } from './records.ts';
import { localeOfPage, type SiteLanguages } from './site-languages.ts';
import type { Verdict } from './verdict.ts';

/** The verdict on an asset for some of its pages. */
export interface AssetRights extends Verdict {
  readonly id: number;
  readonly pages: readonly string[];
}

/** The languages in which a page of this build has asked for an asset. */
export type AskedLocales = (page: string, id: number) => readonly (string | undefined)[];

export interface RecordRequest extends AssetSubject {
  readonly locale?: string | undefined;
}

export class ForbiddenAsset extends MediaAssetError {
  readonly reason: string | undefined;

  constructor(subject: AssetSubject, { reason }: Verdict) {
    const assets = [{ id: subject.id, reason, asked: [subject] }];
    super('asset-forbidden', describe('asset-forbidden', { assets }));
    this.reason = reason;
  }
}

export type RightsGuard = ReturnType<typeof createRightsGuard>;
export type DescribedRecord = NonNullable<Awaited<ReturnType<RightsGuard['describe']>>>;

/** Lets pages show assets only as far as their records allow it. */
export function createRightsGuard(site: {
  records: Records | undefined;
  rule: RightsRule;
  languages?: SiteLanguages | undefined;
  mode: 'build' | 'dev';
  /** In dev, called once for each asset. A build asks for its findings. */
  onFinding: (finding: Finding) => void;
}) {
  const { records, rule, languages = {}, mode, onFinding } = site;
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
    /** The record of an asset that a page shows; `undefined` if the site reads no records. */
    async show({ locale, ...subject }: RecordRequest): Promise<KnownRecord | undefined> {
      if (!records) return undefined;
      const known = await records.find(subject.id, locale);
      if (!known) return empty;
      if (forbids(known.verdict)) throw new ForbiddenAsset(subject, known.verdict);
      if (mode === 'dev') noteInDev(subject, known.verdict);
      return known;
    },
    /** The record for a placeholder, with an empty `alt` if there's no other. */
    async orEmpty({ id, locale }: RecordRequest): Promise<KnownRecord | undefined> {
      if (!records) return undefined;
      const known = (await records.find(id, locale).catch(() => undefined)) ?? empty;
      return { ...known, record: { ...known.record, alt: known.record.alt ?? '' } };
    },
    /**
     * The verdicts on the assets of built files, with the files that each holds for. A file may contain an
     * asset if it's allowed in one of the languages in which the file's page asked for it in this build.
     * If the page didn't ask, because Astro kept it or someone wrote the URL, its path has the language.
     * Without credentials, an asset that isn't published needs no record.
     */
    async check(
      files: ReadonlyMap<number, readonly string[]>,
      asked: AskedLocales,
      isPublished: (id: number) => boolean = () => true,
    ): Promise<AssetRights[]> {
      if (!records) return [];
      const find = (id: number, locale: string | undefined) =>
        records.find(id, locale).catch((thrown: unknown) => {
          const isNeeded = isPublished(id) || !isMediaAssetError(thrown, 'service-not-configured');
          if (isNeeded) throw thrown;
          return undefined;
        });
      const judge = async (id: number, page: string) => {
        const locales = asked(page, id);
        const inAll = locales.length > 0 ? locales : [localeOfPage(page, languages)];
        const known = await Promise.all(inAll.map((locale) => find(id, locale)));
        const verdicts = known.flatMap((one) => one?.verdict ?? []);
        const verdict = verdicts.find(({ state }) => state !== 'forbidden') ?? verdicts[0];
        return { page, verdict };
      };
      const judged = Array.from(files, async ([id, pages]) =>
        joinPages(id, await Promise.all(pages.map((page) => judge(id, page)))),
      );
      return (await Promise.all(judged)).flat();
    },
    /** What an asset's record says, for people; `undefined` if it isn't known. */
    async describe({ locale, ...subject }: RecordRequest) {
      const { id } = subject;
      const known = await records?.find(id, locale).catch(() => undefined);
      if (!known) return undefined;
      const { record, verdict } = known;
      /** Whether someone should know about its rights. */
      const isNoted = findingOf(id, verdict, [subject]) !== undefined;
      return { record, verdict, isNoted };
    },
    forbids,
    /** What someone should know about an asset that pages show. */
    finding: ({ id, pages, ...verdict }: AssetRights) => findingOf(id, verdict, onPages(pages)),
  };
}

/** The record of an asset that dev can't ask the service about. */
const empty: KnownRecord = {
  record: { ...emptyRecord, alt: '' },
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
