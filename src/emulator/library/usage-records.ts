import type { DatabaseSync } from 'node:sqlite';
import type { UsageBody } from '../calls/usage-body.ts';
import type { EmulatorSettings } from '../settings.ts';
import { inTransaction } from './open-database.ts';

/** One record of the service: an asset on a page, with what was reported about it. */
export interface UsageRecord {
  readonly asset: number;
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
  readonly createdBy: string;
}

export interface UsageRecords {
  /** Records or removes the usage of every asset of the post: all of them, or on a failure none. */
  apply(post: UsageBody, user: string): void;
  /** Whether there is a record of this asset that the post, as a removal, matches. */
  matches(post: UsageBody, asset: number): boolean;
  clear(): void;
  /** The records of one asset, or of all; oldest first. */
  list(asset?: number): UsageRecord[];
  /** How many pages use each asset; one that none uses has no entry. */
  pageCounts(): Map<number, number>;
}

const matching = {
  page: 'asset = :asset AND page = :page',
  'page-project': 'asset = :asset AND page = :page AND project = :project',
  'all-fields': `asset = :asset AND page = :page AND page_name = :pageName AND project = :project
    AND contact = :contact AND date = :date AND amount = :amount AND description = :description
    AND type = :type`,
} satisfies Record<EmulatorSettings['removalMatches'], string>;

export function createUsageRecords({
  database,
  settings,
  clock,
  onChange,
}: {
  database: DatabaseSync;
  settings: () => Pick<EmulatorSettings, 'usages' | 'removalMatches' | 'removalTakes'>;
  clock: () => number;
  /** Told after each post that was carried out, and after `clear`. */
  onChange: () => void;
}): UsageRecords {
  const remove = database.prepare('DELETE FROM usage WHERE record = ?');
  const overwrite = database.prepare(
    `UPDATE usage SET page_name = :pageName, project = :project, contact = :contact, date = :date,
      amount = :amount, description = :description, type = :type
      WHERE asset = :asset AND page = :page`,
  );
  const countPages = database.prepare(
    'SELECT asset, COUNT(DISTINCT page) AS pages FROM usage GROUP BY asset',
  );
  const add = database.prepare(
    `INSERT INTO usage (asset, page, page_name, project, contact, date, amount, description, type,
      created, created_by)
      VALUES (:asset, :page, :pageName, :project, :contact, :date, :amount, :description, :type,
      :created, :createdBy)`,
  );

  const recordOf = ({ id: _, removed: __, types, web, ...fields }: UsageBody, asset: number) => ({
    ...fields,
    ...web,
    type: types.join(','),
    asset,
  });
  const matched = (post: UsageBody, asset: number): number[] => {
    const where = matching[settings().removalMatches];
    const find = database.prepare(`SELECT record FROM usage WHERE ${where} ORDER BY record`);
    find.setAllowUnknownNamedParameters(true);
    return find.all(recordOf(post, asset)).map(({ record }) => Number(record));
  };

  return {
    apply(post, user) {
      const { usages, removalTakes } = settings();
      inTransaction(database, () => {
        for (const asset of post.id) {
          if (post.removed) {
            const found = matched(post, asset);
            for (const record of removalTakes === 'all' ? found : found.slice(0, 1))
              remove.run(record);
            continue;
          }
          const record = recordOf(post, asset);
          if (usages === 'append' || overwrite.run(record).changes === 0)
            add.run({ ...record, created: new Date(clock()).toISOString(), createdBy: user });
        }
      });
      onChange();
    },
    matches: (post, asset) => matched(post, asset).length > 0,
    clear() {
      database.exec('DELETE FROM usage');
      onChange();
    },
    list: (asset) => readUsageRecords(database, asset),
    pageCounts: () =>
      new Map(countPages.all().map(({ asset, pages }) => [Number(asset), Number(pages)])),
  };
}

export function readUsageRecords(database: DatabaseSync, asset?: number): UsageRecord[] {
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

export interface UsageChanges {
  /** The usages have changed: every stream says so, at most once in 200 ms. */
  announce(): void;
  /** Server-Sent Events: an event `usages` for each change. Ends when the emulator closes. */
  stream(): ReadableStream<Uint8Array>;
  /** Ends every stream, now and from now on. */
  close(): void;
}

/** Milliseconds in which changes are one: a build's report is many requests. */
const pause = 200;

export function createUsageChanges(): UsageChanges {
  const listeners = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const encoder = new TextEncoder();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  return {
    announce() {
      if (listeners.size === 0) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        for (const listener of listeners)
          listener.enqueue(encoder.encode('event: usages\ndata:\n\n'));
      }, pause);
    },
    stream() {
      let own: ReadableStreamDefaultController<Uint8Array>;
      return new ReadableStream({
        start(controller) {
          own = controller;
          controller.enqueue(encoder.encode('retry: 1000\n\n'));
          if (closed) controller.close();
          else listeners.add(controller);
        },
        cancel: () => void listeners.delete(own),
      });
    },
    close() {
      closed = true;
      clearTimeout(timer);
      for (const listener of listeners) listener.close();
      listeners.clear();
    },
  };
}
