import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './open-database.ts';
import type { EmulatorSettings } from './settings.ts';
import type { UsageBody } from './usage-body.ts';

/** One record of the service: an asset on a page, with what was reported about it. */
export interface UsageRecord {
  readonly asset: number;
  /** URL of the page. */
  readonly page: string;
  readonly pageName: string;
  readonly contact: string;
  readonly project: string;
  readonly description: string;
  readonly amount: string;
  /** Day of publication, `YYYY-MM-DD`. */
  readonly date: string;
  /** Type of publication, as reported. */
  readonly type: string;
  /** ISO 8601, UTC. */
  readonly created: string;
  /** The user who was signed in. */
  readonly createdBy: string;
}

export interface UsageRecords {
  /** Records or removes the usage of every asset of the post: all of them, or on a failure none. */
  apply(post: UsageBody, user: string): void;
  /** The records of one asset, or of all; oldest first. */
  list(asset?: number): UsageRecord[];
}

const removals = {
  page: 'asset = :asset AND page = :page',
  'page-project': 'asset = :asset AND page = :page AND project = :project',
  'all-fields': `asset = :asset AND page = :page AND page_name = :pageName AND project = :project
    AND contact = :contact AND date = :date AND amount = :amount AND description = :description
    AND type = :type`,
} satisfies Record<EmulatorSettings['removalMatches'], string>;

/** The usage records of a database, under the semantics that the settings name. */
export function createUsageRecords({
  database,
  settings,
  clock,
}: {
  database: DatabaseSync;
  settings: Pick<EmulatorSettings, 'usages' | 'removalMatches'>;
  clock: () => number;
}): UsageRecords {
  const remove = database.prepare(`DELETE FROM usage WHERE ${removals[settings.removalMatches]}`);
  remove.setAllowUnknownNamedParameters(true);
  const overwrite = database.prepare(
    `UPDATE usage SET page_name = :pageName, project = :project, contact = :contact, date = :date,
      amount = :amount, description = :description, type = :type
      WHERE asset = :asset AND page = :page`,
  );
  const add = database.prepare(
    `INSERT INTO usage (asset, page, page_name, project, contact, date, amount, description, type,
      created, created_by)
      VALUES (:asset, :page, :pageName, :project, :contact, :date, :amount, :description, :type,
      :created, :createdBy)`,
  );
  return {
    apply(post, user) {
      const { id: assets, removed, types, web, ...fields } = post;
      inTransaction(database, () => {
        for (const asset of assets) {
          const record = { ...fields, ...web, type: types.join(','), asset };
          if (removed) remove.run(record);
          else if (settings.usages === 'append' || overwrite.run(record).changes === 0)
            add.run({ ...record, created: new Date(clock()).toISOString(), createdBy: user });
        }
      });
    },
    list: (asset) => listUsages(database, asset),
  };
}

/** The usage records of one asset, or of all; oldest first. */
export function listUsages(database: DatabaseSync, asset?: number): UsageRecord[] {
  return database
    .prepare('SELECT * FROM usage WHERE ?1 IS NULL OR asset = ?1 ORDER BY record')
    .all(asset ?? null)
    .map((row) => ({
      asset: Number(row.asset),
      page: String(row.page),
      pageName: String(row.page_name),
      contact: String(row.contact),
      project: String(row.project),
      description: String(row.description),
      amount: String(row.amount),
      date: String(row.date),
      type: String(row.type),
      created: String(row.created),
      createdBy: String(row.created_by),
    }));
}
