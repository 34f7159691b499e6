import type { DatabaseSync } from 'node:sqlite';
import type { UsageBody } from '../calls/usage-body.ts';
import { inTransaction } from './open-database.ts';

/** A usage record: an asset on a page, and the reported details. */
export interface UsageRecord {
  readonly asset: number;
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

/** @param run.onChange called after each usage request with an effect, and after `clear` */
export function createUsageRecords(
  database: DatabaseSync,
  { clock, onChange }: { clock: () => number; onChange: () => void },
) {
  const remove = database.prepare('DELETE FROM usage WHERE asset = ? AND page = ?');
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

  return {
    /** Records or removes the usage of every asset in the request, or of none if it fails. */
    apply(post: UsageBody, user: string) {
      inTransaction(database, () => {
        for (const asset of post.id) {
          const record = recordOf(post, asset);
          if (post.removed) remove.run(asset, record.page);
          else if (overwrite.run(record).changes === 0)
            add.run({ ...record, created: new Date(clock()).toISOString(), createdBy: user });
        }
      });
      onChange();
    },
    clear() {
      database.exec('DELETE FROM usage');
      onChange();
    },
    list: (asset?: number) => readUsageRecords(database, asset),
    /** Number of pages per asset. Unused assets are missing. */
    pageCounts: () =>
      new Map(countPages.all().map(({ asset, pages }) => [Number(asset), Number(pages)])),
  };
}

/** The records of an asset, or of all assets, oldest first. */
export function readUsageRecords(database: DatabaseSync, asset?: number): UsageRecord[] {
  return database
    .prepare(
      `SELECT asset, page, page_name AS pageName, contact, project, description, amount, date, type,
        created, created_by AS createdBy FROM usage WHERE ?1 IS NULL OR asset = ?1 ORDER BY record`,
    )
    .all(asset ?? null)
    .map((row) => ({ ...row }) as unknown as UsageRecord);
}

/** Groups the many requests of a build's report into one event, in ms. */
const pause = 200;

export function createUsageChanges() {
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
    /** Server-Sent Events: a `usages` event per change. Ends when the emulator closes. */
    stream() {
      let own: ReadableStreamDefaultController<Uint8Array>;
      return new ReadableStream<Uint8Array>({
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
