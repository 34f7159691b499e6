import { join } from 'node:path';
import type { SiteLanguages } from '../../config/languages.ts';
import { createRecordReader } from '../../service/read-records.ts';
import type { MediaService } from '../../service/types.ts';
import { assetName } from '../files/file-label.ts';
import { inLanguage } from '../request/asking.ts';
import { readFacts } from '../store/asset-facts.ts';
import { serviceFolder } from '../store/asset-folder.ts';
import { type RecordRule, readKnownRecord, requestOf } from './records.ts';
import { type AssetRights, joinPages } from './rights-guard.ts';
import { noRecord } from './verdict.ts';

/** An asset on pages, its name in the service, and whether the site may show it today. */
export interface ListedRights extends AssetRights {
  readonly name: string | undefined;
}

const order = ['forbidden', 'ending', 'unknown', 'allowed'] as const;

/**
 * Reads the records of assets and lists their rights: forbidden ones first, then those that end first.
 * An asset is listed once for each verdict, because its languages can differ.
 *
 * @param request.now in ms since the epoch
 */
export async function listRights(
  service: MediaService,
  request: {
    readonly cacheDir: string;
    readonly pages: ReadonlyMap<number, readonly string[]>;
    readonly record: RecordRule;
    readonly languages: SiteLanguages;
    readonly now: number;
  },
): Promise<ListedRights[]> {
  const { cacheDir, pages, record, languages } = request;
  const { fields, decisive } = requestOf(record);
  const assets = serviceFolder(cacheDir, service.baseUrl);
  const reader = createRecordReader(service, {
    // Only for people.
    fields: [...new Set(['name', 'filename', ...fields])],
    decisive,
    folders: { get: (id) => readFacts(join(assets, String(id)))?.record?.folder ?? undefined },
  });
  const found = await reader.read(pages.keys());
  const now = request.now + service.clockAhead();
  const listed = Array.from(pages, ([id, named]) => {
    const file = found.get(id)?.record;
    const known = file ?? noRecord;
    const judged = named.map((page) => {
      const use = inLanguage(languages.ofPage(page), undefined, languages);
      return { page, ...readKnownRecord(record, { ...use, id, known, languages, now }) };
    });
    return joinPages(id, judged).map((one) => ({ ...one, name: file && assetName(file) }));
  }).flat();
  return listed.sort(
    (one, other) =>
      order.indexOf(one.state) - order.indexOf(other.state) ||
      (one.until ?? 'z').localeCompare(other.until ?? 'z') ||
      one.id - other.id,
  );
}
