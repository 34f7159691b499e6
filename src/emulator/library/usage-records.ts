import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './open-database.ts';
import { type UsagePost, usageRecord } from './usage-post.ts';

/** A usage record: an asset on a page or in a project, and the reported details. */
export interface StoredUsage {
  readonly asset: number;
  /** Empty if the asset is used in the project alone. */
  readonly page: string;
  readonly pageName: string;
  readonly contact: string;
  readonly project: string;
  readonly description: string;
  readonly amount: string;
  /** Publication day, `YYYY-MM-DD`. */
  readonly date: string;
  /** Publication type, as reported. */
  readonly type: string;
  /** In ISO 8601 and UTC. */
  readonly created: string;
  readonly createdBy: string;
}

/** @param clock returns ms since 1970 */
export function createUsageRecords(database: DatabaseSync, clock: () => number) {
  const same = "asset = :asset AND page = :page AND (page <> '' OR project = :project)";
  const remove = database.prepare(`DELETE FROM usage WHERE ${same}`);
  const overwrite = database.prepare(
    `UPDATE usage SET page_name = :pageName, project = :project, contact = :contact, date = :date,
      amount = :amount, description = :description, type = :type
      WHERE ${same}`,
  );
  const countPages = database.prepare(
    "SELECT asset, COUNT(DISTINCT nullif(page, '')) AS pages FROM usage GROUP BY asset",
  );
  const add = database.prepare(
    `INSERT INTO usage (asset, page, page_name, project, contact, date, amount, description, type,
      created, created_by)
      VALUES (:asset, :page, :pageName, :project, :contact, :date, :amount, :description, :type,
      :created, :createdBy)`,
  );
  const listed = database.prepare(
    `SELECT asset, page, page_name AS pageName, contact, project, description, amount, date, type,
      created, created_by AS createdBy FROM usage WHERE ?1 IS NULL OR asset = ?1 ORDER BY record`,
  );
  return {
    /** Records or removes the usage of every asset in the request, or of none if it fails. */
    apply(post: UsagePost, user: string) {
      inTransaction(database, () => {
        for (const asset of post.id) {
          const record = usageRecord(post, asset);
          if (post.removed) remove.run({ asset, page: record.page, project: record.project });
          else if (overwrite.run(record).changes === 0)
            add.run({ ...record, created: new Date(clock()).toISOString(), createdBy: user });
        }
      });
    },
    clear: () => database.exec('DELETE FROM usage'),
    /** The records of an asset, or of all assets, oldest first. */
    list: (asset?: number) =>
      listed.all(asset ?? null).map((row) => ({ ...row }) as unknown as StoredUsage),
    /** Number of pages per asset. Unused assets are missing. */
    pageCounts: () =>
      new Map(countPages.all().map(({ asset, pages }) => [Number(asset), Number(pages)])),
  };
}
