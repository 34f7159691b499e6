import { join } from 'node:path';
import { createRecordReader } from '../../service/read-records.ts';
import type { MediaService } from '../../service/types.ts';
import { readFacts } from '../store/asset-facts.ts';
import { serviceFolder } from '../store/asset-folder.ts';
import { type RecordRule, type RightsRule, readKnownRecord } from './records.ts';
import { type AssetRights, joinPages } from './rights-guard.ts';
import { localeOfPage } from './site-languages.ts';

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
    readonly rights: Pick<RightsRule, 'unknown' | 'warnDays'>;
    readonly now: number;
  },
): Promise<ListedRights[]> {
  const { cacheDir, pages, record, rights, now } = request;
  const assets = serviceFolder(cacheDir, service.baseUrl);
  const reader = createRecordReader(service, {
    // Only for people.
    fields: [...new Set(['name', 'filename', ...record.fields])],
    folders: { get: (id) => readFacts(join(assets, String(id)))?.record?.folder ?? undefined },
  });
  const found = await reader.read(pages.keys());
  const listed = Array.from(pages, ([id, named]) => {
    const file = found.get(id)?.record;
    const fields = file?.fields ?? null;
    const judged = named.map((page) => {
      const locale = localeOfPage(page, record);
      return { page, ...readKnownRecord(record, { id, fields, locale, now, rights }) };
    });
    return joinPages(id, judged).map((one) => ({ ...one, name: file?.name ?? file?.filename }));
  }).flat();
  return listed.sort(
    (one, other) =>
      order.indexOf(one.state) - order.indexOf(other.state) ||
      (one.until ?? 'z').localeCompare(other.until ?? 'z') ||
      one.id - other.id,
  );
}
